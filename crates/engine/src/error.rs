//! Why a step did not happen: the driver stopped, or Spark refuses.

use tidemark_types::SparkError;
use tidemark_world::WorldError;

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
            other => SparkError::plain(tidemark_types::ErrorClass::Py4JJava, other.to_string()).into(),
        }
    }
}
