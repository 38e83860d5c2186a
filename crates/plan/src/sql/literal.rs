//! Numbers and typed constants of SQL text.

use tidemark_types::lexer::parse_error;
use tidemark_types::timestamp::{parse_date, parse_timestamp, parse_timestamp_ntz};
use tidemark_types::{SparkError, Zone};

use crate::literal::Literal;

/// The constant of a number as written, `None` where it is out of range: `1`, `1L`, `1.5`, `1e3`, `1.5BD`.
pub(super) fn number(text: &str, negative: bool) -> Option<Literal> {
    let signed = format!("{}{text}", if negative { "-" } else { "" });
    let upper = signed.to_uppercase();
    let body = |suffix: usize| &upper[..upper.len() - suffix];
    let last = upper.chars().last()?;
    match last {
        'D' if upper.ends_with("BD") => decimal(body(2)),
        'L' => body(1).parse().ok().map(Literal::Long),
        'S' => body(1).parse().ok().map(Literal::Short),
        'Y' => body(1).parse().ok().map(Literal::Byte),
        'F' => body(1).parse().ok().map(Literal::Float),
        'D' => body(1).parse().ok().map(Literal::Double),
        _ if upper.contains('E') => upper.parse().ok().map(Literal::Double),
        _ if upper.contains('.') => decimal(&upper),
        _ => upper
            .parse()
            .map(Literal::Integer)
            .or_else(|_| upper.parse().map(Literal::Long))
            .ok()
            .or_else(|| decimal(&upper)),
    }
}

/// A decimal with just the digits that it needs.
pub(crate) fn decimal(text: &str) -> Option<Literal> {
    let (mantissa, exponent) = match text.split_once(['E', 'e']) {
        Some((m, e)) => (m, e.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let negative = mantissa.starts_with('-');
    let digits = mantissa.trim_start_matches(['-', '+']);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mut unscaled: i128 = format!("{whole}{fraction}").parse().ok()?;
    let mut scale = i32::try_from(fraction.len()).ok()? - exponent;
    if scale < 0 {
        unscaled = unscaled.checked_mul(10_i128.checked_pow(scale.unsigned_abs())?)?;
        scale = 0;
    }
    let length = unscaled.to_string().len() as i32;
    let precision = length.max(scale).max(1);
    let precision = if unscaled == 0 { scale.max(1) } else { precision };
    if precision > 38 {
        return None;
    }
    let value = if negative { -unscaled } else { unscaled };
    Some(Literal::Decimal(value, precision as u8, scale as i8))
}

/// `DATE 'text'` and its kin, at a byte of the SQL text.
pub(super) fn typed(
    sql: &str,
    zone: Zone,
    at: usize,
    end: usize,
    kind: &str,
    value: &str,
) -> Result<Literal, SparkError> {
    let found = match kind {
        "DATE" => parse_date(value).map(Literal::Date),
        "TIMESTAMP_NTZ" => parse_timestamp_ntz(value).map(Literal::TimestampNtz),
        "X" => hex(value).map(Literal::Binary),
        _ => parse_timestamp(value, zone, 0).map(Literal::Timestamp),
    };
    found.ok_or_else(|| {
        let name = if kind == "TIMESTAMP_LTZ" { "TIMESTAMP" } else { kind };
        let error = parse_error(
            sql,
            at,
            "INVALID_TYPED_LITERAL",
            "42604",
            format!("The value of the typed literal \"{name}\" is invalid: '{value}'."),
        );
        error.with_context(fragment(sql, at, end))
    })
}

/// The part of a text that an error is about, as Spark shows it.
pub(super) fn fragment(sql: &str, start: usize, end: usize) -> String {
    let (line, pos) = tidemark_types::lexer::line_and_pos(sql, start);
    let first = sql.lines().nth(line as usize - 1).unwrap_or(sql);
    let width = sql[start..end.max(start)].chars().count().max(1);
    format!(
        "\n== SQL (line {line}, position {}) ==\n{first}\n{}{}",
        pos + 1,
        " ".repeat(pos as usize),
        "^".repeat(width)
    )
}

fn hex(text: &str) -> Option<Vec<u8>> {
    let padded = if text.len() % 2 == 1 { format!("0{text}") } else { text.to_owned() };
    let digits: Vec<u32> = padded.chars().map(|c| c.to_digit(16)).collect::<Option<_>>()?;
    Some(digits.chunks(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect())
}
