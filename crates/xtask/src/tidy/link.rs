//! Relative links of Markdown lead to a file or folder that is there.

use std::path::Path;

use super::tree::{File, Finding};

/// Every relative link of a Markdown file that leads nowhere.
pub(crate) fn check(file: &File, root: &Path) -> Vec<Finding> {
    if file.extension() != "md" {
        return Vec::new();
    }
    let folder = root.join(&file.path);
    let folder = folder.parent().expect("a file lies in a folder");
    let mut findings = Vec::new();
    let mut in_code = false;
    for (index, line) in file.text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        if in_code {
            continue;
        }
        let dead = targets(line).into_iter().filter(|target| is_relative(target) && !exists(folder, target));
        findings
            .extend(dead.map(|target| file.finding(index + 1, format!("the link `{target}` leads nowhere"))));
    }
    findings
}

/// What stands in `](…)`, outside of code.
fn targets(line: &str) -> Vec<&str> {
    let mut targets = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.find("](") {
        let in_code = rest[..at].matches('`').count() % 2 == 1;
        rest = &rest[at + 2..];
        let Some(end) = rest.find(')') else { break };
        if !in_code {
            targets.extend(rest[..end].split_whitespace().next());
        }
        rest = &rest[end..];
    }
    targets
}

fn is_relative(target: &str) -> bool {
    !target.contains("://") && !target.starts_with('#') && !target.starts_with("mailto:")
}

fn exists(folder: &Path, target: &str) -> bool {
    let path = target.split('#').next().unwrap_or_default();
    folder.join(path.replace("%20", " ")).exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dead_links_are_found() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let text = "[a](src/main.rs) [b](src/none.rs#x) [c](https://a.b/c) `[d](none)`\n```\n[e](none)\n```\n[f](#here)\n";
        let findings = check(&File { path: "x.md".into(), text: text.into() }, root);
        let messages: Vec<_> =
            findings.iter().map(|finding| (finding.line, finding.message.as_str())).collect();
        assert_eq!(messages, [(1, "the link `src/none.rs#x` leads nowhere")]);
    }
}
