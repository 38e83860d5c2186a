//! Expressions against what Spark 4.2 answers: tables of expression and text, or of expression and error.
//!
//! Every expression runs three times: over constants, over columns with those constants, and over columns in which a
//! row of nulls lies between.

mod arithmetic;
mod casting;
mod functions;
mod guards;
mod hashing;

use std::sync::Arc;

use arrow::array::{ArrayRef, Int64Array, new_null_array};
use tidemark_engine::Error;
use tidemark_engine::kernel::{EvalContext, compile};
use tidemark_plan::{Attribute, CastMode, ExprId, Function, Literal, Scalar};
use tidemark_types::value_text::{TextStyle, value_text};
use tidemark_types::{Batch, DataType, StructType, Zone};

/// 2024-01-05T13:14:15.678Z.
const NOON: i64 = 1_704_460_455_678_000;

fn int(v: i32) -> Scalar {
    Scalar::Literal(Literal::Integer(v))
}
fn long(v: i64) -> Scalar {
    Scalar::Literal(Literal::Long(v))
}
fn byte(v: i8) -> Scalar {
    Scalar::Literal(Literal::Byte(v))
}
fn short(v: i16) -> Scalar {
    Scalar::Literal(Literal::Short(v))
}
fn double(v: f64) -> Scalar {
    Scalar::Literal(Literal::Double(v))
}
fn float(v: f32) -> Scalar {
    Scalar::Literal(Literal::Float(v))
}
fn text(v: &str) -> Scalar {
    Scalar::Literal(Literal::String(v.into()))
}
fn boolean(v: bool) -> Scalar {
    Scalar::Literal(Literal::Boolean(v))
}
fn null(t: DataType) -> Scalar {
    Scalar::Literal(Literal::Null(t))
}
fn dec(unscaled: i128, precision: u8, scale: i8) -> Scalar {
    Scalar::Literal(Literal::Decimal(unscaled, precision, scale))
}
fn date(days: i32) -> Scalar {
    Scalar::Literal(Literal::Date(days))
}
fn timestamp(micros: i64) -> Scalar {
    Scalar::Literal(Literal::Timestamp(micros))
}
fn call(function: Function, args: Vec<Scalar>, data_type: DataType) -> Scalar {
    Scalar::Call { function, args, data_type, nullable: true }
}
fn cast(child: Scalar, to: DataType) -> Scalar {
    Scalar::Cast { child: Box::new(child), to, mode: CastMode::Ansi }
}
fn try_cast(child: Scalar, to: DataType) -> Scalar {
    Scalar::Cast { child: Box::new(child), to, mode: CastMode::Try }
}
fn array_of(t: DataType) -> DataType {
    DataType::Array(Box::new(t), true)
}

/// The answer as text: the value, `NULL`, or the error's whole message.
fn answer(scalar: &Scalar) -> String {
    let constant = run(scalar, &one_row(&[], &[]), &[]).map(|texts| texts[0].clone());
    let mut columns = Vec::new();
    let lifted = lift(scalar, &mut columns);
    let attributes: Vec<Attribute> = columns.iter().map(|(a, _)| a.clone()).collect();
    let values: Vec<ArrayRef> = columns.iter().map(|(_, v)| v.clone()).collect();
    let alone = run(&lifted, &one_row(&attributes, &values), &attributes).map(|texts| texts[0].clone());
    assert_eq!(constant, alone, "constants and columns agree on {scalar:?}");
    let between = run(&lifted, &three_rows(&attributes, &values), &attributes);
    if let Ok(texts) = &between {
        assert_eq!(Ok(texts[0].clone()), constant, "a null row below changes nothing in {scalar:?}");
        assert_eq!(texts[0], texts[2], "rows above and below a null row agree on {scalar:?}");
    }
    constant.unwrap_or_else(|error| error)
}

fn run(scalar: &Scalar, batch: &Batch, input: &[Attribute]) -> Result<Vec<String>, String> {
    let told = |error: Error| match error {
        Error::Spark(error) => error.full_message(),
        Error::Crashed(place) => place,
    };
    let program = compile(scalar, input).map_err(told)?;
    let array = program.evaluate(batch, &EvalContext::at(NOON)).map_err(told)?;
    assert_eq!(*array.data_type(), scalar.data_type().to_arrow(), "the carrier of {scalar:?}");
    let style = TextStyle::cast(Zone::UTC);
    Ok((0..batch.rows())
        .map(|row| value_text(&array, &scalar.data_type(), row, style).unwrap_or_else(|| "NULL".into()))
        .collect())
}

