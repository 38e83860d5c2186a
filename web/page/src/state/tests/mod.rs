//! The reducer over whole conversations.

pub(super) mod conversation;
mod frame;
mod kept;
