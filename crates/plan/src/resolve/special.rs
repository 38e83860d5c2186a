//! Functions whose types or texts follow rules of their own.

use tidemark_types::{DataType, SparkError, StructField, StructType};

use crate::error::{
    analysis, data_differ, not_ordered, not_supported, type_mismatch, unexpected_type, wrong_num_args,
};
use crate::expr::Expr;
use crate::interval::{Interval, parse_duration};
use crate::literal::Literal;
use crate::resolve::call::{call_text, check_count, take};
use crate::resolve::coerce::{cast_to, is_orderable, tightest_all, wider_all};
use crate::resolve::expression::Resolver;
use crate::resolve::function::Takes;
use crate::resolve::operator;
use crate::resolve::typed::{Typed, watermark_delay};
use crate::scalar::{Function, Scalar};

impl Resolver<'_> {
    /// The function of this name if it is one with rules of its own.
    // tidy: table
    pub(crate) fn special(&mut self, name: &str, args: &[Expr]) -> Option<Result<Typed, SparkError>> {
        Some(match name {
            "if" => self.if_function(args),
            "coalesce" => self.coalesce(name, args, "> 0"),
            "nvl" | "ifnull" => self.two_or(name, args, Self::coalesce),
            "nvl2" => self.nvl2(args),
            "nullif" => self.nullif(args),
            "greatest" | "least" => self.extreme(name, args),
            "concat" | "||" => self.concat(args),
            "struct" => self.create_struct(args),
            "named_struct" => self.named_struct(args),
            "array" => self.create_array(args),
            "map" => self.create_map(args),
            "size" | "cardinality" => self.size(name, args),
            "array_contains" => self.array_contains(args),
            "sort_array" => self.sort_array(args),
            "element_at" => self.element_at(args),
            "abs" => self.abs(args),
            "round" => self.round(args),
            "floor" | "ceil" | "ceiling" => self.floor(name, args),
            "to_date" | "to_timestamp" => self.to_time(name, args),
            "timestamp_seconds" => self.timestamp_seconds(args),
            "unix_timestamp" | "to_unix_timestamp" => self.unix_timestamp(name, args),
            "date_sub" => self.date_sub(args),
            "datediff" | "date_diff" => Err(not_supported("the function datediff")),
            "from_json" => self.from_json(args),
            "to_json" => self.to_json(args),
            "extract" | "date_part" | "datepart" => self.date_part(name, args),
            "window" => self.window(args),
            "window_time" => self.window_time(args),
            "session_window" => self.session_window(args),
            "over" => self.over(args),
            name if crate::sql::MARKS.contains(&name) => Err(not_supported("a subquery in such a place")),
            "explode" | "explode_outer" | "posexplode" | "posexplode_outer" | "inline" | "inline_outer"
            | "stack" => self.nested_generator(name, args),
            _ => return None,
        })
    }

    fn if_function(&mut self, args: &[Expr]) -> Result<Typed, SparkError> {
        let mut args = self.arguments(args)?;
        check_count("if", &args, "3", 3, 3)?;
        let text = format!("(IF({}, {}, {}))", args[0].text, args[1].text, args[2].text);
        let otherwise = args.remove(2);
        let value = args.remove(1);
        self.case_of(text, "if", vec![(args.remove(0), value)], Some(otherwise))
    }

    fn coalesce(&mut self, name: &str, args: &[Expr], expected: &str) -> Result<Typed, SparkError> {
        let args = self.arguments(args)?;
        if args.is_empty() {
            return Err(wrong_num_args(name, expected, 0));
        }
        let text = call_text(name, &args);
        let types: Vec<DataType> = args.iter().map(Typed::data_type).collect();
        let Some(both) = wider_all(&types) else { return Err(data_differ(&text, "coalesce", &types)) };
        let args: Vec<Scalar> = args.into_iter().map(|a| cast_to(a.scalar, &both)).collect();
        let nullable = args.iter().all(Scalar::nullable);
        Ok(Typed::new(Scalar::Call { function: Function::Coalesce, args, data_type: both, nullable }, text))
    }

    fn two_or(
        &mut self,
        name: &str,
        args: &[Expr],
        then: fn(&mut Self, &str, &[Expr], &str) -> Result<Typed, SparkError>,
    ) -> Result<Typed, SparkError> {
        if args.len() == 2 { then(self, name, args, "2") } else { Err(wrong_num_args(name, "2", args.len())) }
    }

    fn nvl2(&mut self, args: &[Expr]) -> Result<Typed, SparkError> {
        let mut args = self.arguments(args)?;
        check_count("nvl2", &args, "3", 3, 3)?;
        let text = call_text("nvl2", &args);
        let otherwise = args.remove(2);
        let value = args.remove(1);
        let test = Scalar::Call {
            function: Function::IsNotNull,
            args: vec![args.remove(0).scalar],
            data_type: DataType::Boolean,
            nullable: false,
        };
        self.case_of(text, "if", vec![(Typed::new(test, ""), value)], Some(otherwise))
    }

    fn nullif(&mut self, args: &[Expr]) -> Result<Typed, SparkError> {
        let args = self.arguments(args)?;
        check_count("nullif", &args, "2", 2, 2)?;
        let text = call_text("nullif", &args);
        let equal = operator::comparison("=", args[0].clone(), args[1].clone())?;
        let null = Typed::literal(Literal::Null(args[0].data_type()));
        self.case_of(text, "if", vec![(equal, null)], Some(args[0].clone()))
    }

    fn extreme(&mut self, name: &str, args: &[Expr]) -> Result<Typed, SparkError> {
        let args = self.arguments(args)?;
        if args.len() < 2 {
            return Err(wrong_num_args(name, "> 1", args.len()));
        }
        let text = call_text(name, &args);
        let types: Vec<DataType> = args.iter().map(Typed::data_type).collect();
        let Some(both) = tightest_all(&types) else { return Err(data_differ(&text, name, &types)) };
        if !is_orderable(&both) {
            return Err(not_ordered(&text, name, &both));
        }
        let function = if name == "greatest" { Function::Greatest } else { Function::Least };
        let args: Vec<Scalar> = args.into_iter().map(|a| cast_to(a.scalar, &both)).collect();
        let nullable = args.iter().all(Scalar::nullable);
        Ok(Typed::new(Scalar::Call { function, args, data_type: both, nullable }, text))
    }

    fn concat(&mut self, args: &[Expr]) -> Result<Typed, SparkError> {
        let args = self.arguments(args)?;
        let text = call_text("concat", &args);
        if args.iter().any(|a| matches!(a.data_type(), DataType::Array(..))) {
            return Err(not_supported("concat of arrays"));
        }
        let mut texts = Vec::with_capacity(args.len());
        for (index, arg) in args.iter().enumerate() {
            texts.push(take(&text, index, Takes::Text, arg)?);
        }
        Ok(Typed::call(Function::Concat, texts, DataType::String, text))
    }

    /// `struct(a, b AS c, d + 1)`: fields without a name are `col<n>`.
    fn create_struct(&mut self, args: &[Expr]) -> Result<Typed, SparkError> {
        let args = self.arguments(args)?;
        let text = call_text("struct", &args);
        let fields = args.iter().enumerate().map(|(index, arg)| {
            let name = arg.name.clone().unwrap_or_else(|| format!("col{}", index + 1));
            StructField::new(name, arg.data_type(), arg.scalar.nullable())
        });
        let schema = StructType::new(fields.collect());
        Ok(struct_of(schema, args.into_iter().map(|a| a.scalar).collect(), text))
    }

    fn named_struct(&mut self, args: &[Expr]) -> Result<Typed, SparkError> {
        let args = self.arguments(args)?;
        if args.is_empty() || args.len() % 2 == 1 {
            return Err(wrong_num_args("named_struct", "2n (n > 0)", args.len()));
        }
        let text = call_text("named_struct", &args);
        let mut fields = Vec::new();
        let mut values = Vec::new();
        for pair in args.chunks(2) {
            let Scalar::Literal(Literal::String(name)) = &pair[0].scalar else {
                return Err(type_mismatch(
                    &text,
                    "CREATE_NAMED_STRUCT_WITHOUT_FOLDABLE_STRING",
                    &format!(
                        "Only foldable `STRING` expressions are allowed to appear at odd position, but they are [\"{}\"].",
                        pair[0].text
                    ),
                ));
            };
            fields.push(StructField::new(name, pair[1].data_type(), pair[1].scalar.nullable()));
            values.push(pair[1].scalar.clone());
        }
        Ok(struct_of(StructType::new(fields), values, text))
    }

    fn create_array(&mut self, args: &[Expr]) -> Result<Typed, SparkError> {
        let args = self.arguments(args)?;
        let text = call_text("array", &args);
        let types: Vec<DataType> = args.iter().map(Typed::data_type).collect();
        let Some(both) = wider_all(&types) else { return Err(data_differ(&text, "array", &types)) };
        let args: Vec<Scalar> = args.into_iter().map(|a| cast_to(a.scalar, &both)).collect();
        let nulls = args.iter().any(Scalar::nullable);
        let data_type = DataType::Array(Box::new(both), nulls);
        Ok(Typed::new(
            Scalar::Call { function: Function::CreateArray, args, data_type, nullable: false },
            text,
        ))
    }

    fn create_map(&mut self, args: &[Expr]) -> Result<Typed, SparkError> {
        let args = self.arguments(args)?;
        if args.len() % 2 == 1 {
            return Err(wrong_num_args("map", "2n (n > 0)", args.len()));
        }
        let text = call_text("map", &args);
        let types = |from: usize| args.iter().skip(from).step_by(2).map(Typed::data_type).collect::<Vec<_>>();
        let (keys, values) = (types(0), types(1));
        let differ = |condition: &str, what: &str, types: &[DataType]| {
            let list: Vec<String> = types.iter().map(|t| format!("\"{}\"", t.sql())).collect();
            type_mismatch(
                &text,
                condition,
                &format!(
                    "The given {what} of function `map` should all be the same type, but they are [{}].",
                    list.join(", ")
                ),
            )
        };
        let Some(key) = wider_all(&keys) else {
            return Err(differ("CREATE_MAP_KEY_DIFF_TYPES", "keys", &keys));
        };
        let Some(value) = wider_all(&values) else {
            return Err(differ("CREATE_MAP_VALUE_DIFF_TYPES", "values", &values));
        };
        let nulls = args.iter().skip(1).step_by(2).any(|a| a.scalar.nullable());
        let args = args
            .into_iter()
            .enumerate()
            .map(|(i, a)| cast_to(a.scalar, if i % 2 == 0 { &key } else { &value }));
        let args = args.collect();
        let data_type = DataType::Map(Box::new(key), Box::new(value), nulls);
        Ok(Typed::new(Scalar::Call { function: Function::CreateMap, args, data_type, nullable: false }, text))
    }

    fn size(&mut self, name: &str, args: &[Expr]) -> Result<Typed, SparkError> {
        let args = self.arguments(args)?;
        check_count(name, &args, "1", 1, 1)?;
        let text = call_text(name, &args);
        let value = take(&text, 0, Takes::Collection, &args[0])?;
        Ok(Typed::call(Function::Size, vec![value], DataType::Integer, text))
    }

    fn array_contains(&mut self, args: &[Expr]) -> Result<Typed, SparkError> {
        let args = self.arguments(args)?;
        check_count("array_contains", &args, "2", 2, 2)?;
        let text = call_text("array_contains", &args);
        let (array, value) = (args[0].data_type(), args[1].data_type());
        let both = match &array {
            DataType::Array(element, _) => crate::resolve::coerce::tightest(element, &value),
            _ => None,
        };
        let (DataType::Array(_, nulls), Some(both)) = (&array, both) else {
            return Err(type_mismatch(
                &text,
                "ARRAY_FUNCTION_DIFF_TYPES",
                &format!(
                    "Input to `array_contains` should have been \"ARRAY\" followed by a value with same element type, but it's [\"{}\", \"{}\"].",
                    array.sql(),
                    value.sql()
                ),
            ));
        };
        let wanted = DataType::Array(Box::new(both.clone()), *nulls);
        let cast = vec![cast_to(args[0].scalar.clone(), &wanted), cast_to(args[1].scalar.clone(), &both)];
        let nullable = *nulls || cast.iter().any(Scalar::nullable);
        let function = Function::ArrayContains;
        Ok(Typed::new(Scalar::Call { function, args: cast, data_type: DataType::Boolean, nullable }, text))
    }

    fn sort_array(&mut self, args: &[Expr]) -> Result<Typed, SparkError> {
        let mut args = self.arguments(args)?;
        check_count("sort_array", &args, "[1, 2]", 1, 2)?;
        if args.len() == 1 {
            args.push(Typed::literal(Literal::Boolean(true)));
        }
        let text = call_text("sort_array", &args);
        let data_type = args[0].data_type();
        if !matches!(&data_type, DataType::Array(element, _) if is_orderable(element)) {
            return Err(unexpected_type(&text, 0, "\"ARRAY\"", &args[0].text, &data_type));
        }
        let nullable = args[0].scalar.nullable();
        let args: Vec<Scalar> = args.into_iter().map(|arg| arg.scalar).collect();
        Ok(Typed::new(Scalar::Call { function: Function::SortArray, args, data_type, nullable }, text))
    }

    fn element_at(&mut self, args: &[Expr]) -> Result<Typed, SparkError> {
        let args = self.arguments(args)?;
        check_count("element_at", &args, "2", 2, 2)?;
        let text = call_text("element_at", &args);
        let (key, data_type) = match args[0].data_type() {
            DataType::Array(element, _) => (take(&text, 1, Takes::Integer, &args[1])?, *element),
            DataType::Map(key, value, _) => (cast_to(args[1].scalar.clone(), &key), *value),
            other => return Err(unexpected_type(&text, 0, "(\"ARRAY\" or \"MAP\")", &args[0].text, &other)),
        };
        let args = vec![args[0].scalar.clone(), key];
        Ok(Typed::new(Scalar::Call { function: Function::ElementAt, args, data_type, nullable: true }, text))
    }

    fn abs(&mut self, args: &[Expr]) -> Result<Typed, SparkError> {
        let args = self.arguments(args)?;
        check_count("abs", &args, "1", 1, 1)?;
        let text = call_text("abs", &args);
        let value = match args[0].data_type() {
            DataType::String | DataType::Null => cast_to(args[0].scalar.clone(), &DataType::Double),
            t if t.is_numeric() => args[0].scalar.clone(),
            t => {
                let required = "(\"NUMERIC\" or \"INTERVAL DAY TO SECOND\" or \"INTERVAL YEAR TO MONTH\")";
                return Err(unexpected_type(&text, 0, required, &args[0].text, &t));
            }
        };
        let data_type = value.data_type();
        Ok(Typed::call(Function::Abs, vec![value], data_type, text))
    }

    fn round(&mut self, args: &[Expr]) -> Result<Typed, SparkError> {
        let mut args = self.arguments(args)?;
        check_count("round", &args, "[1, 2]", 1, 2)?;
        if args.len() == 1 {
            args.push(Typed::literal(Literal::Integer(0)));
        }
        let text = call_text("round", &args);
        let value = take(&text, 0, Takes::Number, &args[0])?;
        let scale = take(&text, 1, Takes::Integer, &args[1])?;
        let Scalar::Literal(Literal::Integer(digits)) = scale else {
            return Err(type_mismatch(
                &text,
                "NON_FOLDABLE_INPUT",
                &format!(
                    "the input `scale` should be a foldable \"INT\" expression; however, got \"{}\".",
                    args[1].text
                ),
            ));
        };
        let data_type = match value.data_type() {
            DataType::Decimal(p, s) => {
                let whole = i32::from(p) - i32::from(s) + 1;
                if digits < 0 {
                    let p = whole.max(-digits + 1).min(38);
                    DataType::Decimal(p as u8, 0)
                } else {
                    let kept = i32::from(s).min(digits);
                    DataType::Decimal((whole + kept).min(38) as u8, kept as i8)
                }
            }
            other => other,
        };
        let args = vec![value, scale];
        Ok(Typed::new(Scalar::Call { function: Function::Round, args, data_type, nullable: true }, text))
    }

    fn floor(&mut self, name: &str, args: &[Expr]) -> Result<Typed, SparkError> {
        let args = self.arguments(args)?;
        if args.len() == 2 {
            return Err(not_supported(&format!("{name} with a scale")));
        }
        check_count(name, &args, "[1, 2]", 1, 2)?;
        let shown = if name == "ceiling" { name.to_owned() } else { name.to_uppercase() };
        let text = call_text(&shown, &args);
        let value = take(&text, 0, Takes::Number, &args[0])?;
        let data_type = match value.data_type() {
            DataType::Decimal(p, s) if s > 0 => {
                DataType::Decimal((i32::from(p) - i32::from(s) + 1).clamp(1, 38) as u8, 0)
            }
            DataType::Decimal(p, s) => DataType::Decimal(p, s),
            _ => DataType::Long,
        };
        let function = if name == "floor" { Function::Floor } else { Function::Ceil };
        Ok(Typed::new(Scalar::Call { function, args: vec![value], data_type, nullable: true }, text))
    }

    fn to_time(&mut self, name: &str, args: &[Expr]) -> Result<Typed, SparkError> {
        let args = self.arguments(args)?;
        check_count(name, &args, "[1, 2]", 1, 2)?;
        let text = call_text(name, &args);
        let to = if name == "to_date" { DataType::Date } else { DataType::Timestamp };
        if args.len() == 1 || args[0].data_type() != DataType::String {
            let cast = self.cast_typed(&args[0], &to)?;
            return Ok(Typed::new(cast.scalar, text));
        }
        let function = if name == "to_date" { Function::ToDate } else { Function::ToTimestamp };
        let both = vec![args[0].scalar.clone(), take(&text, 1, Takes::Text, &args[1])?];
        Ok(Typed::call(function, both, to, text))
    }

    /// A number of seconds since 1970 as a time.
    fn timestamp_seconds(&mut self, args: &[Expr]) -> Result<Typed, SparkError> {
        let args = self.arguments(args)?;
        check_count("timestamp_seconds", &args, "1", 1, 1)?;
        let text = call_text("timestamp_seconds", &args);
        if !args[0].data_type().is_numeric() {
            return Err(unexpected_type(&text, 0, "\"NUMERIC\"", &args[0].text, &args[0].data_type()));
        }
        let cast = self.cast_typed(&args[0], &DataType::Timestamp)?;
        Ok(Typed::new(cast.scalar, text))
    }

    fn unix_timestamp(&mut self, name: &str, args: &[Expr]) -> Result<Typed, SparkError> {
        let mut args = self.arguments(args)?;
        check_count(name, &args, "[0, 1, 2]", 0, 2)?;
        if args.is_empty() {
            args.push(self.call(&crate::expr::Call {
                name: "current_timestamp".to_owned(),
                args: Vec::new(),
                distinct: false,
                filter: None,
            })?);
        }
        let defaulted = args.len() == 1;
        if defaulted {
            args.push(Typed::literal(Literal::String("yyyy-MM-dd HH:mm:ss".to_owned())));
        }
        let text = call_text(name, &args);
        let at = match args[0].data_type() {
            DataType::String if defaulted => cast_to(args[0].scalar.clone(), &DataType::Timestamp),
            DataType::String => {
                let format = take(&text, 1, Takes::Text, &args[1])?;
                Typed::call(
                    Function::ToTimestamp,
                    vec![args[0].scalar.clone(), format],
                    DataType::Timestamp,
                    "",
                )
                .scalar
            }
            _ => take(&text, 0, Takes::Timestamp, &args[0])?,
        };
        Ok(Typed::call(Function::UnixTimestamp, vec![at], DataType::Long, text))
    }

    fn date_sub(&mut self, args: &[Expr]) -> Result<Typed, SparkError> {
        let args = self.arguments(args)?;
        check_count("date_sub", &args, "2", 2, 2)?;
        let text = call_text("date_sub", &args);
        let date = take(&text, 0, Takes::Date, &args[0])?;
        let days = take(&text, 1, Takes::Integer, &args[1])?;
        let days = Typed::call(Function::Negate, vec![days], DataType::Integer, "").scalar;
        Ok(Typed::call(Function::DateAdd, vec![date, days], DataType::Date, text))
    }

    fn from_json(&mut self, args: &[Expr]) -> Result<Typed, SparkError> {
        let args = self.arguments(args)?;
        check_count("from_json", &args, "[2, 3]", 2, 3)?;
        let text = format!("from_json({})", args[0].text);
        let parsed = match &args[1].scalar {
            Scalar::Literal(Literal::String(schema)) => match DataType::from_json(schema) {
                Ok(data_type) => data_type,
                Err(_) => DataType::from_python_ddl(schema).map_err(|_| schema_error(schema))?,
            },
            // A schema that is known already travels as the type of a null.
            Scalar::Literal(Literal::Null(schema)) if *schema != DataType::Null => schema.clone(),
            _ => {
                return Err(analysis(
                    "INVALID_SCHEMA.NON_STRING_LITERAL",
                    "42K07",
                    format!(
                        "The input schema \"{}\" is not a valid schema string. The input expression must be string literal and not null.",
                        args[1].text
                    ),
                ));
            }
        };
        if args[0].data_type() != DataType::String && args[0].data_type() != DataType::Null {
            return Err(unexpected_type(&text, 0, "\"STRING\"", &args[0].text, &args[0].data_type()));
        }
        let value = vec![cast_to(args[0].scalar.clone(), &DataType::String)];
        let data_type = nullable_type(&parsed);
        Ok(Typed::new(
            Scalar::Call { function: Function::FromJson, args: value, data_type, nullable: true },
            text,
        ))
    }

    fn to_json(&mut self, args: &[Expr]) -> Result<Typed, SparkError> {
        let args = self.arguments(args)?;
        check_count("to_json", &args, "[1, 2]", 1, 2)?;
        let text = call_text("to_json", &args[..1]);
        match args[0].data_type() {
            DataType::Struct(_) | DataType::Array(..) | DataType::Map(..) => {}
            other => {
                return Err(type_mismatch(
                    &text,
                    "INVALID_JSON_SCHEMA",
                    &format!(
                        "Input schema \"{}\" must be a struct, an array, a map or a variant.",
                        other.sql()
                    ),
                ));
            }
        }
        let value = vec![args[0].scalar.clone()];
        Ok(Typed::new(
            Scalar::Call {
                function: Function::ToJson,
                args: value,
                data_type: DataType::String,
                nullable: true,
            },
            text,
        ))
    }

    /// `window(time, size[, slide[, start]])`: a column of its own below the operator.
    fn window(&mut self, args: &[Expr]) -> Result<Typed, SparkError> {
        let args = self.arguments(args)?;
        check_count("window", &args, "[2, 3, 4]", 2, 4)?;
        let size = self.duration(&args[1])?;
        let slide = args.get(2).map_or(Ok(size), |a| self.duration(a))?;
        let start = args.get(3).map_or(Ok(0), |a| self.duration(a))?;
        let text = format!("window({}, {size}, {slide}, {start})", args[0].text);
        let (time, delay) = self.window_input(&text, &args[0])?;
        check_window(&text, size, slide, start)?;
        let data_type = window_type(time.data_type());
        let sliding = size != slide;
        let literal = |v: i64| Scalar::Literal(Literal::Long(v));
        let called =
            if sliding { DataType::Array(Box::new(data_type.clone()), false) } else { data_type.clone() };
        let scalar = Scalar::Call {
            function: Function::Window,
            args: vec![time, literal(size), literal(slide), literal(start)],
            data_type: called,
            nullable: false,
        };
        self.window_column("window", scalar, data_type, sliding, delay)
    }

    /// The time of a window: a timestamp, or the time that stands for another window.
    pub(super) fn window_input(
        &mut self,
        text: &str,
        time: &Typed,
    ) -> Result<(Scalar, Option<i64>), SparkError> {
        let delay = watermark_delay(&time.scalar);
        Ok(match time.data_type() {
            DataType::Timestamp | DataType::TimestampNtz => (time.scalar.clone(), delay),
            DataType::String | DataType::Date => (cast_to(time.scalar.clone(), &DataType::Timestamp), None),
            t if is_window_type(&t) => (time_of_window(time.scalar.clone()), delay),
            other => {
                let required = "(\"(TIMESTAMP OR TIMESTAMP WITHOUT TIME ZONE)\" or \"STRUCT<start: TIMESTAMP, end: TIMESTAMP>\" or \"STRUCT<start: TIMESTAMP_NTZ, end: TIMESTAMP_NTZ>\")";
                return Err(unexpected_type(text, 0, required, &time.text, &other));
            }
        })
    }

    fn duration(&mut self, arg: &Typed) -> Result<i64, SparkError> {
        let interval = match &arg.scalar {
            Scalar::Literal(Literal::String(text)) => parse_duration(text)?,
            Scalar::Literal(Literal::DayTimeInterval(micros)) => {
                Interval { months: 0, days: 0, micros: *micros }
            }
            Scalar::Literal(Literal::Long(micros)) => Interval { months: 0, days: 0, micros: *micros },
            Scalar::Literal(Literal::Integer(micros)) => {
                Interval { months: 0, days: 0, micros: i64::from(*micros) }
            }
            _ => return Err(not_supported("a window whose duration is no constant")),
        };
        if interval.months != 0 {
            return Err(SparkError::new(
                tidemark_types::ErrorClass::IllegalArgument,
                "_LEGACY_ERROR_TEMP_3231",
                "",
                format!("Intervals greater than a month is not supported ({}).", arg.text),
            ));
        }
        Ok(interval.total_micros())
    }

    /// `window_time(window)`: the end less a microsecond.
    fn window_time(&mut self, args: &[Expr]) -> Result<Typed, SparkError> {
        let args = self.arguments(args)?;
        check_count("window_time", &args, "1", 1, 1)?;
        let text = call_text("window_time", &args);
        if !is_window_type(&args[0].data_type()) {
            return Err(unexpected_type(&text, 0, "\"STRUCT\"", &args[0].text, &args[0].data_type()));
        }
        let mut typed = Typed::new(time_of_window(args[0].scalar.clone()), text);
        typed.name = Some(typed.text.clone());
        Ok(typed)
    }

    /// A generator inside an expression: the select list says so, with the text of the whole item.
    fn nested_generator(&mut self, name: &str, args: &[Expr]) -> Result<Typed, SparkError> {
        if name == "stack" {
            return Err(not_supported(&format!("the generator {name}")));
        }
        let args = self.arguments(args)?;
        self.nested_generator = true;
        let element = match args.first().map(Typed::data_type) {
            Some(DataType::Array(element, _)) => *element,
            _ => DataType::Null,
        };
        Ok(Typed::new(Scalar::Literal(Literal::Null(element)), call_text(name, &args)))
    }

    /// `extract(FIELD FROM source)` and `date_part('field', source)`.
    fn date_part(&mut self, name: &str, args: &[Expr]) -> Result<Typed, SparkError> {
        let args = self.arguments(args)?;
        check_count(name, &args, "2", 2, 2)?;
        let field = args[0].text.to_lowercase();
        let function = match field.as_str() {
            "year" | "years" | "y" | "yr" => Function::Year,
            "month" | "months" | "mon" => Function::Month,
            "day" | "days" | "d" => Function::DayOfMonth,
            "hour" | "hours" | "h" => Function::Hour,
            "minute" | "minutes" | "min" | "m" => Function::Minute,
            other => return Err(not_supported(&format!("{name} of {other}"))),
        };
        let text = if name == "extract" {
            format!("extract({} FROM {})", args[0].text, args[1].text)
        } else {
            call_text(name, &args)
        };
        let at = take(&text, 1, Takes::Timestamp, &args[1])?;
        Ok(Typed::call(function, vec![at], DataType::Integer, text))
    }
}

