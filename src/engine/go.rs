//! Start of a search: root moves, opening book, level and tablebases.

use crate::platform::Instant;
use crate::search::{Limits, SearchRequest};
use crate::text::Quoted;
use crate::types::Move;

use super::actor::{Activity, Engine};
use super::protocol::{Go, Reply};

/// Null move, which python-chess sends in `searchmoves` to forbid all root moves.
const NULL_MOVE: &str = "0000";

impl Engine {
    pub(super) fn go(&mut self, go: Go) {
        let Go { mut limits, search_moves, received } = go;
        if let Some(reason) = &self.rejected {
            let error = format!("go: no position to search: {reason}");
            self.fail(error);
            return self.answer_without_search(&limits);
        }
        match self.root_moves(&search_moves) {
            Some(moves) => limits.search_moves = moves,
            None => return self.answer_without_search(&limits),
        }
        let start = start_time(&limits, received, self.idle_since);
        if let Some(mv) = self.book_move(&limits) {
            // One ply of search adds a score to the book move.
            limits = Limits { depth: Some(1), search_moves: vec![mv], ..Limits::default() };
        }
        let (is_infinite, is_pondering) = (limits.infinite, limits.ponder);
        self.generation += 1;
        #[cfg(feature = "inject-panic")]
        crate::inject::panic_at(crate::inject::PanicPlace::Go, self.generation);
        let mut request = SearchRequest {
            network: self.network.clone(),
            options: self.search_options.clone(),
            start,
            last_score: self.last_score,
            ..SearchRequest::new(self.board.clone(), limits)
        };
        let level_pool = if self.analyse_mode { None } else { self.level.prepare(&mut request) };
        request.probe_root();
        let (pool, error) = match level_pool {
            Some(Ok(pool)) => (pool, None),
            // Sharing the TT of other searches costs no strength, but moves are not reproducible.
            // Scores that leave out replies must not enter it.
            Some(Err(error)) => {
                request.hidden_replies.clear();
                (&mut self.pool, Some(error))
            }
            None => (&mut self.pool, None),
        };
        let handle = pool.start(request, self.generation, self.event_sender.clone());
        if let Some(error) = error {
            self.fail(format!("level: {error}; searching with the usual threads"));
        }
        self.activity = Activity::Search { handle, is_infinite, is_pondering };
    }

    /// Returns the legal moves among these, empty for all; `None` if no move may be searched.
    fn root_moves(&self, texts: &[String]) -> Option<Vec<Move>> {
        let mut moves = Vec::new();
        let mut illegal = Vec::new();
        for text in texts {
            match self.board.parse_move(text) {
                Some(mv) if !moves.contains(&mv) => moves.push(mv),
                Some(_) => {}
                None => illegal.push(text.as_str()),
            }
        }
        if moves.is_empty() && illegal.contains(&NULL_MOVE) {
            return None;
        }
        if !illegal.is_empty() {
            let all = if moves.is_empty() { ", searching all moves" } else { "" };
            let illegal = illegal.join(" ");
            self.note(format!("searchmoves: illegal: {}{all}", Quoted(&illegal)));
        }
        Some(moves)
    }

    fn book_move(&mut self, limits: &Limits) -> Option<Move> {
        if self.analyse_mode {
            return None;
        }
        if self.own_book.take_missing() {
            self.note("OwnBook: there is no book, set Book File first".to_owned());
        }
        let mv = self.own_book.choose(&self.board, limits)?;
        self.reply(Reply::BookMove(mv));
        Some(mv)
    }

    /// Reports the errors in reading tablebases since the last report.
    pub(super) fn report_tablebase_errors(&mut self) {
        match self.search_options.tablebases.tables.take_errors() {
            None => {}
            Some((1, first)) => self.fail(format!("SyzygyPath: {first}")),
            Some((count, first)) => self.fail(format!("SyzygyPath: {first} ({count} errors)")),
        }
    }

    /// Sends `bestmove (none)` as soon as the limits allow it.
    fn answer_without_search(&mut self, limits: &Limits) {
        self.reply(Reply::DrawScore);
        if limits.infinite || limits.ponder {
            let is_pondering = limits.ponder && !limits.infinite;
            self.activity = Activity::Held { is_pondering };
        } else {
            self.reply_best_move(None, None);
        }
    }
}

/// Returns the start time of a search.
///
/// A game clock has run since the command was read, except during an earlier search or job.
/// Without a clock, earlier commands (a large `Hash`, `ucinewgame`) take none of its time.
fn start_time(limits: &Limits, received: Instant, idle_since: Instant) -> Instant {
    if limits.has_clock() { received.max(idle_since) } else { Instant::now() }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::types::ColorMap;

    #[test]
    fn only_a_clock_runs_while_earlier_commands_execute() {
        let received = Instant::now();
        let idle_since = received + Duration::from_nanos(1);
        std::thread::sleep(Duration::from_millis(1));
        let time = ColorMap::new([Some(Duration::from_secs(1)); 2]);
        let clock = Limits { time, ..Limits::default() };
        assert_eq!(start_time(&clock, received, idle_since), idle_since);
        let move_time = Limits { move_time: Some(Duration::from_secs(1)), ..Limits::default() };
        assert!(start_time(&move_time, received, idle_since) > idle_since);
    }
}
