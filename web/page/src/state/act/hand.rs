//! A second hand: what somebody else can do in the middle, in words, and why not when it makes no sense.

use tidemark_protocol::{Act, Change, StoreEntry, View};

use crate::state::Deed;
use crate::state::act::deed;
use crate::state::act::sample;
use crate::state::model::{Model, World};

/// The name of the script that runs beside the main one.
pub const OTHER: &str = "other.py";

/// One thing that somebody else can do.
#[derive(Clone, Debug, PartialEq)]
pub struct Hand {
    /// What it is called.
    pub name: String,
    /// What it does and what it is good for.
    pub words: String,
    /// Why it is off now.
    pub off: Option<String>,
    /// The acts.
    pub acts: Vec<Act>,
}

/// All of them, those that are off with their reasons.
pub fn hands(world: &World) -> Vec<Hand> {
    let general = deed::reason(world, Deed::Drop).filter(|_| world.is_working() || world.view.is_none());
    let Some(view) = &world.view else {
        let off = general.or_else(|| Some("The engine is loading.".to_owned()));
        return vec![Hand { off, ..named("Someone else", "") }];
    };
    let mut hands = vec![
        append(view),
        in_place(world, view),
        grow(world, view),
        half_file(world, view),
        cut_plan(view),
        cut_state(view),
        second_query(world, view),
    ];
    for hand in &mut hands {
        hand.off = general.clone().or(hand.off.take());
    }
    hands
}

/// Does one of them.
pub(in crate::state) fn lend(model: &mut Model, index: usize) {
    let hands = hands(&model.world);
    let Some(hand) = hands.into_iter().nth(index) else { return };
    match hand.off {
        Some(reason) => model.say(reason),
        None => {
            model.ui_mut().dialog = None;
            deed::ask(model, hand.acts);
        }
    }
}

fn named(name: &str, words: &str) -> Hand {
    Hand { name: name.to_owned(), words: words.to_owned(), off: None, acts: Vec::new() }
}

fn put(path: &str, text: String) -> Vec<Act> {
    vec![Act::Put { path: path.to_owned(), text: text.into() }]
}

fn aside(text: String) -> Vec<Act> {
    let script = OTHER.to_owned();
    vec![Act::Edit { script: script.clone(), text }, Act::Run { script }]
}

