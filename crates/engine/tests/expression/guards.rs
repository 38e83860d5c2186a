//! Guarded branches: what is not needed is not computed.

use tidemark_plan::{Function as F, Scalar};
use tidemark_types::DataType as T;

use crate::{boolean, call, cast, check, check_starts, double, int, null, text};

fn broken() -> Scalar {
    call(F::Divide, vec![double(1.0), double(0.0)], T::Double)
}

fn case(branches: Vec<(Scalar, Scalar)>, otherwise: Option<Scalar>) -> Scalar {
    let data_type = branches[0].1.data_type();
    Scalar::Case { branches, otherwise: otherwise.map(Box::new), data_type }
}

#[test]
fn an_error_behind_a_guard_stays_hidden() {
    let positive = || call(F::Greater, vec![broken(), double(0.0)], T::Boolean);
    check(vec![
        (case(vec![(boolean(true), double(1.0))], Some(broken())), "1.0"),
        (case(vec![(boolean(false), broken())], Some(double(2.0))), "2.0"),
        (case(vec![(boolean(false), broken())], None), "NULL"),
        (case(vec![(null(T::Boolean), broken()), (boolean(true), double(3.0))], None), "3.0"),
        (case(vec![(boolean(true), text("a"))], Some(cast(broken(), T::String))), "a"),
        (case(vec![(boolean(false), int(1))], None), "NULL"),
        (call(F::Coalesce, vec![double(1.0), broken()], T::Double), "1.0"),
        (call(F::And, vec![boolean(false), positive()], T::Boolean), "false"),
        (call(F::Or, vec![boolean(true), positive()], T::Boolean), "true"),
    ]);
    check_starts(vec![
        (case(vec![(boolean(true), broken())], None), "[DIVIDE_BY_ZERO]"),
        (call(F::Coalesce, vec![null(T::Double), broken()], T::Double), "[DIVIDE_BY_ZERO]"),
        (call(F::And, vec![boolean(true), positive()], T::Boolean), "[DIVIDE_BY_ZERO]"),
        (call(F::And, vec![positive(), boolean(false)], T::Boolean), "[DIVIDE_BY_ZERO]"),
    ]);
}
