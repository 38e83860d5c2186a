//! Work in the fragment of a link: packed by deflate, written in base64 for addresses, read with every limit checked.
//!
//! A link is a stranger's text. What is read here becomes acts, names and a script, and nothing of it is ever more than text
//! on the page.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use tidemark_protocol::{Act, Fork, Work, WorkBranch};

use crate::state::save::keep::Kept;

/// What stands before the work in the fragment.
pub const MARK: &str = "work=";
/// A link may have so many characters: chats and mail programs cut longer ones.
pub const CHARS_MAX: usize = 32_000;
/// Work may have so many bytes when it is unfolded.
const UNFOLDED_BYTES_MAX: usize = 1 << 20;
/// All branches together may have so many acts.
const ACTS_MAX: usize = 2_000;
/// A branch's name may have so many characters.
const NAME_CHARS_MAX: usize = 80;
/// The clock may be moved so far by one act: a hundred years.
const MILLIS_MAX: i64 = 100 * 366 * 86_400_000;
/// How hard deflate tries, of 10.
const LEVEL: u8 = 9;
const VERSION: u32 = 1;

/// Why work makes no link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooBig {
    /// How many characters the link would have.
    pub chars: usize,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parcel {
    version: u32,
    branches: Vec<Piece>,
    current: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    moment: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    draft: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Piece {
    name: String,
    /// Branch, moment and acts of the fork.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fork: Option<[usize; 3]>,
    acts: Vec<String>,
}

/// The fragment of a link, without `#`.
///
/// Errors: it would be longer than a link may be.
pub fn write(kept: &Kept) -> Result<String, TooBig> {
    let branches = &kept.work.branches;
    let acts: usize = branches.iter().map(|branch| branch.acts.len()).sum();
    let bytes: usize = branches.iter().flat_map(|branch| &branch.acts).map(weight).sum();
    if bytes > UNFOLDED_BYTES_MAX {
        return Err(TooBig { chars: bytes });
    }
    let piece = |branch: &WorkBranch| Piece {
        name: branch.name.chars().take(NAME_CHARS_MAX).collect(),
        fork: branch.fork.map(|fork| [fork.branch, fork.moment, fork.acts]),
        acts: branch.acts.iter().map(ToString::to_string).collect(),
    };
    let parcel = Parcel {
        version: VERSION,
        branches: kept.work.branches.iter().map(piece).collect(),
        current: kept.work.current,
        moment: kept.work.moment,
        draft: kept.draft.clone(),
    };
    let text = serde_json::to_string(&parcel).expect("plain data");
    if text.len() > UNFOLDED_BYTES_MAX || acts > ACTS_MAX {
        return Err(TooBig { chars: text.len() });
    }
    let packed = miniz_oxide::deflate::compress_to_vec(text.as_bytes(), LEVEL);
    let fragment = format!("{MARK}{}", URL_SAFE_NO_PAD.encode(packed));
    if fragment.len() > CHARS_MAX { Err(TooBig { chars: fragment.len() }) } else { Ok(fragment) }
}

/// About how many bytes an act takes, without writing it.
fn weight(act: &Act) -> usize {
    match act {
        Act::Put { text, .. } => text.len(),
        Act::Edit { text, .. } => text.len(),
        Act::Import { archive, .. } => archive.len(),
        _ => 0,
    }
}

/// The work in a fragment, with or without `#`; nothing if it speaks of something else.
///
/// Errors: what is wrong with it, short and without control characters.
pub fn read(fragment: &str) -> Option<Result<Kept, String>> {
    let coded = fragment.strip_prefix('#').unwrap_or(fragment).strip_prefix(MARK)?;
    Some(unfold(coded).map_err(|why| shown(&why)))
}

fn unfold(coded: &str) -> Result<Kept, String> {
    if coded.len() + MARK.len() > CHARS_MAX {
        return Err(format!("It has {} characters; {CHARS_MAX} are the limit", coded.len()));
    }
    let packed = URL_SAFE_NO_PAD.decode(coded).map_err(|_| "A part of it is missing or was changed")?;
    // It stops unfolding at the limit, whatever is promised.
    let bytes =
        miniz_oxide::inflate::decompress_to_vec_with_limit(&packed, UNFOLDED_BYTES_MAX).map_err(|error| {
            match error.status {
                miniz_oxide::inflate::TINFLStatus::HasMoreOutput => {
                    format!("It unfolds to more than {} kB", UNFOLDED_BYTES_MAX >> 10)
                }
                _ => "A part of it is missing or was changed".to_owned(),
            }
        })?;
    let parcel: Parcel = serde_json::from_slice(&bytes)
        .map_err(|error| format!("What is in it is no work of Tidemark: {error}"))?;
    if parcel.version != VERSION {
        return Err(format!("It was made by another version of Tidemark, form {}", parcel.version));
    }
    judge(&parcel)?;
    let branches = parcel.branches.into_iter().map(branch).collect::<Result<Vec<_>, String>>()?;
    let work = Work { branches, current: parcel.current, moment: parcel.moment };
    Ok(Kept { work, draft: parcel.draft })
}

fn judge(parcel: &Parcel) -> Result<(), String> {
    let branches = &parcel.branches;
    if branches.is_empty() || branches.len() > Work::BRANCHES_MAX {
        return Err(format!("It has {} branches; 1 to {} are possible", branches.len(), Work::BRANCHES_MAX));
    }
    if parcel.current >= branches.len() {
        return Err(format!("It shows branch {}, which is not there", parcel.current));
    }
    let acts: usize = branches.iter().map(|branch| branch.acts.len()).sum();
    if acts > ACTS_MAX {
        return Err(format!("It has {acts} acts; {ACTS_MAX} are the limit"));
    }
    for (at, branch) in branches.iter().enumerate() {
        if branch.fork.is_some_and(|[older, ..]| older >= at) {
            return Err(format!("Branch {at} hangs on one that is not older"));
        }
        if branch.name.chars().count() > NAME_CHARS_MAX {
            return Err(format!("The name of branch {at} is too long"));
        }
    }
    Ok(())
}

fn branch(piece: Piece) -> Result<WorkBranch, String> {
    let acts = piece.acts.iter().map(|line| act(line)).collect::<Result<Vec<_>, String>>()?;
    let fork = piece.fork.map(|[branch, moment, acts]| Fork { branch, moment, acts });
    Ok(WorkBranch { name: piece.name, fork, acts })
}

fn act(line: &str) -> Result<Act, String> {
    let act = Act::parse(line).map_err(|_| {
        let verb = line.split_whitespace().next().unwrap_or_default();
        format!("It holds an act that Tidemark does not know: {verb}")
    })?;
    match act {
        Act::Advance { millis } if !(0..=MILLIS_MAX).contains(&millis) => {
            Err("It moves the clock by more than a hundred years".to_owned())
        }
        act => Ok(act),
    }
}

/// A text from outside, short and without control characters.
pub(in crate::state) fn shown(text: &str) -> String {
    const CHARS_MAX: usize = 160;
    let plain: String =
        text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(CHARS_MAX + 1).collect();
    if plain.chars().count() > CHARS_MAX {
        plain.chars().take(CHARS_MAX).chain("…".chars()).collect()
    } else {
        plain
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fold(text: &str) -> String {
        format!(
            "#{MARK}{}",
            URL_SAFE_NO_PAD.encode(miniz_oxide::deflate::compress_to_vec(text.as_bytes(), 9))
        )
    }

    fn with(acts: &str) -> String {
        format!(r#"{{"version":1,"branches":[{{"name":"main","acts":[{acts}]}}],"current":0}}"#)
    }

    #[test]
    fn work_comes_back_from_its_link() {
        let mut work = Work::of_acts(
            [
                "seed 7",
                "put in/ä.json \"{}\\n\"",
                "edit main.py \"x = '<b>'\\n\"",
                "run main.py",
                "arm write 2 during",
            ]
            .map(|line| Act::parse(line).expect("an act"))
            .to_vec(),
        );
        work.branches.push(WorkBranch {
            name: "no checkpoint".to_owned(),
            fork: Some(Fork { branch: 0, moment: 9, acts: 4 }),
            acts: vec![Act::Delete { path: "ckpt/".to_owned() }],
        });
        (work.current, work.moment) = (1, Some(10));
        let kept = Kept { work, draft: Some("y = 2\n".to_owned()) };
        let fragment = write(&kept).expect("it is small");
        assert!(fragment.len() < 500, "{}", fragment.len());
        assert!(fragment[MARK.len()..].chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_'));
        assert_eq!(read(&format!("#{fragment}")), Some(Ok(kept)));
        assert_eq!(read("#sandbox"), None);
        assert_eq!(read(""), None);
    }

    #[test]
    fn work_that_is_too_big_says_how_big() {
        // Digits that deflate cannot fold.
        let mut number = 1_u64;
        let mut noise = || {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            format!("{number:x}")
        };
        let text: String = (0..5_000).map(|_| noise()).collect();
        let kept = |text: String| Kept { work: Work::of_acts(vec![]), draft: Some(text) };
        let chars = write(&kept(text)).expect_err("it is big").chars;
        assert!((CHARS_MAX..80_000).contains(&chars), "{chars}");
        assert!(write(&kept("x".repeat(UNFOLDED_BYTES_MAX))).is_err());
        let import = Act::Import { name: "a.zip".to_owned(), archive: "A".repeat(2 * UNFOLDED_BYTES_MAX) };
        let heavy = Kept { work: Work::of_acts(vec![import]), draft: None };
        assert_eq!(write(&heavy), Err(TooBig { chars: 2 * UNFOLDED_BYTES_MAX }));
    }

    #[test]
    fn hostile_links_are_refused_with_a_reason() {
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        let many = vec!["\"step\""; ACTS_MAX + 1].join(",");
        let one = r#"{"name":"main","acts":[]}"#;
        let branches = |all: &str| format!(r#"{{"version":1,"branches":[{all}],"current":0}}"#);
        let table = [
            (format!("#{MARK}"), "A part of it is missing"),
            (format!("#{MARK}%%%"), "A part of it is missing"),
            (format!("#{MARK}<script>alert(1)</script>"), "A part of it is missing"),
            (format!("#{MARK}AAAA"), "A part of it is missing"),
            (format!("#{MARK}{}", "A".repeat(CHARS_MAX)), "32000 characters; 32000 are the limit"),
            (fold("not json"), "no work of Tidemark"),
            (fold(&deep), "no work of Tidemark"),
            (fold(&format!(r#"{{"version":1,"branches":{deep},"current":0}}"#)), "no work of Tidemark"),
            (fold(&" ".repeat(UNFOLDED_BYTES_MAX + 1)), "It unfolds to more than 1024 kB"),
            (fold(&" ".repeat(16 << 20)), "It unfolds to more than 1024 kB"),
            (
                fold(&with("").replace("\"version\":1", "\"version\":2")),
                "another version of Tidemark, form 2",
            ),
            (
                fold(&with("").replace("\"current\":0", "\"current\":3")),
                "It shows branch 3, which is not there",
            ),
            (fold(&with("").replace("\"current\":0", "\"current\":-1")), "no work of Tidemark"),
            (
                fold(&with("").replace("\"current\":0", "\"current\":0,\"html\":\"<img>\"")),
                "unknown field `html`",
            ),
            (fold(&with("\"fly\"")), "an act that Tidemark does not know: fly"),
            (fold(&with("\"<img src=x onerror=alert(1)>\"")), "an act that Tidemark does not know: <img"),
            (fold(&with("\"advance 999999999d\"")), "more than a hundred years"),
            (fold(&with("\"advance -5s\"")), "more than a hundred years"),
            (fold(&with(&many)), "It has 2001 acts; 2000 are the limit"),
            (fold(&branches("")), "It has 0 branches"),
            (fold(&branches(&[one; 7].join(","))), "It has 7 branches; 1 to 6 are possible"),
            (
                fold(&branches(r#"{"name":"main","fork":[0,1,1],"acts":[]}"#)),
                "Branch 0 hangs on one that is not older",
            ),
            (
                fold(&branches(&format!(r#"{{"name":"{}","acts":[]}}"#, "x".repeat(81)))),
                "The name of branch 0 is too long",
            ),
        ];
        for (fragment, wanted) in table {
            let why = read(&fragment).expect("it speaks of work").expect_err(wanted);
            assert!(why.contains(wanted), "{wanted}: {why}");
            assert!(why.chars().count() <= 161 && !why.chars().any(char::is_control), "{why}");
        }
    }
}
