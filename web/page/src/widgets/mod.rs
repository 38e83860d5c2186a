//! Parts that know nothing of streams.

pub mod act_button;
pub mod icon;
pub mod segments;

pub use act_button::ActButton;
pub use icon::Icon;
pub use segments::Segments;
