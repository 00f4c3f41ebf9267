//! Setters of the options that can fail or affect more than one field.

use std::path::Path;
use std::sync::Arc;

use crate::eval::Network;
use crate::tablebase::Tablebases;
use crate::text::{Quoted, ShownPath};

use super::actor::Engine;
use super::level::{MAX_ELO, MAX_SKILL};
use super::protocol::Reply;

impl Engine {
    pub(super) fn set_hash(&mut self, mib: u32) {
        if let Err(error) = self.pool.set_hash(mib as usize) {
            let kept = self.pool.tt().mib();
            self.fail(format!("Hash: {error}; using {kept} MiB"));
        }
    }

    pub(super) fn set_threads(&mut self, threads: u32) {
        if let Err(error) = self.pool.set_threads(threads as usize) {
            let running = self.pool.threads();
            self.fail(format!("Threads: cannot start {threads}: {error}; using {running}"));
        }
        let (threads, searching) = (self.pool.threads(), self.pool.searching());
        if searching < threads {
            let note = format!("Threads: only {searching} of {threads} search: too few processors");
            self.note(note);
        }
    }

    /// Sets all options of strength: to a rating, or to their defaults for full strength.
    pub(super) fn set_strength(&mut self, elo: Option<u32>) {
        self.level.is_on = elo.is_some();
        self.level.elo = elo.unwrap_or(MAX_ELO);
        self.level.skill = MAX_SKILL;
    }

    pub(super) fn set_chess960(&mut self, on: bool) {
        self.reply(Reply::Chess960(on));
    }

    pub(super) fn set_network(&mut self, path: &str) {
        let network = if path.is_empty() {
            Ok(Network::embedded())
        } else {
            Network::read(Path::new(path)).map(Arc::new)
        };
        match network {
            Ok(network) if network == self.network => {}
            Ok(network) => {
                self.network = network;
                // The TT and the histories hold scores of the old network.
                self.pool.clear();
            }
            Err(error) => {
                self.fail(format!("EvalFile {}: {error}; keeping the old network", Quoted(path)));
            }
        }
    }

    pub(super) fn set_book(&mut self, path: &str) {
        if path.is_empty() {
            return self.own_book.close();
        }
        let name = Quoted(path);
        match self.own_book.open(Path::new(path)) {
            Ok(entries) => self.note(format!("Book File {name}: {entries} entries")),
            Err(error) => self.fail(format!("Book File {name}: {error}; keeping the old book")),
        }
    }

    pub(super) fn set_log(&mut self, path: &str) {
        let opened = if path.is_empty() {
            return self.log.close();
        } else if path.contains(char::REPLACEMENT_CHARACTER) {
            // The file would have another name.
            Err("the path is not UTF-8".to_owned())
        } else {
            self.log.open(Path::new(path)).map_err(|error| error.to_string())
        };
        if let Err(error) = opened {
            self.fail(format!("Debug Log File {}: {error}; keeping the old log", Quoted(path)));
        }
    }

    pub(super) fn set_tablebases(&mut self, folders: &str) {
        const MAX_NAMED: usize = 3;
        if folders.is_empty() {
            self.search_options.tablebases.tables = Arc::default();
            return;
        }
        let (tables, inventory) = Tablebases::open(folders);
        for (path, error) in inventory.rejected.iter().take(MAX_NAMED) {
            self.fail(format!("SyzygyPath: {}: {error}", ShownPath(path)));
        }
        if let Some(more @ 1..) = inventory.rejected.len().checked_sub(MAX_NAMED) {
            self.fail(format!("SyzygyPath: {more} more cannot be used"));
        }
        if inventory.wdl == 0 {
            return self.fail(format!("SyzygyPath: {inventory}; keeping the old tablebases"));
        }
        self.search_options.tablebases.tables = Arc::new(tables);
        self.note(format!("SyzygyPath: {inventory}"));
    }
}
