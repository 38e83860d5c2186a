//! Why a step did not happen: the driver stopped, or Spark refuses.

use tidemark_types::{ErrorClass, SparkError};
use tidemark_world::WorldError;

/// With this begins the name of an error that Spark does not have.
pub(crate) const OURS: &str = "TIDEMARK_";
/// The name of the error of a store that is full.
const WORLD_FULL: &str = "TIDEMARK_WORLD_BYTES_MAX";

/// The result of a step.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a step did not happen.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// The driver has been stopped: everything but the World is to be dropped.
    #[error("the driver stopped {0}")]
    Crashed(String),
    /// Spark refuses; the text is for the learner.
    #[error(transparent)]
    Spark(Box<SparkError>),
}

impl From<SparkError> for Error {
    fn from(error: SparkError) -> Self {
        Error::Spark(Box::new(error))
    }
}

impl From<WorldError> for Error {
    fn from(error: WorldError) -> Self {
        match error {
            WorldError::Crashed { place } => Error::Crashed(place),
            WorldError::Full { bytes, most, .. } => {
                SparkError::new(ErrorClass::Spark, WORLD_FULL, "54000", error.to_string())
                    .with_parameter("bytes", bytes.to_string())
                    .with_parameter("most", most.to_string())
                    .into()
            }
            other => SparkError::plain(ErrorClass::Py4JJava, other.to_string()).into(),
        }
    }
}
