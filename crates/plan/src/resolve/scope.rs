//! The columns that a name can mean.

use tidemark_types::SparkError;

use crate::attribute::Attribute;
use crate::error::{ambiguous_reference, unresolved_column};
use crate::name::{quote, quote_if_needed, same};

/// How many names an error proposes.
const PROPOSALS_MAX: usize = 5;

/// What a name means: a column, and the fields to take from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The column, under the name as written.
    pub attribute: Attribute,
    /// The names of fields, outermost first.
    pub fields: Vec<String>,
}

/// Looks a name up among the columns: first as qualifier and column, then as a column with fields.
pub fn lookup(
    parts: &[String],
    columns: &[Attribute],
    case_sensitive: bool,
) -> Result<Option<Found>, SparkError> {
    let is = |a: &str, b: &str| same(a, b, case_sensitive);
    // The longest qualifier first: `catalog.schema.table.column`.
    for taken in (1..parts.len().min(5)).rev() {
        let (qualifier, rest) = parts.split_at(taken);
        let matches = columns.iter().filter(|a| {
            a.qualifier.len() >= taken
                && a.qualifier[a.qualifier.len() - taken..].iter().zip(qualifier).all(|(x, y)| is(x, y))
                && is(&a.name, &rest[0])
        });
        if let Some(found) = one(parts, matches, &rest[0], &rest[1..])? {
            return Ok(Some(found));
        }
    }
    one(parts, columns.iter().filter(|a| is(&a.name, &parts[0])), &parts[0], &parts[1..])
}

fn one<'a>(
    parts: &[String],
    matches: impl Iterator<Item = &'a Attribute>,
    name: &str,
    fields: &[String],
) -> Result<Option<Found>, SparkError> {
    let mut found: Vec<&Attribute> = Vec::new();
    for attribute in matches {
        if !found.iter().any(|known| known.id == attribute.id) {
            found.push(attribute);
        }
    }
    match found.as_slice() {
        [] => Ok(None),
        [only] => Ok(Some(Found {
            attribute: Attribute { name: name.to_owned(), ..(*only).clone() },
            fields: fields.to_vec(),
        })),
        several => {
            let mut names: Vec<String> = several.iter().map(|a| quote(&qualified(a))).collect();
            names.sort();
            Err(ambiguous_reference(&quote(parts), &names))
        }
    }
}

fn qualified(attribute: &Attribute) -> Vec<String> {
    attribute.qualifier.iter().chain(std::iter::once(&attribute.name)).cloned().collect()
}

/// `UNRESOLVED_COLUMN`, with the names that are most like the one that was written.
pub fn unresolved(parts: &[String], columns: &[Attribute]) -> SparkError {
    unresolved_column(&quote(parts), &proposals(parts, columns))
}

/// The names most like `parts`, as Spark orders them: by edit distance, then by name.
fn proposals(parts: &[String], columns: &[Attribute]) -> Vec<String> {
    let mut candidates: Vec<Vec<String>> = columns.iter().map(qualified).collect();
    candidates.sort_by(|a, b| a.last().cmp(&b.last()));
    let alike = |drop: usize| {
        let head = |c: &Vec<String>| c[..c.len().saturating_sub(drop)].to_vec();
        candidates.windows(2).all(|w| head(&w[0]) == head(&w[1]))
    };
    let kept = if parts.len() == 1 && alike(1) {
        1
    } else if parts.len() <= 2 && alike(2) {
        2
    } else {
        usize::MAX
    };
    let base = quote_if_needed(parts);
    let mut texts: Vec<(usize, String)> = candidates
        .iter()
        .map(|c| {
            let text = quote(&c[c.len().saturating_sub(kept)..]);
            (edit_distance(&text, &base), text)
        })
        .collect();
    texts.sort_by_key(|(distance, _)| *distance);
    texts.into_iter().map(|(_, text)| text).take(PROPOSALS_MAX).collect()
}

/// How many characters must be put in, taken out or changed.
fn edit_distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in right.iter().enumerate() {
            let changed = diagonal + usize::from(a != *b);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}
