//! Spark's hash: where a shuffle puts a row.

use std::sync::Arc;

use arrow::array::{ArrayRef, Int32Array, StringArray};
use tidemark_engine::kernel::partition_of;
use tidemark_plan::{Function as F, Literal, Scalar};
use tidemark_types::DataType as T;

use crate::{boolean, byte, call, check, date, dec, double, float, int, long, null, short, text, timestamp};

fn hash(args: Vec<Scalar>) -> Scalar {
    call(F::Hash, args, T::Integer)
}

#[test]
fn hashes_are_those_of_spark() {
    let list = call(F::CreateArray, vec![int(1), int(2), int(3)], crate::array_of(T::Integer));
    check(vec![
        (hash(vec![int(1)]), "-559580957"),
        (hash(vec![text("a")]), "1485273170"),
        (hash(vec![null(T::Null)]), "42"),
        (hash(vec![long(1)]), "-1712319331"),
        (hash(vec![boolean(true)]), "-559580957"),
        (hash(vec![double(1.0)]), "-460888942"),
        (hash(vec![float(1.0)]), "-466301895"),
        (hash(vec![double(-0.0)]), "-1670924195"),
        (hash(vec![text("abcde")]), "814637928"),
        (hash(vec![text("")]), "142593372"),
        (hash(vec![text("héllo wörld")]), "-281075962"),
        (hash(vec![dec(150, 10, 2)]), "-2056712946"),
        (hash(vec![dec(150, 30, 2)]), "-339019914"),
        (hash(vec![dec(-1_234_567_890_123_456_789_050, 30, 2)]), "-1983803224"),
        (hash(vec![date(19723)]), "-456589419"),
        (hash(vec![timestamp(1_704_067_200_000_000)]), "1545358984"),
        (hash(vec![Scalar::Literal(Literal::Binary(vec![1, 2, 3, 4, 5]))]), "-2064006189"),
        (hash(vec![Scalar::Literal(Literal::DayTimeInterval(86_400_000_000))]), "892267096"),
        (hash(vec![byte(1), short(2)]), "-222940379"),
        (hash(vec![list]), "-912918097"),
    ]);
    let mixed = hash(vec![int(1), text("a"), null(T::Null), long(2)]);
    check(vec![(mixed, "-947240264")]);
}

#[test]
fn rows_go_where_spark_puts_them() {
    let numbers: ArrayRef = Arc::new(Int32Array::from(vec![1, 1]));
    assert_eq!(partition_of(&[numbers], 2, 200).unwrap(), [(-559_580_957_i32).rem_euclid(200) as u32; 2]);
    let texts: ArrayRef = Arc::new(StringArray::from(vec![Some("a"), None]));
    assert_eq!(partition_of(&[texts], 2, 3).unwrap(), [1_485_273_170 % 3, 0]);
}