/// Puts a column in the place of every constant that is a plain argument.
fn lift(scalar: &Scalar, columns: &mut Vec<(Attribute, ArrayRef)>) -> Scalar {
    match scalar {
        Scalar::Literal(literal) if !matches!(literal, Literal::Null(DataType::Null)) => {
            let name = format!("c{}", columns.len());
            let attribute = Attribute {
                id: ExprId(columns.len() as u64),
                name,
                data_type: literal.data_type(),
                nullable: true,
                qualifier: Vec::new(),
                watermark_delay: None,
            };
            let constant = compile(scalar, &[]).expect("a constant compiles");
            let array = constant
                .evaluate(&one_row(&[], &[]), &EvalContext::at(NOON))
                .expect("a constant has a value");
            columns.push((attribute.clone(), array));
            Scalar::Column(attribute)
        }
        Scalar::Call { function, args, data_type, nullable } => {
            let fixed = match function {
                Function::Window => 1..4,
                Function::GetField | Function::Round => 1..2,
                _ => 0..0,
            };
            let args = args
                .iter()
                .enumerate()
                .map(|(i, a)| if fixed.contains(&i) { a.clone() } else { lift(a, columns) })
                .collect();
            Scalar::Call { function: *function, args, data_type: data_type.clone(), nullable: *nullable }
        }
        Scalar::Cast { child, to, mode } => {
            Scalar::Cast { child: Box::new(lift(child, columns)), to: to.clone(), mode: *mode }
        }
        Scalar::Case { branches, otherwise, data_type } => Scalar::Case {
            branches: branches.iter().map(|(w, t)| (lift(w, columns), lift(t, columns))).collect(),
            otherwise: otherwise.as_ref().map(|o| Box::new(lift(o, columns))),
            data_type: data_type.clone(),
        },
        other => other.clone(),
    }
}

fn one_row(attributes: &[Attribute], values: &[ArrayRef]) -> Batch {
    Batch::new(Arc::new(Attribute::schema(attributes)), values.to_vec(), 1)
}

fn three_rows(attributes: &[Attribute], values: &[ArrayRef]) -> Batch {
    let columns = values
        .iter()
        .map(|value| {
            let null = new_null_array(value.data_type(), 1);
            arrow::compute::concat(&[value.as_ref(), null.as_ref(), value.as_ref()]).expect("one type")
        })
        .collect();
    Batch::new(Arc::new(Attribute::schema(attributes)), columns, 3)
}

/// Compares a whole table and shows all that differs.
fn check(table: Vec<(Scalar, &str)>) {
    let wrong: Vec<String> = table
        .iter()
        .filter_map(|(scalar, expected)| {
            let got = answer(scalar);
            (got != *expected).then(|| format!("{scalar:?}\n  expected {expected}\n  got      {got}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), table.len(), wrong.join("\n"));
}

/// Compares only how the answer begins: errors with long advice.
fn check_starts(table: Vec<(Scalar, &str)>) {
    for (scalar, expected) in table {
        let got = answer(&scalar);
        assert!(got.starts_with(expected), "{scalar:?}\n  expected {expected}\n  got      {got}");
    }
}

#[test]
fn a_column_comes_out_as_it_went_in() {
    let attribute = Attribute {
        id: ExprId(7),
        name: "a".into(),
        data_type: DataType::Long,
        nullable: true,
        qualifier: Vec::new(),
        watermark_delay: None,
    };
    let schema = Arc::new(StructType::new(vec![attribute.to_field()]));
    let column: ArrayRef = Arc::new(Int64Array::from(vec![1, 2]));
    let batch = Batch::new(schema, vec![column.clone()], 2);
    let program = compile(&Scalar::Column(attribute.clone()), std::slice::from_ref(&attribute)).unwrap();
    assert_eq!(&program.evaluate(&batch, &EvalContext::at(0)).unwrap(), &column);
    assert_eq!(program.as_column(), Some(0));
    let missing = compile(&Scalar::Column(attribute), &[]).unwrap_err().to_string();
    assert_eq!(
        missing,
        "[INTERNAL_ERROR_ATTRIBUTE_NOT_FOUND] Could not find a#7 among the columns of the input. SQLSTATE: XX000"
    );
}
