//! Evaluation of the positions of a game, and judgement of its moves.

use std::sync::atomic::AtomicBool;

use serde::Serialize;

use crate::board::Board;
use crate::eval::chances::{Chances, normalised};
use crate::openings::{self, Opening};
use crate::pgn::PgnGame;
use crate::tools::analyser::Analyser;
use crate::tools::json::hundredths;
use crate::types::{Color, ColorMap, Depth, Move, Score};

use super::judge::{Judgement, accuracy, clamped, winning_chances};

/// Evaluated position, from White's view.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Evaluation {
    /// Normalised, see [`normalised`].
    pub(super) score: Score,
    pub(super) chances: Chances,
    /// Best line; empty if the game is over.
    pub(super) line: Vec<Move>,
    /// Lines of the next best moves with their scores, if several were searched.
    pub(super) other_lines: Vec<(Score, Vec<Move>)>,
    pub(super) depth: Depth,
    pub(super) nodes: u64,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct JudgedMove {
    pub(super) side: Color,
    /// Winning chances that the move loses, in percentage points.
    pub(super) loss: f64,
    /// Score loss in hundredths of a pawn, between scores that [`clamped`] returns.
    pub(super) loss_cp: i32,
    pub(super) judgement: Option<Judgement>,
    /// Sentences on a mistake or blunder; `None` if none were asked for.
    pub(super) words: Option<Vec<String>>,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct GameAnalysis {
    /// One more than the moves.
    pub(super) positions: Vec<Evaluation>,
    pub(super) moves: Vec<JudgedMove>,
    /// The last opening that the game passes through.
    pub(super) opening: Option<&'static Opening>,
}

/// Moves of a player, as in the records of docs/json.md.
#[derive(Copy, Clone, Default, PartialEq, Debug, Serialize)]
pub(super) struct PlayerSummary {
    pub(super) moves: usize,
    /// Mean accuracy in percent, to hundredths; `None` without moves.
    pub(super) accuracy: Option<f64>,
    /// Mean loss in hundredths of a pawn, to hundredths; `None` without moves.
    pub(super) loss_cp: Option<f64>,
    pub(super) inaccuracies: usize,
    pub(super) mistakes: usize,
    pub(super) blunders: usize,
}

/// Analyses a game from its end, so that the TT has the results of later positions. Calls
/// `progress` with the number of positions done, of all.
pub(super) fn analyse(
    analyser: &mut Analyser,
    game: &PgnGame,
    progress: &mut dyn FnMut(usize, usize),
) -> GameAnalysis {
    analyse_until(analyser, game, &AtomicBool::new(false), progress)
}

/// Analyses a game, with scores that mean nothing once the flag is set.
pub(super) fn analyse_until(
    analyser: &mut Analyser,
    game: &PgnGame,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(usize, usize),
) -> GameAnalysis {
    let moves = &game.line.moves;
    let mut board = game.start.clone();
    moves.iter().for_each(|played| board.make_move_or_null(played.mv));
    analyser.clear();
    let all = moves.len() + 1;
    let mut positions = Vec::new();
    progress(0, all);
    for index in (0..all).rev() {
        let is_last = index + 1 == all;
        positions.push(evaluate(analyser, &board, is_last, stop));
        progress(positions.len(), all);
        if index > 0 {
            board.unmake_move();
        }
    }
    positions.reverse();
    GameAnalysis::new(game, positions)
}

fn evaluate(
    analyser: &mut Analyser,
    board: &Board,
    is_last: bool,
    stop: &AtomicBool,
) -> Evaluation {
    if let Some(over) = Evaluation::of_end(board, is_last) {
        return over;
    }
    let side = board.side_to_move();
    let found = analyser.search_until(board, stop);
    let score = found.outcome.score;
    Evaluation {
        score: normalised(score).for_white(side),
        chances: Chances::of(score, board).for_white(side),
        line: found.best_line(),
        other_lines: found
            .other_lines()
            .into_iter()
            .map(|info| (normalised(info.score).for_white(side), info.pv.to_vec()))
            .collect(),
        depth: found.best_info().map_or(0, |info| info.depth),
        nodes: found.outcome.nodes,
    }
}

impl Evaluation {
    /// Returns the evaluation of a position in which the game is over.
    pub(super) fn of_end(board: &Board, is_last: bool) -> Option<Self> {
        let (score, side) = (final_score(board, is_last)?, board.side_to_move());
        let chances = Chances::of(score, board).for_white(side);
        Some(Self {
            score: score.for_white(side),
            chances,
            line: Vec::new(),
            other_lines: Vec::new(),
            depth: 0,
            nodes: 0,
        })
    }
}

/// Returns the score for the side to move if the game is over. A draw that has to be claimed counts
/// only at the last position.
fn final_score(board: &Board, is_last: bool) -> Option<Score> {
    if !board.has_legal_move() {
        return Some(if board.in_check() { Score::mated_in(0) } else { Score::DRAW });
    }
    let is_claimed = || is_last && (board.is_threefold() || board.is_fifty_move_draw());
    (board.is_insufficient_material() || is_claimed()).then_some(Score::DRAW)
}

fn judge(mv: Option<Move>, side: Color, before: &Evaluation, after: &Evaluation) -> JudgedMove {
    let own = |position: &Evaluation| position.score.for_white(side);
    let is_best = mv.is_some() && before.line.first().copied() == mv;
    let (loss, loss_cp) = if is_best {
        (0.0, 0)
    } else {
        let loss = winning_chances(own(before)) - winning_chances(own(after));
        let loss_cp = (clamped(own(before)) - clamped(own(after))).0;
        (loss.max(0.0), loss_cp.max(0))
    };
    JudgedMove { side, loss, loss_cp, judgement: Judgement::of(loss), words: None }
}

impl GameAnalysis {
    /// Judges the moves of a game by its positions, one more than the moves.
    pub(super) fn new(game: &PgnGame, positions: Vec<Evaluation>) -> Self {
        let mut board = game.start.clone();
        let mut moves = Vec::new();
        for (played, pair) in game.line.moves.iter().zip(positions.windows(2)) {
            moves.push(judge(played.mv, board.side_to_move(), &pair[0], &pair[1]));
            board.make_move_or_null(played.mv);
        }
        let played = game.line.moves.iter().map(|played| played.mv);
        let opening = openings::of_game(&game.start, played);
        Self { positions, moves, opening }
    }

    pub(super) fn players(&self) -> ColorMap<PlayerSummary> {
        let summary = |side| {
            let moves = || self.moves.iter().filter(move |judged| judged.side == side);
            let count = moves().count();
            let mean = |sum: f64| (count > 0).then(|| hundredths(sum / count as f64));
            let count_of = |kind| moves().filter(|judged| judged.judgement == Some(kind)).count();
            PlayerSummary {
                moves: count,
                accuracy: mean(moves().map(|judged| accuracy(judged.loss)).sum()),
                loss_cp: mean(moves().map(|judged| f64::from(judged.loss_cp)).sum()),
                inaccuracies: count_of(Judgement::Inaccuracy),
                mistakes: count_of(Judgement::Mistake),
                blunders: count_of(Judgement::Blunder),
            }
        };
        ColorMap::new(Color::ALL.map(summary))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::Reader;
    use crate::search::Limits;
    use crate::tools::analyser::SearchSetup;

    fn analysed(text: &str) -> GameAnalysis {
        let limits = Limits { nodes: Some(5_000), ..Limits::default() };
        let setup = SearchSetup::new(limits, 1, 1);
        let mut analyser = Analyser::new(&setup).expect("a megabyte");
        let game = Reader::new(text.as_bytes()).next().expect("a game").expect("legal");
        analyse(&mut analyser, &game, &mut |_, _| {})
    }

    #[test]
    fn a_blunder_is_seen_and_charged_to_its_player() {
        let analysis = analysed("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0");
        assert_eq!((analysis.positions.len(), analysis.moves.len()), (8, 7));
        let signs: Vec<_> = analysis.moves.iter().map(|judged| judged.judgement).collect();
        assert_eq!(signs[5..], [Some(Judgement::Blunder), None]);
        let last = &analysis.positions[7];
        assert_eq!((last.score, last.line.len()), (Score::MATE, 0));
        assert_eq!(analysis.positions[6].score.mate_moves(), Some(1));
        assert_eq!(last.chances, Chances { win: 1000, draw: 0, loss: 0 });
        let players = analysis.players();
        let (white, black) = (players[Color::White], players[Color::Black]);
        assert_eq!((white.moves, black.moves, black.blunders), (4, 3, 1));
        assert!(white.accuracy > black.accuracy && white.loss_cp < black.loss_cp);
    }

    #[test]
    fn a_null_move_of_the_game_is_judged_like_a_move() {
        let analysis = analysed("1. e4 e5 2. Qh5 Nc6 3. Bc4 -- 4. Qxf7# 1-0");
        let null = &analysis.moves[5];
        assert_eq!((null.side, analysis.positions.len()), (Color::Black, 8));
        assert!(null.loss > 10.0 && !analysis.positions[5].line.is_empty(), "{null:?}");
    }

    #[test]
    fn draws_by_rule_have_no_line() {
        let text = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1/2-1/2";
        let analysis = analysed(text);
        assert_eq!(analysis.positions.last().map(|last| last.score), Some(Score::DRAW));
        let longer = analysed(&text.replace("1/2-1/2", "5. e4 *"));
        assert!(!longer.positions[8].line.is_empty());
        assert_eq!(analysed("*").players()[Color::White], PlayerSummary::default());
    }
}
