//! The middle: files by folder, Spark's measures and the bill, where they differ.

use std::rc::Rc;

use tidemark_protocol::{Comparison, Cost, ObjectDifference};
use yew::prelude::*;

use crate::state::words;

/// What the middle draws.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct DifferencesProps {
    /// The comparison.
    pub found: Rc<Comparison>,
}

/// A line: what differs, and each side's values, those that the other has not marked.
type Line = (String, Vec<(String, bool)>, Vec<(String, bool)>);

/// The middle.
#[component]
pub(super) fn Differences(props: &DifferencesProps) -> Html {
    let found = &props.found;
    let mut lines = folders(&found.objects);
    for measure in &found.progress {
        let side = |text: &String| vec![(text.clone(), false)];
        lines.push((measure.name.clone(), side(&measure.left), side(&measure.right)));
    }
    lines.extend(cost(&found.left.cost, &found.right.cost));
    let same = match found.same_objects {
        0 => "No file is equal.".to_owned(),
        1 => "1 file is equal.".to_owned(),
        count => format!("{count} files are equal."),
    };
    html! {
        <table class="compare-table">
            <caption class="only-read">{"What differs between A and B"}</caption>
            <thead><tr><th class="compare-a" scope="col">{"A"}</th><th scope="col">{"what differs"}</th><th class="compare-b" scope="col">{"B"}</th></tr></thead>
            <tbody>
                { for lines.iter().map(row) }
                if lines.is_empty() { <tr><td colspan="3" class="compare-none">{"Nothing. Both moments hold the same files, rows and numbers."}</td></tr> }
            </tbody>
            <tfoot><tr><td colspan="3">{same}</td></tr></tfoot>
        </table>
    }
}

fn row((name, left, right): &Line) -> Html {
    html! {
        <tr key={name.clone()}><td class="compare-a">{ values(left) }</td><th scope="row">{ breaking(name) }</th><td class="compare-b">{ values(right) }</td></tr>
    }
}

/// A long name breaks after its dots.
fn breaking(name: &str) -> Html {
    let parts = name.split_inclusive('.').map(|part| html! { <>{part}<wbr /></> });
    html! { <>{ for parts }</> }
}

fn values(values: &[(String, bool)]) -> Html {
    if values.is_empty() {
        return html! { <span class="quiet">{"-"}</span> };
    }
    let shown = values.iter().enumerate().map(|(index, (value, is_own))| {
        let comma = if index + 1 < values.len() { ", " } else { "" };
        if *is_own {
            html! { <><ins>{value}</ins>{comma}</> }
        } else {
            html! { <>{value}{comma}</> }
        }
    });
    html! { <>{ for shown }</> }
}

/// Files that differ, a line for each folder.
fn folders(objects: &[ObjectDifference]) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for object in objects {
        let (folder, name) =
            object.path.rsplit_once('/').map_or(("", object.path.as_str()), |(folder, name)| (folder, name));
        let folder = format!("{folder}/");
        let at = lines.iter().position(|(other, ..)| *other == folder).unwrap_or_else(|| {
            lines.push((folder, Vec::new(), Vec::new()));
            lines.len() - 1
        });
        let (_, left, right) = &mut lines[at];
        let is_changed = object.left.is_some() && object.right.is_some();
        let say = |bytes: u64| {
            let name = short(name);
            if is_changed { format!("{name} {}", words::size(bytes)) } else { name }
        };
        left.extend(object.left.map(|bytes| (say(bytes), object.right.is_none())));
        right.extend(object.right.map(|bytes| (say(bytes), object.left.is_none() || is_changed)));
    }
    lines.sort_by(|one, other| one.0.cmp(&other.0));
    lines
}

/// The middle of long names is left out.
fn short(name: &str) -> String {
    if let Some(version) = name.strip_suffix(".json").filter(|name| name.len() == 20) {
        return format!("…{}.json", &version[15..]);
    }
    if name.chars().count() > 22 {
        name.chars().take(16).chain("…".chars()).collect()
    } else {
        name.to_owned()
    }
}

/// The lines of the bill that differ.
fn cost(left: &Cost, right: &Cost) -> Vec<Line> {
    let all = [
        ("LIST", left.list, right.list),
        ("GET", left.get, right.get),
        ("PUT", left.put, right.put),
        ("DELETE", left.delete, right.delete),
        ("bytes read", left.bytes_read, right.bytes_read),
        ("bytes written", left.bytes_written, right.bytes_written),
        ("data files", left.files, right.files),
    ];
    let line = |(name, left, right): (&str, u64, u64)| {
        let say = |number: u64, is_more: bool| vec![(number.to_string(), is_more)];
        (left != right).then(|| (name.to_owned(), say(left, left > right), say(right, right > left)))
    };
    all.into_iter().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_stand_by_folder() {
        let object = |path: &str, left, right| ObjectDifference {
            path: path.to_owned(),
            left,
            right,
            note: String::new(),
        };
        let lines = folders(&[
            object("ckpt/offsets/1", Some(9), None),
            object("ckpt/metadata", Some(45), Some(46)),
            object("ckpt/offsets/2", Some(9), Some(9)),
            object("out/_delta_log/00000000000000000002.json", None, Some(9)),
        ]);
        let names: Vec<&str> = lines.iter().map(|(name, ..)| name.as_str()).collect();
        assert_eq!(names, ["ckpt/", "ckpt/offsets/", "out/_delta_log/"]);
        assert_eq!(lines[1].1, [("1".to_owned(), true), ("2 9 B".to_owned(), false)]);
        assert_eq!(lines[2].2, [("…00002.json".to_owned(), true)]);
        assert!(lines[2].1.is_empty());
    }

    #[test]
    fn only_what_differs_of_the_bill_is_there() {
        let left = Cost { list: 2, put: 3, ..Cost::default() };
        let right = Cost { list: 2, put: 5, ..Cost::default() };
        let lines = cost(&left, &right);
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0].2, [("5".to_owned(), true)]);
    }
}
