//! The scalar functions with plain signatures, as one table.

use tidemark_types::DataType;

use crate::literal::Literal;
use crate::scalar::Function;

/// What a parameter takes; values of other types are cast where Spark casts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Any value as it is.
    Any,
    /// A string; simple values are cast to one.
    Text,
    /// A number; a string is read as a double.
    Number,
    /// `int`.
    Integer,
    /// `bigint`.
    Long,
    /// `double`.
    Double,
    /// `boolean`.
    Boolean,
    /// `date`.
    Date,
    /// `timestamp`.
    Timestamp,
    /// An array.
    Array,
    /// A map.
    Map,
    /// An array or a map.
    Collection,
    /// `binary`; a string is taken as its bytes.
    Binary,
}

/// The type of the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gives {
    /// Always this one.
    Type(DataType),
    /// That of the n-th argument.
    Argument(usize),
    /// The element of the first argument, an array.
    Element,
    /// An array of the map's keys or values.
    Keys,
    /// An array of the map's values.
    Values,
}

/// Whether the result may be null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nulls {
    /// If an argument may be.
    Arguments,
    /// Always.
    Always,
    /// Never.
    Never,
    /// If the first argument may be.
    First,
}

/// One function.
#[derive(Clone, Debug)]
pub struct Signature {
    /// The kernel.
    pub function: Function,
    /// The parameters; the last one repeats if `variadic`.
    pub takes: &'static [Takes],
    /// The fewest arguments.
    pub least: usize,
    /// Whether the last parameter repeats.
    pub variadic: bool,
    /// The type of the result.
    pub gives: Gives,
    /// Whether it may be null.
    pub nulls: Nulls,
    /// The name in texts, if not the name as called.
    pub shown: Option<&'static str>,
    /// Arguments that are added, and shown, where they are missing.
    pub defaults: Vec<Literal>,
}

fn plain(function: Function, takes: &'static [Takes], gives: DataType) -> Signature {
    Signature {
        function,
        takes,
        least: takes.len(),
        variadic: false,
        gives: Gives::Type(gives),
        nulls: Nulls::Arguments,
        shown: None,
        defaults: Vec::new(),
    }
}

impl Signature {
    fn nulls(mut self, nulls: Nulls) -> Self {
        self.nulls = nulls;
        self
    }

    fn shown(mut self, name: &'static str) -> Self {
        self.shown = Some(name);
        self
    }

    fn variadic(mut self, least: usize) -> Self {
        self.variadic = true;
        self.least = least;
        self
    }

    fn defaults(mut self, defaults: Vec<Literal>) -> Self {
        self.least = self.takes.len() - defaults.len();
        self.defaults = defaults;
        self
    }
}

/// The function of a name in lower case.
// tidy: table
pub fn signature(name: &str) -> Option<Signature> {
    use DataType as T;
    use Function as F;
    use Takes as P;
    Some(match name {
        "upper" | "ucase" => plain(F::Upper, &[P::Text], T::String),
        "lower" | "lcase" => plain(F::Lower, &[P::Text], T::String),
        "length" | "len" | "char_length" | "character_length" => plain(F::Length, &[P::Text], T::Integer),
        "trim" => plain(F::Trim, &[P::Text], T::String),
        "ltrim" => plain(F::Ltrim, &[P::Text], T::String),
        "rtrim" => plain(F::Rtrim, &[P::Text], T::String),
        "concat_ws" => plain(F::ConcatWs, &[P::Text, P::Any], T::String).variadic(1).nulls(Nulls::First),
        "substring" | "substr" => plain(F::Substring, &[P::Text, P::Integer, P::Integer], T::String)
            .defaults(vec![Literal::Integer(i32::MAX)]),
        "startswith" => plain(F::StartsWith, &[P::Text, P::Text], T::Boolean),
        "endswith" => plain(F::EndsWith, &[P::Text, P::Text], T::Boolean),
        "contains" => plain(F::Contains, &[P::Text, P::Text], T::Boolean),
        "regexp_replace" => plain(F::RegexpReplace, &[P::Text, P::Text, P::Text, P::Integer], T::String)
            .defaults(vec![Literal::Integer(1)]),
        "split" => plain(F::Split, &[P::Text, P::Text, P::Integer], T::Array(Box::new(T::String), false))
            .defaults(vec![Literal::Integer(-1)]),
        "isnan" => plain(F::IsNaN, &[P::Double], T::Boolean).nulls(Nulls::Never),
        "sqrt" => plain(F::Sqrt, &[P::Double], T::Double).nulls(Nulls::Always).shown("SQRT"),
        "year" => plain(F::Year, &[P::Timestamp], T::Integer),
        "month" => plain(F::Month, &[P::Timestamp], T::Integer),
        "day" | "dayofmonth" => plain(F::DayOfMonth, &[P::Timestamp], T::Integer),
        "hour" => plain(F::Hour, &[P::Timestamp], T::Integer),
        "minute" => plain(F::Minute, &[P::Timestamp], T::Integer),
        "second" => plain(F::Second, &[P::Timestamp], T::Integer),
        "date_format" => plain(F::DateFormat, &[P::Timestamp, P::Text], T::String),
        "date_trunc" => plain(F::DateTrunc, &[P::Text, P::Timestamp], T::Timestamp).nulls(Nulls::Always),
        "date_add" => plain(F::DateAdd, &[P::Date, P::Integer], T::Date),
        "add_months" => plain(F::AddMonths, &[P::Date, P::Integer], T::Date),
        "input_file_name" => plain(F::InputFileName, &[], T::String).nulls(Nulls::Never),
        "monotonically_increasing_id" => {
            plain(F::MonotonicallyIncreasingId, &[], T::Long).nulls(Nulls::Never)
        }
        "current_timestamp" | "now" => plain(F::CurrentTimestamp, &[], T::Timestamp).nulls(Nulls::Never),
        "current_date" | "curdate" => plain(F::CurrentDate, &[], T::Date).nulls(Nulls::Never),
        "hash" => plain(F::Hash, &[P::Any], T::Integer).variadic(1).nulls(Nulls::Never),
        _ => return None,
    })
}

/// The type that a function named like a type casts to: `int(x)`, `string(x)`.
// tidy: table
pub fn cast_function(name: &str) -> Option<DataType> {
    Some(match name {
        "boolean" => DataType::Boolean,
        "tinyint" => DataType::Byte,
        "smallint" => DataType::Short,
        "int" => DataType::Integer,
        "bigint" => DataType::Long,
        "float" => DataType::Float,
        "double" => DataType::Double,
        "decimal" => DataType::USER_DEFAULT_DECIMAL,
        "date" => DataType::Date,
        "timestamp" => DataType::Timestamp,
        "binary" => DataType::Binary,
        "string" => DataType::String,
        _ => return None,
    })
}
