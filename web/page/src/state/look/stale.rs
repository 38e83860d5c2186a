//! An edited script: what it can be run from.

use tidemark_protocol::Act;

use crate::state::act::deed::{self, Deed};
use crate::state::model::{Model, World};
use crate::state::tree;

/// What a run from nothing deletes: the checkpoints, and the tables that queries write into files.
pub fn traces(world: &World) -> Vec<String> {
    let Some(view) = &world.view else { return Vec::new() };
    let groups = tree::groups(&view.store, false);
    let is_checkpoint = |group: &&tree::Group| group.word == "planned, done";
    let mut paths: Vec<String> =
        groups.iter().filter(is_checkpoint).map(|group| group.path.clone()).collect();
    for sink in &view.sinks {
        let path = if sink.name.ends_with('/') { sink.name.clone() } else { format!("{}/", sink.name) };
        if world.entry(&path).is_some() && !paths.contains(&path) {
            paths.push(path);
        }
    }
    paths
}

/// Deletes what former runs have left, then runs the text in the editor: batch 0 reads all that lies in the source.
pub(in crate::state) fn afresh(model: &mut Model) {
    if let Some(reason) = deed::reason(&model.world, Deed::Run) {
        model.say(reason);
        return;
    }
    let paths = traces(&model.world);
    let gone = paths.join(" and ");
    deed::ask(model, paths.into_iter().map(|path| Act::Delete { path }));
    deed::perform(model, Deed::Run);
    if !gone.is_empty() {
        model.say(format!("{gone} went first. Step back to undo."));
    }
}