/// `struct<start,end>` of two times.
pub(crate) fn window_type(time: DataType) -> DataType {
    DataType::Struct(StructType::new(vec![
        StructField::new("start", time.clone(), true),
        StructField::new("end", time, true),
    ]))
}

/// Whether the type is that of a window.
pub(crate) fn is_window_type(data_type: &DataType) -> bool {
    [DataType::Timestamp, DataType::TimestampNtz].iter().any(|t| *data_type == window_type(t.clone()))
}

fn time_of_window(window: Scalar) -> Scalar {
    let data_type = match window.data_type() {
        DataType::Struct(schema) => schema.fields[1].data_type.clone(),
        other => other,
    };
    let nullable = window.nullable();
    Scalar::Call { function: Function::WindowTime, args: vec![window], data_type, nullable }
}

fn check_window(text: &str, size: i64, slide: i64, start: i64) -> Result<(), SparkError> {
    for (name, value) in [("window_duration", size), ("slide_duration", slide)] {
        if value <= 0 {
            return Err(type_mismatch(
                text,
                "VALUE_OUT_OF_RANGE",
                &format!("The `{name}` must be between (0, 9223372036854775807] (current value = {value}L)."),
            ));
        }
    }
    let violated = |left: &str, left_value: i64, constraint: &str, right: &str, right_value: i64| {
        type_mismatch(
            text,
            "PARAMETER_CONSTRAINT_VIOLATION",
            &format!("The `{left}`({left_value}L) must be {constraint} the `{right}`({right_value}L)."),
        )
    };
    if slide > size {
        return Err(violated("slide_duration", slide, "<=", "window_duration", size));
    }
    if start.abs() >= slide {
        return Err(violated("abs(start_time)", start.abs(), "<", "slide_duration", slide));
    }
    Ok(())
}

