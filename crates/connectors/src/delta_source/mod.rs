//! A Delta table as a stream: the files of a snapshot first, then those that each later commit adds.
//!
//! ```text
//! snapshot 2: file 0, file 1, end │ commit 3: begin, file 0, end │ commit 4: begin, end │ …
//!              ▲ (2, 0, true)   ▲ (3, -1, false)          ▲ (4, -1, false)
//! ```

mod condition;
mod offset;
mod options;
mod scan;
mod source;

pub use options::DeltaStreamOptions;
pub use source::{DeltaSource, resolve};
