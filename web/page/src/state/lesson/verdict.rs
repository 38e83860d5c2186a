//! What is said after the run, after a cause, after a file was pointed at.

use tidemark_protocol::lesson::{Point, matches};

use super::desk::{Open, Pick};

/// From here on a learner was sure.
const SURE: u8 = 3;

impl Open {
    /// Guess and result in one sentence.
    pub fn verdict(&self) -> String {
        let right = self.right();
        match (self.pick, self.guessed()) {
            (_, Some(guess)) if guess.right => format!("As you expected: {}.", right.short),
            (_, Some(guess)) => format!("You expected {}. It is {}.", guess.short, right.short),
            (Some(Pick::Unknown), None) => format!("You left it open. It is {}.", right.short),
            (_, None) => format!("It is {}.", right.short),
        }
    }

    /// Why one could think so and what is so; the longest for one who was sure and wrong.
    pub fn reasons(&self) -> Vec<&str> {
        let right = self.right();
        let guess = self.guessed().unwrap_or(right);
        let mut said = vec![guess.says.as_str()];
        if !guess.right {
            if self.sure >= SURE && !guess.sure.is_empty() {
                said.push(&guess.sure);
            }
            if guess.says != right.says {
                said.push(&right.says);
            }
        }
        said
    }

    /// What is said of the file that was pointed at, and whether it is evidence.
    pub fn evidence(&self) -> Option<(bool, &str)> {
        let path = self.pointed.as_ref()?;
        let explain = &self.lesson.form.explain;
        let point: Option<&Point> = explain.points.iter().find(|point| matches(&point.path, path));
        Some(point.map_or((false, explain.elsewhere.as_str()), |point| (point.right, &point.says)))
    }

    /// How sure, in words.
    pub fn sure_words(&self) -> &'static str {
        match self.sure {
            0 => "a hunch",
            1 => "not very sure",
            2 => "half sure",
            3 => "rather sure",
            _ => "certain",
        }
    }
}
