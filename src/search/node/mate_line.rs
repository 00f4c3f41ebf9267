//! Lines of proven mates.
//!
//! Mates lie outside the aspiration window, so a search of the root that finds one ends in a bound.
//! The bound proves that the mate takes at most so many plies, but most of its tree ended in TT
//! cutoffs, so there is no line. To search the mate again with an open window would prove all of it
//! again, at full width. Instead this walk takes the mating move of each node from the TT, and for
//! the other side the move that lasts longest. Each claim is verified: a node whose mate the TT
//! does not prove is searched with a zero window at the mate, and if that fails there is no line.
//! Then the entries that led there are erased, so that the next search proves the mate otherwise.

use crate::search::state::{Aborted, NonPv, Window};
use crate::search::tt::TtEntry;
use crate::types::{Depth, Move, Score};

use super::searcher::Searcher;

/// Defence against a mate, with the plies from there to the mate that is proven against it.
struct Defence {
    mv: Move,
    plies: usize,
}

impl Searcher<'_> {
    /// Records the line of a mate that the last search of the root has proven. Returns false if the
    /// proof does not hold.
    ///
    /// `score` is an upper bound on the length: a win by the move that failed high, or a loss by
    /// all moves that the search of the root may choose from.
    pub(crate) fn build_mate_line(&mut self, score: Score) -> Result<bool, Aborted> {
        let plies = (Score::MATE.0 - score.0.abs()) as usize;
        let is_built = match self.root.failed_high_move() {
            Some(mv) if score.is_win() => self.mates_after(mv, 0, plies)?,
            _ => self.is_mated(&self.root.searched_moves(), 0, plies)?,
        };
        if is_built {
            let line = self.pv.line(0);
            let plies = line.len();
            let score = if score.is_win() { Score::mate_in(plies) } else { Score::mated_in(plies) };
            self.root.record_line(Window::FULL, score, self.seldepth.max(plies), line);
        }
        Ok(is_built)
    }

    /// Returns whether the side to move mates within `plies`. If so, its line is in the PV table.
    fn mates(&mut self, ply: usize, plies: usize) -> Result<bool, Aborted> {
        let Some(entry) = self.mating_entry(ply, plies)? else { return Ok(false) };
        let is_mate = match entry.mv.filter(|&mv| self.board.is_legal(mv)) {
            Some(mv) => self.mates_after(mv, ply, plies_to_mate(&entry, ply))?,
            None => false,
        };
        if !is_mate {
            self.shared.tt.erase(self.board.search_key());
        }
        Ok(is_mate)
    }

    fn mates_after(&mut self, mv: Move, ply: usize, plies: usize) -> Result<bool, Aborted> {
        self.make_move_of_line(ply, mv);
        let moves = self.board.legal_moves();
        let is_mate = self.is_mated(&moves, ply + 1, plies - 1)?;
        if !is_mate {
            self.shared.tt.erase(self.board.search_key());
        }
        self.unmake_move();
        if is_mate {
            self.pv.update(ply, mv);
        }
        Ok(is_mate)
    }

    /// Returns whether the side to move is mated within `plies` after each of `moves`. If so, the
    /// line with the longest defence is in the PV table.
    fn is_mated(&mut self, moves: &[Move], ply: usize, plies: usize) -> Result<bool, Aborted> {
        self.pv.clear(ply);
        if ply > 0 && self.board.is_draw(ply) {
            return Ok(false);
        }
        if moves.is_empty() {
            return Ok(self.board.in_check());
        }
        if plies < 2 {
            return Ok(false);
        }
        let mut defences = Vec::with_capacity(moves.len());
        for &mv in moves {
            self.make_move_of_line(ply, mv);
            let entry = self.mating_entry(ply + 1, plies - 1)?;
            self.unmake_move();
            let Some(entry) = entry else { return Ok(false) };
            defences.push(Defence { mv, plies: plies_to_mate(&entry, ply + 1) });
        }
        loop {
            let longest = defences.iter_mut().max_by_key(|defence| defence.plies);
            let Some(Defence { mv, plies }) = longest else { return Ok(false) };
            self.make_move_of_line(ply, *mv);
            let is_mate = self.mates(ply + 1, *plies)?;
            self.unmake_move();
            if !is_mate {
                return Ok(false);
            }
            let found = self.pv.line(ply + 1).len();
            if found == *plies {
                self.pv.update(ply, *mv);
                return Ok(true);
            }
            // On the way a shorter mate was found, so another defence may last longer.
            *plies = found;
        }
    }

    /// Returns the TT entry of a node where the side to move mates within `plies`, after a search
    /// where it has none yet; `None` if the mate is not proven.
    fn mating_entry(&mut self, ply: usize, plies: usize) -> Result<Option<TtEntry>, Aborted> {
        if self.board.is_draw(ply) {
            return Ok(None);
        }
        let beta = Score::mate_in(ply + plies);
        let probe = |searcher: &Self| {
            let clock = searcher.board.halfmove_clock();
            let entry = searcher.shared.tt.probe(searcher.board.search_key(), ply, clock);
            entry.filter(|entry| entry.score >= beta && entry.proves_mate())
        };
        if let Some(entry) = probe(self) {
            return Ok(Some(entry));
        }
        // Low depths are cheap, but prune too much where the mate is far and the TT lost its tree.
        let most = self.root.depth();
        for depth in (most - ply as Depth).max(1)..=most {
            self.alpha_beta::<NonPv>(Window::above(beta - 1), depth, ply, true)?;
            if let Some(entry) = probe(self) {
                return Ok(Some(entry));
            }
        }
        Ok(None)
    }

    fn make_move_of_line(&mut self, ply: usize, mv: Move) {
        self.stack.frame_mut(ply).static_eval = None;
        self.make_move(ply, mv);
    }
}

/// Returns the plies from a node to the mate that its entry proves.
fn plies_to_mate(entry: &TtEntry, ply: usize) -> usize {
    (Score::MATE - entry.score).0 as usize - ply
}
