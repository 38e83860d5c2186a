//! The two ways in which the room refuses.

use tidemark_types::SparkError;
use tidemark_world::WorldError;

/// Why an act on a table did not happen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The World refused; a crash of the driver passes through here unchanged.
    #[error(transparent)]
    World(#[from] WorldError),
    /// Delta or Spark refuses, with its condition and message.
    #[error(transparent)]
    Spark(#[from] SparkError),
}

impl Error {
    /// Whether the driver has been stopped, so that everything but the World is to be dropped.
    pub fn is_crash(&self) -> bool {
        matches!(self, Error::World(WorldError::Crashed { .. }))
    }

    /// The error as Spark reports it; none for a crash.
    pub fn as_spark(&self) -> Option<&SparkError> {
        match self {
            Error::Spark(error) => Some(error),
            Error::World(_) => None,
        }
    }
}

/// The result of an act on a table.
pub type Result<T, E = Error> = std::result::Result<T, E>;