fn append(view: &View) -> Hand {
    let table = view
        .sinks
        .iter()
        .find(|sink| sink.kind == "delta" && sink.version.is_some() && !sink.rows.is_empty());
    let Some(table) = table else {
        let off = Some("There is no Delta table with a row yet. Run the script first.".to_owned());
        return Hand {
            off,
            ..named("Another job appends to the table", "One row more, in a commit that is not the query's.")
        };
    };
    let path = table.name.trim_end_matches('/');
    let text = format!(
        "# Another job, beside the stream: one row more in the same table.
table = spark.read.format(\"delta\").load(\"{path}\")
row = tuple(value + 1000 if type(value) is int else value for value in table.first())
spark.createDataFrame([row], table.schema).write.format(\"delta\").mode(\"append\").save(\"{path}\")
"
    );
    Hand {
        acts: aside(text),
        ..named(
            &format!("Another job appends to {}", table.name),
            "One row more, in a commit that is not the query's. It carries no txn of the query.",
        )
    }
}

/// The oldest file that a source reads, or the one that is open.
fn input<'a>(world: &'a World, view: &'a View) -> Option<(&'a StoreEntry, &'a str)> {
    let texts = world.acts.iter().rev();
    let text_of = |path: &str| {
        texts.clone().find_map(|act| match act {
            Act::Put { path: known, text } if known == path => Some(&**text),
            _ => None,
        })
    };
    view.store
        .iter()
        .filter(|entry| !entry.folder && entry.change != Change::Deleted && entry.path.ends_with(".json"))
        .filter(|entry| !entry.path.contains("/_delta_log/"))
        .find_map(|entry| Some((entry, text_of(&entry.path)?)))
}

fn no_input(name: &str, words: &str) -> Hand {
    let off = Some("There is no JSON file that you dropped. Press D for a sample.".to_owned());
    Hand { off, ..named(name, words) }
}

fn in_place(world: &World, view: &View) -> Hand {
    let words =
        "The same name, other rows. A file source looks at names: what it has read it does not read again.";
    let Some((entry, text)) = input(world, view) else {
        return no_input("A file is changed in place", words);
    };
    let changed: String = text.lines().map(|line| format!("{}\n", with_other_number(line, 100.0))).collect();
    Hand { acts: put(&entry.path, changed), ..named(&format!("{} is changed in place", entry.path), words) }
}

fn grow(world: &World, view: &View) -> Hand {
    let words = "One line more at its end. If a batch has read the file, nobody reads that line.";
    let Some((entry, text)) = input(world, view) else { return no_input("A file grows", words) };
    let last = text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
    let more = format!("{}\n{}\n", text.trim_end(), with_other_number(last, 1.0));
    Hand { acts: put(&entry.path, more), ..named(&format!("{} grows", entry.path), words) }
}

/// The line with another number in the last field that has one.
fn with_other_number(line: &str, more: f64) -> String {
    let Ok(serde_json::Value::Object(mut fields)) = serde_json::from_str(line) else {
        return line.to_owned();
    };
    if let Some(value) = fields.values_mut().filter(|value| value.is_number()).last() {
        *value = match value.as_i64() {
            Some(whole) => serde_json::json!(whole + more as i64),
            None => serde_json::json!(value.as_f64().unwrap_or(0.0) + more),
        };
    }
    serde_json::Value::Object(fields).to_string()
}

fn half_file(world: &World, view: &View) -> Hand {
    let sample = sample::FILES.first().copied().unwrap_or_default();
    let (like, text) = input(world, view).map_or(sample, |(entry, text)| (entry.path.as_str(), text));
    let folder = like.rsplit_once('/').map_or("in", |(folder, _)| folder);
    let first = text.lines().next().unwrap_or_default();
    let half: String = first.chars().take(first.chars().count() / 2).collect();
    Hand {
        acts: put(&format!("{folder}/half.json"), half),
        ..named(
            "Half a file arrives",
            "A writer that does not rename leaves half.json in the middle of a line. The source takes it as it is.",
        )
    }
}

/// The newest object of a folder with this name.
fn newest(view: &View, fits: impl Fn(&str) -> bool) -> Option<&StoreEntry> {
    let files = view.store.iter().filter(|entry| !entry.folder && entry.change != Change::Deleted);
    files.filter(|entry| fits(&entry.path)).max_by_key(|entry| entry.modified)
}

fn cut_plan(view: &View) -> Hand {
    let words = "The write-ahead log has only its first bytes left. A restart cannot know what that batch was made of.";
    let is_plan = |path: &str| {
        path.rsplit_once("/offsets/").is_some_and(|(_, name)| name.bytes().all(|b| b.is_ascii_digit()))
    };
    let Some(entry) = newest(view, is_plan) else {
        let off = Some("No batch is planned yet: there is no offsets/N.".to_owned());
        return Hand { off, ..named("The newest plan is damaged", words) };
    };
    Hand {
        acts: put(&entry.path, "v1\n{\"batchW".to_owned()),
        ..named(&format!("{} is damaged", entry.path), words)
    }
}

fn cut_state(view: &View) -> Hand {
    let words = "A file of the state with other bytes in it. The next batch that loads this state finds out.";
    let Some(entry) = newest(view, |path| path.contains("/state/") && path.ends_with(".delta")) else {
        let off = Some("There is no state file: no query here remembers anything.".to_owned());
        return Hand { off, ..named("A state file is damaged", words) };
    };
    Hand {
        acts: put(&entry.path, "damaged".to_owned()),
        ..named(&format!("{} is damaged", entry.path), words)
    }
}

fn second_query(world: &World, view: &View) -> Hand {
    let words = "The same script, started a second time on the same checkpoint. Both write one log. In the middle of a batch, after a few steps with N, the first one notices.";
    let name = "A second query on this checkpoint";
    let has_metadata = view.store.iter().any(|entry| entry.path.ends_with("/metadata"));
    let off = (!has_metadata).then(|| "There is no checkpoint yet. Run the script first.".to_owned());
    let text = if view.script.text.is_empty() { world.draft.clone() } else { view.script.text.clone() };
    Hand { off, acts: aside(text), ..named(name, words) }
}

#[cfg(test)]
mod tests {
    use tidemark_protocol::{Change, ScriptState, SinkRow, SinkView};

    use super::*;
    use crate::state::Action;
    use crate::state::tests::conversation::{Page, view, with_file};

    #[test]
    fn what_makes_no_sense_yet_is_off_with_a_reason() {
        let mut page = Page::open();
        let off = |page: &Page| hands(&page.model.world).iter().filter(|hand| hand.off.is_some()).count();
        assert_eq!(off(&page), 6, "only half a file can come to an empty store");
        page.act(Action::Lend(0));
        assert!(page.model.ui.said.as_deref().is_some_and(|said| said.contains("Run the script first")));
        page.act(Action::Do(Deed::Drop));
        let mut shown = with_file(view(1, "x = 1", ScriptState::Ended), "in/a.json", Change::Same);
        for path in ["ckpt/metadata", "ckpt/offsets/0", "ckpt/state/0/0/1.delta"] {
            shown = with_file(shown, path, Change::Same);
        }
        shown.sinks.push(SinkView {
            name: "out/".to_owned(),
            kind: "delta".to_owned(),
            version: Some(0),
            columns: vec!["id".to_owned()],
            rows: vec![SinkRow {
                cells: vec!["1".to_owned()],
                batch: Some(0),
                version: Some(0),
                file: None,
                copies: 1,
            }],
            total: 1,
            orphans: vec![],
            text: String::new(),
        });
        page.answer(shown, 2);
        page.model.world_mut().acts =
            std::rc::Rc::new(vec![Act::Put { path: "in/a.json".to_owned(), text: "{\"id\":1}\n".into() }]);
        assert_eq!(off(&page), 0);
        let acts: Vec<String> = hands(&page.model.world)
            .iter()
            .map(|hand| hand.acts.last().map(ToString::to_string).unwrap_or_default())
            .collect();
        assert_eq!(
            acts,
            [
                "run other.py",
                r#"put in/a.json "{\"id\":101}\n""#,
                r#"put in/a.json "{\"id\":1}\n{\"id\":2}\n""#,
                r#"put in/half.json "{\"id""#,
                r#"put ckpt/offsets/0 "v1\n{\"batchW""#,
                r#"put ckpt/state/0/0/1.delta "damaged""#,
                "run other.py",
            ]
        );
    }

    #[test]
    fn another_number_in_a_line() {
        for (line, wanted) in [
            (r#"{"id":1,"amt":5.0,"user":"a"}"#, r#"{"id":1,"amt":105.0,"user":"a"}"#),
            (r#"{"id":1}"#, r#"{"id":101}"#),
            (r#"{"user":"a"}"#, r#"{"user":"a"}"#),
            ("no json", "no json"),
        ] {
            let fields = |text: &str| serde_json::from_str::<serde_json::Value>(text).ok();
            let made = with_other_number(line, 100.0);
            assert_eq!(fields(&made), fields(wanted), "{made}");
        }
    }
}
