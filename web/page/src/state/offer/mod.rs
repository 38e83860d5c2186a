//! What can be done, by key, by palette and by button.

pub mod keys;
pub mod offers;
pub mod palette;
