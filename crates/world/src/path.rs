//! Paths as texts: absolute, without a trailing slash, without `.` and `..`.

/// The absolute path that `text` names below `root`: relative texts resolve against the root, `file:` is taken off.
///
/// ```
/// assert_eq!(tidemark_world::normalize("/tidemark", "in/"), "/tidemark/in");
/// assert_eq!(tidemark_world::normalize("/tidemark", "file:///tidemark/./in/../out"), "/tidemark/out");
/// ```
pub fn normalize(root: &str, text: &str) -> String {
    let text = strip_scheme(text);
    let absolute = text.starts_with('/') || text == root || text.starts_with(&format!("{root}/"));
    let base = if absolute { String::new() } else { format!("{root}/") };
    let whole = format!("{base}{text}");
    let leading = if whole.starts_with('/') { "/" } else { "" };
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            name => parts.push(name),
        }
    }
    format!("{leading}{}", parts.join("/"))
}

fn strip_scheme(text: &str) -> &str {
    match text.strip_prefix("file:") {
        None => text,
        Some(rest) => rest.strip_prefix("//").unwrap_or(rest),
    }
}