fn struct_of(schema: StructType, values: Vec<Scalar>, text: String) -> Typed {
    let data_type = DataType::Struct(schema);
    Typed::new(
        Scalar::Call { function: Function::CreateStruct, args: values, data_type, nullable: false },
        text,
    )
}

/// What parsing gives: any part of it may be null.
fn nullable_type(data_type: &DataType) -> DataType {
    match data_type {
        DataType::Struct(schema) => DataType::Struct(StructType::new(
            schema
                .fields
                .iter()
                .map(|f| StructField::new(&f.name, nullable_type(&f.data_type), true))
                .collect(),
        )),
        DataType::Array(element, _) => DataType::Array(Box::new(nullable_type(element)), true),
        DataType::Map(key, value, _) => DataType::Map(key.clone(), Box::new(nullable_type(value)), true),
        other => other.clone(),
    }
}

fn schema_error(schema: &str) -> SparkError {
    match DataType::from_ddl(schema) {
        Err(error) if error.condition.0 == "UNSUPPORTED_DATATYPE" => {
            SparkError { class: tidemark_types::ErrorClass::Analysis, context: String::new(), ..error }
        }
        Err(error) => error,
        Ok(_) => analysis(
            "INVALID_SCHEMA.PARSE_ERROR",
            "42K07",
            format!("The input schema \"{schema}\" is not a valid schema string."),
        ),
    }
}
