//! The panels: each draws one part of a moment. They talk through actions, never to each other.

pub mod compare;
pub mod editor;
pub mod inspect;
pub mod lane;
pub mod lesson;
pub mod lineage;
pub mod modes;
pub mod numbers;
pub mod plane;
pub mod rail;
pub mod sink;
pub mod state;
pub mod store;
pub mod sweep;
