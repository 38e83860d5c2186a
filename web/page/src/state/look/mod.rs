//! What the pictures show beside the view: asked of the engine or worked out of it when it is looked at.

pub mod bill;
pub mod changes;
pub mod numbers;
pub mod outcome;
pub mod rail;
pub mod sides;
pub mod stale;
pub mod sweep;
pub mod time;
pub mod way;
