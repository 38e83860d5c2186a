//! What differs between two texts, line by line.

/// Lines that agree and stand next to a difference are shown, so many on each side.
const CONTEXT: usize = 2;

/// The lines of `before` and `after` in one list: `-` was expected, `+` was given, a blank for both.
///
/// Shape: the longest common subsequence of lines agrees; agreeing lines far from a difference are left out.
pub(crate) fn render_difference(before: &str, after: &str) -> String {
    let before: Vec<&str> = before.lines().collect();
    let after: Vec<&str> = after.lines().collect();
    let marked = mark(&before, &after);
    let near = |index: usize| {
        let from = index.saturating_sub(CONTEXT);
        let to = (index + CONTEXT + 1).min(marked.len());
        marked[from..to].iter().any(|(mark, _)| *mark != ' ')
    };
    let mut text = String::new();
    let mut left_out = false;
    for (index, (mark, line)) in marked.iter().enumerate() {
        if !near(index) {
            left_out = true;
            continue;
        }
        if std::mem::take(&mut left_out) {
            text.push_str(" …\n");
        }
        text.push_str(&format!("{mark}{line}\n"));
    }
    text
}

/// Each line with its mark.
fn mark<'a>(before: &[&'a str], after: &[&'a str]) -> Vec<(char, &'a str)> {
    let common = common_lengths(before, after);
    let (mut row, mut column) = (0, 0);
    let mut marked = Vec::new();
    while row < before.len() || column < after.len() {
        if row < before.len() && column < after.len() && before[row] == after[column] {
            marked.push((' ', before[row]));
            row += 1;
            column += 1;
        } else if column == after.len()
            || (row < before.len() && common[row + 1][column] >= common[row][column + 1])
        {
            marked.push(('-', before[row]));
            row += 1;
        } else {
            marked.push(('+', after[column]));
            column += 1;
        }
    }
    marked
}

/// The length of the longest common subsequence of each pair of tails.
fn common_lengths(before: &[&str], after: &[&str]) -> Vec<Vec<usize>> {
    let mut lengths = vec![vec![0; after.len() + 1]; before.len() + 1];
    for row in (0..before.len()).rev() {
        for column in (0..after.len()).rev() {
            lengths[row][column] = if before[row] == after[column] {
                lengths[row + 1][column + 1] + 1
            } else {
                lengths[row + 1][column].max(lengths[row][column + 1])
            };
        }
    }
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_marked() {
        let table = [
            ("a\nb\n", "a\nc\n", " a\n-b\n+c\n"),
            ("a\n", "a\nb\n", " a\n+b\n"),
            ("1\n2\n3\n4\n5\n", "1\n2\n3\n4\n6\n", " …\n 3\n 4\n-5\n+6\n"),
        ];
        for (before, after, expected) in table {
            assert_eq!(render_difference(before, after), expected);
        }
    }
}
