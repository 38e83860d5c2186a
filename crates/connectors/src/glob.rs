//! Path patterns as Hadoop has them: `*`, `?`, `[a-c]`, `[^a]`, `{a,b}`, `\` before a letter that stands for itself.

use tidemark_world::{Entry, World};

/// Whether a path is a pattern.
pub fn is_pattern(path: &str) -> bool {
    path.contains(['{', '}', '[', ']', '*', '?', '\\'])
}

/// Whether a name fits a pattern without alternatives over several folders.
///
/// ```
/// use tidemark_connectors::glob::matches;
/// assert!(matches("*.json", "a.json"));
/// assert!(matches("part-[0-9]{a,b}?", "part-7bx"));
/// assert!(!matches("[^a]*", "abc"));
/// ```
pub fn matches(pattern: &str, name: &str) -> bool {
    let name: Vec<char> = name.chars().collect();
    alternatives(pattern).iter().any(|pattern| fits(&pattern.chars().collect::<Vec<_>>(), &name))
}

/// The absolute paths that an absolute pattern names, in the order of their names; a path without a pattern names
/// itself if something is there.
pub fn expand(world: &mut World, pattern: &str) -> Vec<String> {
    let mut out = Vec::new();
    for pattern in alternatives(pattern) {
        let mut found = vec![String::new()];
        let (lead, rest) = match pattern.strip_prefix('/') {
            Some(rest) => ("/", rest),
            None => ("", pattern.as_str()),
        };
        for (index, part) in rest.split('/').filter(|p| !p.is_empty()).enumerate() {
            let join = |folder: &str| {
                if index == 0 { format!("{lead}{part}") } else { format!("{folder}/{part}") }
            };
            found = if is_pattern(part) && index > 0 {
                found.iter().flat_map(|folder| named(world, folder, part)).collect()
            } else {
                found.iter().map(|folder| join(folder)).collect()
            };
        }
        out.extend(found.into_iter().filter(|path| world.exists(path)));
    }
    out.sort();
    out.dedup();
    out
}

fn named(world: &mut World, folder: &str, part: &str) -> Vec<String> {
    world
        .children(folder)
        .iter()
        .map(Entry::path)
        .filter(|path| path.rsplit('/').next().is_some_and(|name| matches(part, name)))
        .map(str::to_owned)
        .collect()
}

/// A pattern without `{a,b}` for each way to choose.
fn alternatives(pattern: &str) -> Vec<String> {
    let Some(open) = pattern.find('{') else { return vec![pattern.to_owned()] };
    let Some((body, rest)) = braces(&pattern[open + 1..]) else { return vec![pattern.to_owned()] };
    let head = &pattern[..open];
    body.iter().flat_map(|choice| alternatives(&format!("{head}{choice}{rest}"))).collect()
}

/// The choices up to the closing brace, and what follows it.
fn braces(text: &str) -> Option<(Vec<String>, &str)> {
    let (mut depth, mut choices, mut current) = (0, Vec::new(), String::new());
    for (at, letter) in text.char_indices() {
        match letter {
            '}' if depth == 0 => {
                choices.push(current);
                return Some((choices, &text[at + 1..]));
            }
            ',' if depth == 0 => choices.push(std::mem::take(&mut current)),
            other => {
                depth += i32::from(other == '{') - i32::from(other == '}');
                current.push(other);
            }
        }
    }
    None
}

fn fits(pattern: &[char], name: &[char]) -> bool {
    let Some((first, rest)) = pattern.split_first() else { return name.is_empty() };
    match first {
        '*' => (0..=name.len()).any(|taken| fits(rest, &name[taken..])),
        '?' => name.split_first().is_some_and(|(_, tail)| fits(rest, tail)),
        '\\' => match (rest.split_first(), name.split_first()) {
            (Some((wanted, rest)), Some((letter, tail))) => wanted == letter && fits(rest, tail),
            _ => false,
        },
        '[' => match (rest.iter().position(|c| *c == ']'), name.split_first()) {
            (Some(end), Some((letter, tail))) => {
                in_class(&rest[..end], *letter) && fits(&rest[end + 1..], tail)
            }
            _ => false,
        },
        wanted => name.split_first().is_some_and(|(letter, tail)| letter == wanted && fits(rest, tail)),
    }
}

fn in_class(class: &[char], letter: char) -> bool {
    let (negated, class) = match class.split_first() {
        Some(('^' | '!', rest)) => (true, rest),
        _ => (false, class),
    };
    let mut at = 0;
    let mut found = false;
    while at < class.len() {
        if at + 2 < class.len() && class[at + 1] == '-' {
            found |= (class[at]..=class[at + 2]).contains(&letter);
            at += 3;
        } else {
            found |= class[at] == letter;
            at += 1;
        }
    }
    found != negated
}

#[cfg(test)]
mod tests {
    use tidemark_types::SimTime;

    use super::*;

    #[test]
    fn patterns_name_what_is_there() {
        let mut world = World::new("/w", 0, SimTime(0));
        for path in ["/w/in/a.json", "/w/in/b.txt", "/w/in/d1/c.json", "/w/in/d2/e.json", "/w/x/f.json"] {
            world.drop_file(path, "x", SimTime(0));
        }
        let table: [(&str, &[&str]); 6] = [
            ("/w/in/*.json", &["/w/in/a.json"]),
            ("/w/in/d*", &["/w/in/d1", "/w/in/d2"]),
            ("/w/*/d[2-9]/*", &["/w/in/d2/e.json"]),
            ("/w/{x,in/d1}/*", &["/w/in/d1/c.json", "/w/x/f.json"]),
            ("/w/in", &["/w/in"]),
            ("/w/none/*", &[]),
        ];
        for (pattern, wanted) in table {
            assert_eq!(expand(&mut world, pattern), wanted, "{pattern}");
        }
    }
}
