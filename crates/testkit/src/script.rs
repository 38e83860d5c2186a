//! The text of a script as blocks, and back.

/// Parts commands from their output.
const SEPARATOR: &str = "---";
/// Stands before each line of an output that would else be read as more than one output.
const QUOTE: &str = "> ";

/// A script without its outputs: what stands before each `---`, comments and blank lines included.
#[derive(Debug, PartialEq)]
pub(crate) struct Script {
    blocks: Vec<String>,
    tail: String,
}

impl Script {
    /// Reads a script and forgets the outputs. An output ends at the first blank line.
    ///
    /// Errors: a block without commands, a script without blocks.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut blocks = Vec::new();
        let mut commands = String::new();
        let mut in_output = false;
        for (index, line) in text.lines().enumerate() {
            if in_output {
                in_output = !line.is_empty();
            } else if line == SEPARATOR {
                if commands_of(&commands).is_empty() {
                    return Err(format!("line {}: a block without commands", index + 1));
                }
                blocks.push(std::mem::take(&mut commands));
                in_output = true;
            } else {
                commands.push_str(line);
                commands.push('\n');
            }
        }
        if blocks.is_empty() {
            return Err("a script without a line ---".into());
        }
        Ok(Self { blocks, tail: commands })
    }

    /// The script with the outputs that `run` gives for the commands of each block.
    pub(crate) fn render_with(&self, mut run: impl FnMut(&str) -> String) -> String {
        let mut text = String::new();
        for (index, block) in self.blocks.iter().enumerate() {
            if index > 0 {
                text.push('\n');
            }
            text.push_str(block);
            text.push_str(SEPARATOR);
            text.push('\n');
            text.push_str(&render_output(&run(&commands_of(block))));
        }
        if !self.tail.is_empty() {
            text.push('\n');
            text.push_str(&self.tail);
        }
        text
    }
}

/// The lines that are commands: no comments, no blank lines.
fn commands_of(block: &str) -> String {
    let lines = block.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// An output as it stands in a script: each line ended, quoted where it could be misread.
fn render_output(output: &str) -> String {
    let output = output.strip_suffix('\n').unwrap_or(output);
    if output.is_empty() {
        return String::new();
    }
    let lines: Vec<&str> = output.split('\n').collect();
    let quoted = lines.iter().any(|line| line.is_empty() || line.starts_with(QUOTE));
    let quote = |line: &&str| match (quoted, line.is_empty()) {
        (false, _) => format!("{line}\n"),
        (true, true) => ">\n".to_owned(),
        (true, false) => format!("{QUOTE}{line}\n"),
    };
    lines.iter().map(quote).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rendering_a_script_that_agrees_gives_its_text() {
        let echo = |commands: &str| commands.to_owned();
        let texts = [
            "one\n---\none\n",
            "# Claim.\none\ntwo\n---\none\ntwo\n\n# Next.\nthree\n---\nthree\n",
            "one\n---\none\n\n# A last word.\n",
            "# Claim.\n\none\n---\none\n",
        ];
        for text in texts {
            assert_eq!(Script::parse(text).unwrap().render_with(echo), text);
        }
    }

    #[test]
    fn outputs_are_written_so_that_they_read_back() {
        let table = [
            ("", ""),
            ("a", "a\n"),
            ("a\n", "a\n"),
            ("a\n\nb\n", "> a\n>\n> b\n"),
            ("---\nb\n", "---\nb\n"),
            ("> a\n", "> > a\n"),
            ("\n", ""),
        ];
        for (output, written) in table {
            assert_eq!(render_output(output), written, "{output:?}");
            let text = Script::parse("go\n---\n").unwrap().render_with(|_| output.to_owned());
            let again = Script::parse(&text).unwrap().render_with(|_| output.to_owned());
            assert_eq!(again, text, "{output:?}");
        }
    }

    #[test]
    fn bad_scripts_are_refused() {
        assert_eq!(Script::parse("---\n"), Err("line 1: a block without commands".into()));
        assert_eq!(Script::parse("go\n"), Err("a script without a line ---".into()));
    }
}
