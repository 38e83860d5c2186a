//! Until when a row of one side of a join can still find a match, from the comparisons of times in the condition.

use tidemark_types::DataType;

use crate::attribute::Attribute;
use crate::literal::Literal;
use crate::scalar::{Function, Scalar};

/// A sum of times and spans: columns with their signs, and microseconds.
#[derive(Default)]
struct Linear {
    columns: Vec<(Attribute, i64)>,
    micros: i64,
}

impl Linear {
    fn add(&mut self, scalar: &Scalar, sign: i64) -> Option<()> {
        match scalar {
            Scalar::Column(column)
                if column.data_type == DataType::Timestamp || column.data_type.is_numeric() =>
            {
                self.columns.push((column.clone(), sign));
            }
            Scalar::Literal(Literal::DayTimeInterval(micros) | Literal::Timestamp(micros)) => {
                self.micros += sign * micros;
            }
            Scalar::Literal(literal) if literal.data_type().is_numeric() => {}
            Scalar::Call { function: Function::Add, args, .. } => {
                args.iter().try_for_each(|arg| self.add(arg, sign))?;
            }
            Scalar::Call { function: Function::Subtract, args, .. } => {
                self.add(args.first()?, sign)?;
                self.add(args.get(1)?, -sign)?;
            }
            Scalar::Call { function: Function::Negate, args, .. } => self.add(args.first()?, -sign)?,
            Scalar::Cast { child, to, .. }
                if to.is_numeric() || matches!(to, DataType::Timestamp | DataType::DayTimeInterval) =>
            {
                self.add(child, sign)?;
            }
            _ => return None,
        }
        Some(())
    }
}

/// A bound that no time is behind.
const LONG_AGO: i64 = i64::MIN / 4;

/// How far behind the watermark a time of `own` must be so that no later row of the other side can match: in
/// microseconds to be added to the watermark. One millisecond is left for safety where equal times match. Without a
/// `time`, any column of `own` may be the one that is bounded.
///
/// The least of several bounds is the one in force. A column that must be greater than a constant bounds as well, as
/// if it were a time: so far back that no row is ever over.
/// Source: Spark's `StreamingJoinHelper.getStateValueWatermark`; both oddities are recorded from Spark.
pub fn time_bound(
    part: &Scalar,
    own: &[Attribute],
    time: Option<&Attribute>,
    other: &[Attribute],
) -> Option<i64> {
    let Scalar::Call { function, args, .. } = part else { return None };
    // As `less - greater < 0`.
    let (less, greater, inclusive) = match function {
        Function::Less => (args.first()?, args.get(1)?, false),
        Function::LessOrEqual => (args.first()?, args.get(1)?, true),
        Function::Greater => (args.get(1)?, args.first()?, false),
        Function::GreaterOrEqual => (args.get(1)?, args.first()?, true),
        _ => return None,
    };
    let mut sum = Linear::default();
    sum.add(less, 1)?;
    sum.add(greater, -1)?;
    if let [(column, -1)] = sum.columns.as_slice() {
        return own.iter().any(|c| c.id == column.id).then_some(LONG_AGO);
    }
    let [(a, a_sign), (b, b_sign)] = sum.columns.as_slice() else { return None };
    let is_mine = |column: &Attribute| match time {
        Some(time) => column.id == time.id,
        None => own.iter().any(|c| c.id == column.id),
    };
    let (mine, theirs) = if is_mine(a) { ((a, *a_sign), (b, *b_sign)) } else { ((b, *b_sign), (a, *a_sign)) };
    let known = theirs.0.watermark_delay.is_some() && other.iter().any(|c| c.id == theirs.0.id);
    // `theirs - mine + micros < 0`: mine is later than theirs and the micros.
    let fits = is_mine(mine.0) && mine.1 == -1 && theirs.1 == 1 && known;
    fits.then_some(sum.micros - if inclusive { 1000 } else { 0 })
}
