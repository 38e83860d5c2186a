//! A name that a script uses and nobody has imported: the line that would, and the script with it.

use tidemark_protocol::Diagnostic;

/// What snippets of PySpark take for granted.
const IMPORTS: [(&str, &str); 4] = [
    ("F", "from pyspark.sql import functions as F"),
    ("DeltaTable", "from delta.tables import DeltaTable"),
    ("Row", "from pyspark.sql import Row"),
    ("Window", "from pyspark.sql import Window"),
];

/// The line that an error asks for, unless the script has it.
pub fn missing(error: &Diagnostic, draft: &str) -> Option<&'static str> {
    let name = error.message.strip_prefix("name '")?.strip_suffix("' is not defined")?;
    let (_, line) = IMPORTS.iter().find(|(known, _)| *known == name && error.class == "NameError")?;
    (!draft.lines().any(|own| own == *line)).then_some(line)
}

/// The script with a line above its first one.
pub fn with(line: &str, draft: &str) -> String {
    format!("{line}\n{draft}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_snippets_use_are_offered_once() {
        let error = |class: &str, message: &str| Diagnostic {
            class: class.to_owned(),
            condition: String::new(),
            message: message.to_owned(),
            line: 1,
            column: 1,
            end_line: 1,
            end_column: 2,
            traceback: String::new(),
        };
        let draft = "x = F.col('a')\n";
        for (class, message, wanted) in [
            ("NameError", "name 'F' is not defined", Some("from pyspark.sql import functions as F")),
            ("NameError", "name 'DeltaTable' is not defined", Some("from delta.tables import DeltaTable")),
            ("NameError", "name 'G' is not defined", None),
            ("ValueError", "name 'F' is not defined", None),
        ] {
            let found = missing(&error(class, message), draft);
            assert_eq!(found, wanted, "{message}");
            if let Some(line) = found {
                assert_eq!(missing(&error(class, message), &with(line, draft)), None);
            }
        }
    }
}
