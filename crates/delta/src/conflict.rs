//! The conflict rule: whether a commit that came first takes the ground from under a transaction.
//!
//! Source: Delta's `ConflictChecker`; the checks and their order are those of Serializable isolation.

use std::collections::BTreeSet;

use crate::action::Action;
use crate::condition::{self, Winner};
use crate::error::Result;
use crate::protocol;

/// What the transaction has read and wants to do.
#[derive(Clone, Debug, Default)]
pub(crate) struct Claim {
    pub(crate) table_path: String,
    /// Whether every file counts as read, those of later commits too.
    pub(crate) read_whole_table: bool,
    /// The paths of the files that were read.
    pub(crate) read_files: BTreeSet<String>,
    /// The applications that were looked up.
    pub(crate) app_ids: BTreeSet<String>,
    /// Whether the transaction changes rows; one that only moves them does not mind what others add.
    pub(crate) changes_data: bool,
}

/// Refuses if the winner's commit conflicts with what this transaction read or does.
pub(crate) fn check(claim: &Claim, actions: &[Action], version: i64, winner: &[Action]) -> Result<()> {
    let info = winner.iter().find_map(|action| match action {
        Action::CommitInfo(info) => Some(info),
        _ => None,
    });
    let winner_ref = Winner { version, info };
    check_table(claim, actions, winner, &winner_ref)?;
    check_applications(claim, winner, &winner_ref)?;
    check_files(claim, actions, winner, &winner_ref)
}

fn check_table(claim: &Claim, actions: &[Action], winner: &[Action], place: &Winner<'_>) -> Result<()> {
    let ours = actions.iter().any(|action| matches!(action, Action::Protocol(_)));
    for action in winner {
        if let Action::Protocol(changed) = action {
            protocol::check_writable(&claim.table_path, changed)?;
            if ours {
                return Err(condition::protocol_changed(place).into());
            }
        }
    }
    if winner.iter().any(|action| matches!(action, Action::Metadata(_))) {
        return Err(condition::metadata_changed(&claim.table_path, place).into());
    }
    for action in winner {
        if let Action::DomainMetadata(theirs) = action {
            let both = |a: &Action| matches!(a, Action::DomainMetadata(d) if d.domain == theirs.domain);
            if actions.iter().any(both) {
                return Err(condition::concurrent_transaction(place).into());
            }
        }
    }
    Ok(())
}

fn check_applications(claim: &Claim, winner: &[Action], place: &Winner<'_>) -> Result<()> {
    let looked_up =
        |action: &Action| matches!(action, Action::Txn(txn) if claim.app_ids.contains(&txn.app_id));
    if winner.iter().any(looked_up) { Err(condition::concurrent_transaction(place).into()) } else { Ok(()) }
}

fn check_files(claim: &Claim, actions: &[Action], winner: &[Action], place: &Winner<'_>) -> Result<()> {
    let reads = claim.read_whole_table || !claim.read_files.is_empty();
    let adds = winner.iter().any(|action| matches!(action, Action::Add(_)));
    if reads && claim.changes_data && adds {
        return Err(condition::concurrent_append(&claim.table_path, place).into());
    }
    let removed: Vec<&str> = winner
        .iter()
        .filter_map(|action| match action {
            Action::Remove(remove) => Some(remove.path.as_str()),
            _ => None,
        })
        .collect();
    let read = |path: &&str| claim.read_whole_table || claim.read_files.contains(*path);
    if removed.iter().any(read) {
        return Err(condition::concurrent_delete_read(&claim.table_path, place).into());
    }
    let also_removed =
        |path: &&str| actions.iter().any(|a| matches!(a, Action::Remove(r) if r.path == **path));
    if removed.iter().any(also_removed) {
        return Err(condition::concurrent_delete_delete(&claim.table_path, place).into());
    }
    Ok(())
}
