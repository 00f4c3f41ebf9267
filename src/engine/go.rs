//! What a `go` sets in motion.

use crate::engine::protocol::{Go, Quoted, Reply};
use crate::engine::tablebase::known_moves;
use crate::engine::{Activity, Engine};
use crate::search::{Limits, SearchRequest, TablebaseOptions};
use crate::types::Move;

/// A move that interfaces send when no root move at all is allowed.
const NULL_MOVE: &str = "0000";

impl Engine {
    /// Starts a search, or answers that there is none to do.
    pub(super) fn go(&mut self, go: Go) {
        let Go { mut limits, search_moves, received } = go;
        if let Some(reason) = &self.refused {
            let error = format!("no position to search: {reason}");
            self.fail(error);
            return self.answer_without_search(&limits);
        }
        match self.root_moves(&search_moves) {
            Some(moves) => limits.search_moves = moves,
            None => return self.answer_without_search(&limits),
        }
        if let Some(mv) = self.book_move(&limits) {
            // One ply, so that it comes with a score.
            limits = Limits { depth: Some(1), search_moves: vec![mv], ..Limits::default() };
        }
        let mut options = self.search_options.clone();
        let weak = if self.analyse_mode {
            None
        } else {
            self.level.prepare(&self.board, &mut limits, &mut options)
        };
        let known_moves = known_moves(&self.board, &limits, &options.tablebases);
        // Where no table can add to what is known, and where a mate is asked for, of which tables know nothing, they
        // rest during the search.
        if limits.mate.is_some() || known_moves.iter().any(|known| known.dtz.is_some()) {
            options.tablebases = TablebaseOptions::default();
        }
        let (infinite, pondering) = (limits.infinite, limits.ponder);
        self.generation += 1;
        let request = SearchRequest {
            board: self.board.clone(),
            network: self.network.clone(),
            limits,
            known_moves,
            options,
            // What waits in the queue loses no time while something else runs.
            start: received.max(self.free_since),
        };
        let pool = weak.unwrap_or(&mut self.pool);
        let handle = pool.start(request, self.generation, self.event_sender.clone());
        self.activity = Activity::Search { handle, infinite, pondering };
    }

    /// The legal moves among these, empty for no restriction. `None` when no move at all may be searched.
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
            let all = if moves.is_empty() { "; all moves are searched" } else { "" };
            let illegal = illegal.join(" ");
            self.note(format!("searchmoves: no legal move: {}{all}", Quoted(&illegal)));
        }
        Some(moves)
    }

    /// The opening book's move, if it is to be played.
    fn book_move(&mut self, limits: &Limits) -> Option<Move> {
        if self.analyse_mode {
            return None;
        }
        let mv = self.own_book.choose(&self.board, limits)?;
        self.note(format!("{} is a book move", mv.display(self.chess960)));
        Some(mv)
    }

    /// Says `bestmove (none)` as soon as the kind of search allows it.
    fn answer_without_search(&mut self, limits: &Limits) {
        self.reply(Reply::NoScore);
        if limits.infinite || limits.ponder {
            self.activity = Activity::Answered { pondering: limits.ponder && !limits.infinite };
        } else {
            self.reply(self.no_move());
        }
    }
}
