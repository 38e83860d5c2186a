//! Numbers: operators, exact decimals, rounding.

pub(crate) mod arithmetic;
pub(crate) mod decimal;
pub(crate) mod math;
