//! From a function to its kernel.

use tidemark_plan::Function;
use tidemark_types::DataType;

use crate::error::Result;
use crate::kernel::column::compare::{Comparison, compare, equal_null_safe, extreme, is_nan};
use crate::kernel::column::value::Value;
use crate::kernel::context::EvalContext;
use crate::kernel::error::unsupported;
use crate::kernel::hash::murmur;
use crate::kernel::nested;
use crate::kernel::number::arithmetic::{Operation, abs, arithmetic, negate};
use crate::kernel::number::math;
use crate::kernel::program::logic;
use crate::kernel::text::json;
use crate::kernel::text::pattern;
use crate::kernel::text::string;
use crate::kernel::time::datetime;
use crate::kernel::time::interval;
use crate::kernel::time::window;

/// The value of a call over `rows` rows.
// tidy: table
pub(crate) fn call(
    function: Function,
    args: &[Value],
    types: &[DataType],
    out: &DataType,
    rows: usize,
    context: &EvalContext,
) -> Result<Value> {
    match function {
        Function::Add => arithmetic(Operation::Add, args, types, out, rows, context),
        Function::Subtract => arithmetic(Operation::Subtract, args, types, out, rows, context),
        Function::Multiply => arithmetic(Operation::Multiply, args, types, out, rows, context),
        Function::Divide => arithmetic(Operation::Divide, args, types, out, rows, context),
        Function::IntegralDivide => arithmetic(Operation::IntegralDivide, args, types, out, rows, context),
        Function::Remainder => arithmetic(Operation::Remainder, args, types, out, rows, context),
        Function::Negate => negate(&args[0], &types[0]),
        Function::Abs => abs(&args[0], &types[0]),
        Function::Round => math::round(args, &types[0], out, rows),
        Function::Floor => math::floor(&args[0], &types[0], out),
        Function::Ceil => math::ceil(&args[0], &types[0], out),
        Function::Sqrt => Ok(math::sqrt(&args[0])),
        Function::Equal => compare(Comparison::Equal, &args[0], &args[1], rows),
        Function::EqualNullSafe => equal_null_safe(&args[0], &args[1], rows),
        Function::Less => compare(Comparison::Less, &args[0], &args[1], rows),
        Function::LessOrEqual => compare(Comparison::LessOrEqual, &args[0], &args[1], rows),
        Function::Greater => compare(Comparison::Greater, &args[0], &args[1], rows),
        Function::GreaterOrEqual => compare(Comparison::GreaterOrEqual, &args[0], &args[1], rows),
        Function::Greatest => extreme(args, true, rows),
        Function::Least => extreme(args, false, rows),
        Function::IsNaN => Ok(is_nan(&args[0])),
        Function::Not => logic::negate(&args[0]),
        Function::IsNull => logic::null_test(&args[0], true),
        Function::IsNotNull => logic::null_test(&args[0], false),
        Function::In => logic::is_in(args, rows),
        Function::And | Function::Or | Function::Coalesce => {
            unreachable!("branches that guard are evaluated by their node")
        }
        Function::Like => pattern::like(args, rows),
        Function::RLike => pattern::rlike(args, rows),
        Function::RegexpReplace => pattern::regexp_replace(args, rows),
        Function::Split => pattern::split(args, rows),
        Function::Upper => Ok(string::upper(&args[0])),
        Function::Lower => Ok(string::lower(&args[0])),
        Function::Length => Ok(string::length(&args[0])),
        Function::Concat => string::concat(args, out, rows),
        Function::ConcatWs => string::concat_ws(args, rows),
        Function::Trim => Ok(string::trim(&args[0], true, true)),
        Function::Ltrim => Ok(string::trim(&args[0], true, false)),
        Function::Rtrim => Ok(string::trim(&args[0], false, true)),
        Function::Substring => Ok(string::substring(args, rows)),
        Function::StartsWith => string::starts_with(args),
        Function::EndsWith => string::ends_with(args),
        Function::Contains => string::contains(args),
        Function::GetField => nested::get_field(args),
        Function::GetArrayField => nested::get_array_field(args, out),
        Function::WithPositions => nested::with_positions(&args[0], out),
        Function::ElementAt => nested::element_at(args, &types[0], out, rows),
        Function::GetItem => nested::get_item(args, &types[0], out, rows),
        Function::CreateStruct => nested::create_struct(args, out, rows),
        Function::CreateArray => nested::create_array(args, out, rows),
        Function::CreateMap => nested::create_map(args, out, rows),
        Function::Size => Ok(nested::size(&args[0])),
        Function::ArrayContains => nested::array_contains(args, rows),
        Function::SortArray => nested::sort_array(args),
        Function::CurrentTimestamp => Ok(datetime::current_timestamp(context)),
        Function::CurrentDate => Ok(datetime::current_date(context)),
        Function::ToDate => datetime::to_date(args, types, rows, context),
        Function::ToTimestamp => datetime::to_timestamp(args, types, out, rows, context),
        Function::UnixTimestamp => datetime::unix_timestamp(args, types, rows, context),
        Function::DateFormat => datetime::date_format(args, types, rows, context),
        Function::DateTrunc => Ok(datetime::date_trunc(args, types, rows, context)),
        Function::Year => Ok(datetime::part(datetime::Part::Year, &args[0], &types[0], context)),
        Function::Month => Ok(datetime::part(datetime::Part::Month, &args[0], &types[0], context)),
        Function::DayOfMonth => Ok(datetime::part(datetime::Part::Day, &args[0], &types[0], context)),
        Function::Hour => Ok(datetime::part(datetime::Part::Hour, &args[0], &types[0], context)),
        Function::Minute => Ok(datetime::part(datetime::Part::Minute, &args[0], &types[0], context)),
        Function::Second => Ok(datetime::part(datetime::Part::Second, &args[0], &types[0], context)),
        Function::InputFileName => Ok(math::input_file_name(context)),
        Function::MonotonicallyIncreasingId => Ok(math::monotonically_increasing_id(rows, context)),
        Function::Over => Err(unsupported("a function OVER a window of rows")),
        Function::Hash => murmur::hash(args, types, rows),
        Function::FromJson => json::from_json(args, out, rows, context),
        Function::ToJson => json::to_json(&args[0], &types[0], context),
        Function::Window => window::windows(args, out, rows),
        Function::WindowTime => window::window_time(&args[0]),
        Function::SessionWindow => window::session_windows(args, out, rows, context),
        Function::DateAdd => arithmetic(Operation::Add, args, types, out, rows, context),
        Function::AddMonths => interval::add_months(args, types, out, rows, context),
    }
}
