//! The solution beside the learner's script, line by line.

/// What became of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// It is in both.
    Both,
    /// Only the learner has it.
    Mine,
    /// Only the solution has it.
    Solution,
}

/// The lines of both scripts in one order; longest common part.
pub fn lines<'a>(mine: &'a str, solution: &'a str) -> Vec<(Side, &'a str)> {
    let (a, b): (Vec<&str>, Vec<&str>) = (mine.lines().collect(), solution.lines().collect());
    let mut common = vec![vec![0_usize; b.len() + 1]; a.len() + 1];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            common[i][j] =
                if a[i] == b[j] { common[i + 1][j + 1] + 1 } else { common[i + 1][j].max(common[i][j + 1]) };
        }
    }
    let (mut i, mut j, mut found) = (0, 0, Vec::new());
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && a[i] == b[j] {
            found.push((Side::Both, a[i]));
            (i, j) = (i + 1, j + 1);
        } else if i < a.len() && (j == b.len() || common[i + 1][j] >= common[i][j + 1]) {
            found.push((Side::Mine, a[i]));
            i += 1;
        } else {
            found.push((Side::Solution, b[j]));
            j += 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Side, lines};

    #[test]
    fn common_lines_stay_and_others_stand_side_by_side() {
        let text = |found: Vec<(Side, &str)>| {
            let sign = |side| match side {
                Side::Both => ' ',
                Side::Mine => '-',
                Side::Solution => '+',
            };
            found
                .into_iter()
                .map(|(side, line)| format!("{}{line}", sign(side)))
                .collect::<Vec<_>>()
                .join("|")
        };
        for (mine, solution, expected) in [
            ("a\nb\nc", "a\nx\nc", " a|-b|+x| c"),
            ("", "a", "+a"),
            ("a\nb", "a\nb", " a| b"),
            ("a\nb\nc", "b", "-a| b|-c"),
        ] {
            assert_eq!(text(lines(mine, solution)), expected);
        }
    }
}
