//! Hidden data: made from a seed, the same every time.

use tidemark_protocol::{DataForm, Generator, LessonFile};

/// Minutes of a day after which event times begin: 10:00.
const FIRST_MINUTE: u64 = 600;
const USERS: [&str; 5] = ["a", "b", "c", "d", "e"];

/// For each visible file one of the same path, with rows made from the seed.
pub fn hidden_files(form: &DataForm, seed: u64, visible: &[LessonFile]) -> Vec<LessonFile> {
    let mut dice = Dice(seed);
    let mut orders = Orders { next_id: 1, minute: FIRST_MINUTE };
    visible
        .iter()
        .map(|file| {
            let text = match form.generator {
                Generator::Orders => orders.file(form, &mut dice),
            };
            LessonFile { path: file.path.clone(), text }
        })
        .collect()
}

/// Orders of an ice-cream van: ids and event times grow, some come late, some come once more.
struct Orders {
    next_id: u64,
    minute: u64,
}

impl Orders {
    fn file(&mut self, form: &DataForm, dice: &mut Dice) -> String {
        let mut lines: Vec<String> = Vec::new();
        let rows = dice.between(form.rows[0], form.rows[1]);
        for _ in 0..rows {
            self.minute += dice.between(1, 6);
            let is_late = dice.between(1, 100) <= form.late;
            let by = if is_late { dice.between(1, form.late_minutes.max(1)) } else { 0 };
            let line = self.line(dice, self.minute.saturating_sub(by));
            lines.push(line);
            if dice.between(1, 100) <= form.copies {
                let at = dice.between(0, lines.len() as u64 - 1) as usize;
                lines.push(lines[at].clone());
            }
        }
        lines.iter().map(|line| format!("{line}\n")).collect()
    }

    fn line(&mut self, dice: &mut Dice, minute: u64) -> String {
        let id = self.next_id;
        self.next_id += 1;
        let user = USERS[dice.between(0, USERS.len() as u64 - 1) as usize];
        let halves = dice.between(1, 20);
        let (hour, minute) = (minute / 60 % 24, minute % 60);
        format!(
            "{{\"id\":{id},\"user\":\"{user}\",\"amt\":{}.{},\"ts\":\"2026-01-01T{hour:02}:{minute:02}:00\"}}",
            halves / 2,
            halves % 2 * 5
        )
    }
}

/// A small generator of numbers (splitmix64).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number from `least` to `most`, both included.
    fn between(&mut self, least: u64, most: u64) -> u64 {
        least + self.next() % (most.saturating_sub(least) + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(seed: u64, copies: u64) -> Vec<LessonFile> {
        let visible: Vec<LessonFile> = ["in/a.json", "in/b.json"]
            .into_iter()
            .map(|path| LessonFile { path: path.to_owned(), text: String::new() })
            .collect();
        let form =
            DataForm { generator: Generator::Orders, rows: [2, 5], late: 20, late_minutes: 30, copies };
        hidden_files(&form, seed, &visible)
    }

    #[test]
    fn the_same_seed_makes_the_same_data() {
        assert_eq!(made(11, 0), made(11, 0));
        assert_ne!(made(11, 0), made(12, 0));
        for file in made(11, 0) {
            let rows = file.text.lines().count();
            assert!((2..=5).contains(&rows), "{rows} rows");
            assert!(file.text.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()));
        }
    }

    #[test]
    fn copies_repeat_a_row() {
        let rows: usize = made(11, 0).iter().map(|file| file.text.lines().count()).sum();
        let doubled: usize = made(11, 100).iter().map(|file| file.text.lines().count()).sum();
        assert!(doubled > rows);
    }
}
