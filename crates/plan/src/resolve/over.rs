//! `function OVER (…)`: known by type and text, so that a stream can refuse it in Spark's words.

use tidemark_types::{DataType, SparkError};

use crate::error::not_supported;
use crate::expr::Expr;
use crate::literal::Literal;
use crate::resolve::aggregating::aggregate_function;
use crate::resolve::expression::Resolver;
use crate::resolve::typed::Typed;
use crate::scalar::{Function, Scalar};

/// The name of the call that stands for `OVER`.
const OVER: &str = "over";

impl Expr {
    /// `function OVER (PARTITION BY partitions ORDER BY orders)`; the orders are [`Expr::Sort`].
    pub fn over(self, partitions: Vec<Expr>, orders: Vec<Expr>) -> Expr {
        let args = [vec![self], partitions, orders].concat();
        Expr::call(OVER, args)
    }
}

impl Resolver<'_> {
    /// The function, what it reads, and the window that it looks at.
    ///
    /// Shape: the first argument of the call is the function as Spark names it where a stream refuses it.
    pub(super) fn over(&mut self, args: &[Expr]) -> Result<Typed, SparkError> {
        let Some((Expr::Call(call), window)) = args.split_first().map(|(f, rest)| (f.bare(), rest)) else {
            return Err(not_supported("OVER without a function"));
        };
        let name = call.name.to_ascii_lowercase();
        let mut own = match self.arguments(&call.args) {
            Ok(own) => own,
            Err(_) if matches!(call.args.as_slice(), [Expr::Star(_)]) => Vec::new(),
            Err(error) => return Err(error),
        };
        if matches!(name.as_str(), "lag" | "lead") {
            // The distance and what stands in, if they are left out.
            let left_out = [Literal::Integer(1), Literal::Null(DataType::Null)];
            let given = own.len().clamp(1, 3) - 1;
            own.extend(left_out.into_iter().skip(given).map(Typed::literal));
        }
        let Some((data_type, nullable)) = self.type_over(&name, &own)? else {
            return Err(not_supported(&format!("the function {name} OVER a window")));
        };
        let window = self.arguments(window)?;
        let texts = |parts: &[&Typed]| parts.iter().map(|p| p.text.clone()).collect::<Vec<_>>().join(", ");
        let is_order =
            |part: &&Typed| part.text.ends_with(" NULLS FIRST") || part.text.ends_with(" NULLS LAST");
        let (orders, partitions): (Vec<&Typed>, Vec<&Typed>) = window.iter().partition(is_order);
        let mut inside = Vec::new();
        if !partitions.is_empty() {
            inside.push(format!("PARTITION BY {}", texts(&partitions)));
        }
        if !orders.is_empty() {
            inside.push(format!("ORDER BY {}", texts(&orders)));
        }
        inside.push(match (name.as_str(), aggregate_function(&name), orders.is_empty()) {
            ("lag" | "lead", ..) => {
                let sign = if name == "lag" { "-" } else { "" };
                let row = format!("{sign}{} FOLLOWING", own[1].text);
                format!("ROWS BETWEEN {row} AND {row}")
            }
            (_, Some(_), false) => "RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW".to_owned(),
            (_, Some(_), true) => "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING".to_owned(),
            (_, None, _) => "ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW".to_owned(),
        });
        let own: Vec<&Typed> = own.iter().collect();
        let text = format!("{name}({}) OVER ({})", texts(&own), inside.join(" "));
        let function = format!("{name}({})", texts(&own)).to_uppercase();
        let reads = own.into_iter().chain(&window).map(|part| part.scalar.clone());
        let args = std::iter::once(Scalar::Literal(Literal::String(function))).chain(reads).collect();
        Ok(Typed::new(Scalar::Call { function: Function::Over, args, data_type, nullable }, text))
    }

    /// The type of a function over a window and whether it may be null, `None` if it is none.
    fn type_over(&mut self, name: &str, args: &[Typed]) -> Result<Option<(DataType, bool)>, SparkError> {
        if let Some(function) = aggregate_function(name) {
            let args =
                if args.is_empty() { vec![Typed::literal(Literal::Integer(1))] } else { args.to_vec() };
            return self
                .typed_arguments(name, function, name, args)
                .map(|(_, data_type, nullable)| Some((data_type, nullable)));
        }
        Ok(match name {
            "row_number" | "rank" | "dense_rank" | "ntile" => Some((DataType::Integer, false)),
            "percent_rank" | "cume_dist" => Some((DataType::Double, false)),
            "lag" | "lead" | "nth_value" => args.first().map(|value| (value.data_type(), true)),
            _ => None,
        })
    }
}
