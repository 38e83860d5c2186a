//! Work carried elsewhere and back: exports of a moment, imports as an act.

use tidemark_protocol::{ExportForm, ScriptState};

use super::{Sandbox, SandboxError};
use crate::export::{self, ExportedFile};
use crate::import::Folder;

impl Sandbox {
    /// A file of a moment, to go on elsewhere; of the newest one for an index behind the end.
    ///
    /// Errors: the store cannot be exported as it is; the text says why and what to do.
    pub fn export(&self, index: usize, form: ExportForm) -> Result<ExportedFile, SandboxError> {
        let moment = &self.moments[index.min(self.moments.len() - 1)];
        export::file(&moment.world, &moment.script.text, form).map_err(SandboxError)
    }

    /// Why an archive cannot be imported now.
    pub(super) fn refuse_import(&self, name: &str, archive: &str) -> Option<String> {
        if matches!(self.script.state, ScriptState::Running | ScriptState::Parked) {
            return Some(format!("A script runs on this store. Stop it first, then import {name}."));
        }
        match Folder::read(name, archive) {
            Ok(folder) => self.no_room(name, folder.bytes()),
            Err(reason) => Some(reason),
        }
    }

    /// Unpacks an archive into the store; `refuse_import` has seen that it is whole.
    pub(super) fn import(&mut self, name: &str, archive: &str) {
        let Ok(mut folder) = Folder::read(name, archive) else { return };
        let files = folder.files();
        if let Some(text) = folder.script.take() {
            self.script.text = text.as_str().into();
        }
        // The learner imports even while the driver is down; a run that comes is a new one.
        let down = self.world.crashed().map(str::to_owned);
        self.world.restart();
        folder.place(&mut self.world);
        if let Some(place) = down {
            self.world.crash_now(&place);
        }
        let noun = if files == 1 { "file" } else { "files" };
        self.record(&format!("{name} was imported: {files} {noun}."), None, None, true);
    }
}
