//! A tree of lines, drawn as Spark draws its plans.

/// One operator with what lies below it.
pub(super) struct Node {
    pub(super) line: String,
    pub(super) children: Vec<Node>,
    /// Whether Spark compiles it into one stage with its neighbours, which it marks with `*(1)`.
    pub(super) compiled: bool,
}

impl Node {
    pub(super) fn new(line: impl Into<String>, children: Vec<Node>) -> Node {
        Node { line: line.into(), children, compiled: false }
    }

    pub(super) fn compiled(line: impl Into<String>, children: Vec<Node>) -> Node {
        Node { line: line.into(), children, compiled: true }
    }

    /// Whether an operator of this tree begins so.
    pub(super) fn contains(&self, start: &str) -> bool {
        self.line.starts_with(start) || self.children.iter().any(|child| child.contains(start))
    }

    /// The whole text; `marks` shows what is compiled.
    pub(super) fn draw(&self, marks: bool) -> String {
        let mut text = String::new();
        self.write("", "", marks, &mut text);
        text
    }

    fn write(&self, lead: &str, below: &str, marks: bool, text: &mut String) {
        let mark = if marks && self.compiled { "*(1) " } else { "" };
        text.push_str(&format!("{lead}{mark}{}\n", self.line));
        let last = self.children.len().saturating_sub(1);
        for (index, child) in self.children.iter().enumerate() {
            let (branch, bar) = if index == last { ("+- ", "   ") } else { (":- ", ":  ") };
            child.write(&format!("{below}{branch}"), &format!("{below}{bar}"), marks, text);
        }
    }
}
