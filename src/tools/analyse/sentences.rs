//! Sentences on the mistakes and blunders of a game, made of claims that are proven.

use crate::board::{Board, numbered_line};
use crate::pgn::PgnGame;
use crate::tools::balance::{MaterialChange, piece_name};
use crate::types::{Move, Piece, Square};

use super::analysis::GameAnalysis;
use super::claims::{Advantage, BadMove, Claim, Means, Protection, QUOTED_PLIES};
use super::judge::Judgement;

/// Adds at most two sentences to each mistake and blunder of a game, and none to other moves.
pub(super) fn add_words(game: &PgnGame, analysis: &mut GameAnalysis) {
    let mut board = game.start.clone();
    let mut previous = None;
    let pairs = analysis.positions.windows(2).zip(&mut analysis.moves);
    for (played, (pair, judged)) in game.line.moves.iter().zip(pairs) {
        let is_bad = matches!(judged.judgement, Some(Judgement::Mistake | Judgement::Blunder));
        judged.words = Some(match pair {
            [before, after] if is_bad => {
                sentences(&BadMove::new(&board, previous, played.mv, [before, after]))
            }
            _ => Vec::new(),
        });
        board.make_move_or_null(played.mv);
        previous = played.mv;
    }
}

fn sentences(bad: &BadMove<'_>) -> Vec<String> {
    bad.claims().into_iter().map(|claim| sentence(bad, claim)).collect()
}

fn sentence(bad: &BadMove<'_>, claim: Claim) -> String {
    let (before, after) = (&bad.before, &bad.after);
    let reply = |plies: usize| quoted(after, bad.reply, plies);
    let better = |plies: usize| quoted(before, bad.better, plies);
    let opponent = !bad.side();
    match claim {
        Claim::Stalemates => format!("Stalemate: {opponent} has no legal move."),
        Claim::AllowsMate(moves) => format!("Allows mate in {moves}{}.", mate(after, bad.reply)),
        Claim::MissesMate(moves) => format!("Misses mate in {moves}{}.", mate(before, bad.better)),
        Claim::LosesPiece(square, protection) => {
            let protection = match protection {
                Protection::None => "it is not protected".to_owned(),
                Protection::Left(from) => {
                    format!("the {} no longer protects it", kind(before, from))
                }
                Protection::Pinned(pinned) => format!("{} is pinned", piece(after, pinned)),
                Protection::King => "the king cannot take back".to_owned(),
            };
            format!("Loses {}: {} takes it, and {protection}.", piece(after, square), reply(1))
        }
        Claim::LosesMaterial(loss, means) => {
            format!("{}: {}.", loss_text(&loss), means_text(bad, means))
        }
        Claim::AllowsPromotion(plies) => format!("Lets a pawn promote: {}.", reply(plies)),
        Claim::MissesPromotion(plies) => format!("Misses a promotion: {}.", better(plies)),
        Claim::Better(advantage) => {
            let plies = if let Advantage::Wins(_, plies) = advantage { plies } else { 1 };
            format!("Better is {}, which {}.", better(plies), advantage_text(before, advantage))
        }
    }
}

fn means_text(bad: &BadMove<'_>, means: Means) -> String {
    let after = &bad.after;
    let reply = |plies: usize| quoted(after, bad.reply, plies);
    match means {
        Means::Fork([one, other]) => {
            format!("{} forks {} and {}", reply(1), piece(after, one), piece(after, other))
        }
        Means::Pin(square) => format!("{} pins {}", reply(1), piece(after, square)),
        Means::Attack(square) => {
            let mut later = after.clone();
            bad.reply.iter().take(2).for_each(|&mv| later.make_move(mv));
            let capture = quoted(&later, &bad.reply[2..], 1);
            format!("{} attacks {}, and {capture} takes it", reply(1), piece(after, square))
        }
        Means::Overload { guard, taken: [one, other] } => format!(
            "{}, as {} had to protect both {} and {}",
            reply(3),
            piece(after, guard),
            piece(after, one),
            piece(after, other)
        ),
        Means::Line(plies) => reply(plies),
    }
}

/// Continues `Better is …, which`.
fn advantage_text(before: &Board, advantage: Advantage) -> String {
    match advantage {
        Advantage::TakesBack => "takes back".to_owned(),
        Advantage::PreventsMate => "prevents it".to_owned(),
        Advantage::Wins(gain, _) => gain_text(&gain),
        Advantage::Takes(square) => format!("takes {}", piece(before, square)),
        Advantage::MovesAway(square) => format!("moves the {} away", kind(before, square)),
        Advantage::Protects(square) => format!("protects {}", piece(before, square)),
    }
}

/// Returns `Loses a rook`, or `Gives a rook for a knight`.
fn loss_text(loss: &MaterialChange) -> String {
    let (lost, won) = (loss.lost_text(), loss.won_text());
    if won.is_empty() { format!("Loses {lost}") } else { format!("Gives {lost} for {won}") }
}

/// Returns `wins a rook`, or `wins a rook for a knight`.
fn gain_text(gain: &MaterialChange) -> String {
    let (lost, won) = (gain.lost_text(), gain.won_text());
    if lost.is_empty() { format!("wins {won}") } else { format!("wins {won} for {lost}") }
}

/// Returns the line of a mate after a colon, or the first move of a long one.
fn mate(board: &Board, line: &[Move]) -> String {
    if line.len() <= QUOTED_PLIES {
        format!(": {}", quoted(board, line, line.len()))
    } else {
        format!(", which begins with {}", quoted(board, line, 1))
    }
}

/// Returns the first moves of a line with their numbers.
fn quoted(board: &Board, line: &[Move], plies: usize) -> String {
    numbered_line(board, &line[..line.len().min(plies)])
}

/// Returns a piece with its square: `the knight on f3`.
fn piece(board: &Board, square: Square) -> String {
    format!("the {} on {square}", kind(board, square))
}

fn kind(board: &Board, square: Square) -> &'static str {
    board.piece_on(square).map(Piece::piece_type).map_or("piece", piece_name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::chances::Chances;
    use crate::tools::analyse::analysis::Evaluation;
    use crate::types::Score;

    fn evaluation(board: &Board, score: Score, line: &str) -> Evaluation {
        let mut end = board.clone();
        let play = |san| {
            let mv = end.parse_san(san).expect("a legal move");
            end.make_move(mv);
            mv
        };
        let line = line.split_whitespace().map(play).collect();
        let chances = Chances::of(score, board);
        Evaluation { score, chances, line, other_lines: Vec::new(), depth: 1, nodes: 1 }
    }

    /// Returns the sentences on the last of these moves by the best reply and the better line. The
    /// mates are those that the better line has and that the reply has, 0 for none.
    fn words(fen: &str, moves: &[&str], reply: &str, better: &str, mates: [usize; 2]) -> String {
        let mut before = Board::from_fen(fen).expect("a position");
        let (mut previous, mut played) = (None, None);
        let mut after = before.clone();
        for san in moves {
            before = after.clone();
            previous = played;
            played = Some(after.parse_san(san).expect("a legal move"));
            after.make_move_or_null(played);
        }
        let scores = mates.map(|moves| match moves {
            0 => Score(100),
            _ => Score::mate_in(2 * moves - 1),
        });
        words_of([&before, &after], [previous, played], [better, reply], scores)
    }

    /// The scores are those of the side to move, before and after the move.
    fn words_of(
        [before, after]: [&Board; 2],
        [previous, played]: [Option<Move>; 2],
        [better, reply]: [&str; 2],
        [best, left]: [Score; 2],
    ) -> String {
        let side = before.side_to_move();
        let better = evaluation(before, best.for_white(side), better);
        let reply = evaluation(after, left.for_white(!side), reply);
        sentences(&BadMove::new(before, previous, played, [&better, &reply])).join(" ")
    }

    #[test]
    fn a_piece_is_lost_because_nothing_takes_back() {
        for (fen, mv, reply, better, expected) in [
            (
                "4r1k1/8/8/4N3/8/8/P7/7K w - - 0 1",
                "a3",
                "Rxe5",
                "Nf3",
                "Loses the knight on e5: 1... Rxe5 takes it, and it is not protected. \
                 Better is 1. Nf3, which moves the knight away.",
            ),
            (
                "4r1k1/8/8/4N3/8/8/P4P2/7K w - - 0 1",
                "a3",
                "Rxe5",
                "f4",
                "Loses the knight on e5: 1... Rxe5 takes it, and it is not protected. \
                 Better is 1. f4, which protects the knight on e5.",
            ),
            (
                "6k1/2p5/3b4/1N2N3/8/8/P7/7K w - - 0 1",
                "a3",
                "Bxe5",
                "Nxd6 cxd6",
                "Loses the knight on e5: 1... Bxe5 takes it, and it is not protected. \
                 Better is 1. Nxd6, which takes the bishop on d6.",
            ),
            (
                "4rnk1/3b4/8/4N3/8/8/P7/7K w - - 0 1",
                "a3",
                "Rxe5",
                "Nxd7 Nxd7",
                "Loses the knight on e5: 1... Rxe5 takes it, and it is not protected. \
                 Better is 1. Nxd7, which takes the bishop on d7.",
            ),
            (
                "4r1k1/8/8/4N3/3Q4/8/8/7K w - - 0 1",
                "Qd1",
                "Rxe5",
                "Nf3",
                "Loses the knight on e5: 1... Rxe5 takes it, and the queen no longer protects it. \
                 Better is 1. Nf3, which moves the knight away.",
            ),
            (
                "6rk/1b6/8/8/8/5N2/P5P1/6K1 w - - 0 1",
                "a3",
                "Bxf3",
                "Kf2",
                "Loses the knight on f3: 1... Bxf3 takes it, and the pawn on g2 is pinned.",
            ),
            (
                "5r1k/1b6/8/8/8/5NK1/P7/8 w - - 0 1",
                "a3",
                "Bxf3",
                "Nd4",
                "Loses the knight on f3: 1... Bxf3 takes it, and the king cannot take back. \
                 Better is 1. Nd4, which moves the knight away.",
            ),
        ] {
            assert_eq!(words(fen, &[mv], reply, better, [0, 0]), expected);
        }
    }

    #[test]
    fn the_means_of_the_reply_are_named() {
        for (fen, mv, reply, better, expected) in [
            (
                "6k1/8/8/8/3n4/8/7P/R3K3 w - - 0 1",
                "h3",
                "Nc2+ Kd1 Nxa1",
                "Rd1",
                "Loses a rook: 1... Nc2+ forks the king on e1 and the rook on a1. \
                 Better is 1. Rd1, which moves the rook away.",
            ),
            (
                "5bk1/8/8/8/8/2N5/7P/4K3 w - - 0 1",
                "h3",
                "Bb4 h4 Bxc3+ Kd1",
                "Nb1",
                "Loses a knight: 1... Bb4 pins the knight on c3. \
                 Better is 1. Nb1, which moves the knight away.",
            ),
            (
                "6k1/6p1/7p/8/7B/6P1/7P/K7 w - - 0 1",
                "Kb1",
                "g5 Kb2 gxh4 gxh4",
                "Bd8",
                "Gives a bishop for a pawn: 1... g5 attacks the bishop on h4, and 2... gxh4 takes \
                 it. Better is 1. Bd8, which moves the bishop away.",
            ),
            (
                "6k1/6b1/8/8/6b1/5N2/7P/R2Q2K1 w - - 0 1",
                "Kh1",
                "Bxf3+ Qxf3 Bxa1",
                "Rc1 Bxf3 Qxf3",
                "Gives a rook and a knight for a bishop: 1... Bxf3+ 2. Qxf3 Bxa1, as the queen on \
                 d1 had to protect both the knight on f3 and the rook on a1. \
                 Better is 1. Rc1, which moves the rook away.",
            ),
            (
                "4r1k1/8/2n5/4P3/8/5N2/P7/2B3K1 w - - 0 1",
                "a3",
                "Nxe5 Nxe5 Rxe5",
                "Bf4",
                "Loses a pawn: 1... Nxe5.",
            ),
            (
                "6k1/6b1/8/8/3N4/8/1P5P/7K w - - 0 1",
                "h3",
                "Bxd4 h4 Bxb2",
                "Nf3 Bxb2",
                "Loses a knight and a pawn: 1... Bxd4 2. h4 Bxb2.",
            ),
            (
                "6k1/8/8/8/8/Rp6/8/7K w - - 0 1",
                "Kg2",
                "b2 Kf2 b1=Q",
                "Rxb3 Kf7 Kg2 Ke6",
                "Lets a pawn promote: 1... b2 2. Kf2 b1=Q.",
            ),
        ] {
            assert_eq!(words(fen, &[mv], reply, better, [0, 0]), expected);
        }
    }

    #[test]
    fn mates_come_first() {
        let opened = "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3";
        assert_eq!(
            words(opened, &["Nf6"], "Qxf7#", "g6", [0, 1]),
            "Allows mate in 1: 4. Qxf7#. Better is 3... g6, which prevents it."
        );
        let back_rank = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
        assert_eq!(words(back_rank, &["Kd2"], "h6", "Ra8#", [1, 0]), "Misses mate in 1: 1. Ra8#.");
        assert_eq!(
            words("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", &["Qf7"], "", "Qf8#", [1, 0]),
            "Stalemate: Black has no legal move. Misses mate in 1: 1. Qf8#."
        );
        // A line that does not end in mate proves none.
        assert_eq!(words(back_rank, &["Kd2"], "h6", "Ra5", [1, 0]), "");
    }

    #[test]
    fn the_better_move_may_be_all_there_is_to_say() {
        for (fen, moves, reply, better, expected) in [
            (
                "6k1/8/8/4n3/8/5N2/P5K1/8 w - - 0 1",
                &["a3"][..],
                "Nxf3 Kxf3",
                "Nxe5",
                "Better is 1. Nxe5, which wins a knight.",
            ),
            (
                "r3k3/8/8/3N4/8/8/P7/6K1 w - - 0 1",
                &["a3"],
                "Kd7",
                "Nc7+ Kd7 Nxa8",
                "Better is 1. Nc7+ Kd7 2. Nxa8, which wins a rook.",
            ),
            (
                "6k1/8/8/8/6b1/5N2/P5P1/6K1 b - - 0 1",
                &["Bxf3", "a3"],
                "Bb7",
                "gxf3",
                "Better is 2. gxf3, which takes back.",
            ),
            (
                "6k1/1P6/8/8/8/8/8/7K w - - 0 1",
                &["Kg2"],
                "Kf7",
                "b8=Q+ Kg7",
                "Misses a promotion: 1. b8=Q+.",
            ),
        ] {
            assert_eq!(words(fen, moves, reply, better, [0, 0]), expected);
        }
    }

    #[test]
    fn nothing_is_said_that_the_lines_do_not_prove() {
        let attacked = "4r1k1/8/8/4N3/8/8/P7/7K w - - 0 1";
        // The better line loses the knight as well.
        assert_eq!(words(attacked, &["a3"], "Rxe5", "Kg1 Rxe5", [0, 0]), "");
        // Nothing is taken.
        assert_eq!(words(attacked, &["a3"], "Kf8", "Nf3", [0, 0]), "");
        // The line stops before the knight is taken back.
        let protected = "4r1k1/8/8/4N3/3P4/8/P7/7K w - - 0 1";
        assert_eq!(words(protected, &["a3"], "Rxe5", "Nf3", [0, 0]), "");
    }

    #[test]
    fn lines_prove_no_material_where_the_result_is_known() {
        let before = Board::from_fen("8/8/8/8/3pk3/8/4K3/8 w - - 0 1").expect("a position");
        let mut after = before.clone();
        let played = Some(after.parse_san("Kf2").expect("a legal move"));
        after.make_move_or_null(played);
        let lines = ["Kd2 d3 Kd1 d2 Kxd2", "d3 Kf1 Kf3"];
        for (best, expected) in [
            (Score(30), "Better is 1. Kd2 d3 2. Kd1 d2 3. Kxd2, which wins a pawn."),
            (Score::DRAW, ""),
            (Score::tablebase_win_in(9), ""),
        ] {
            let scores = [best, Score::tablebase_win_in(20)];
            let words = words_of([&before, &after], [None, played], lines, scores);
            assert_eq!(words, expected, "{best:?}");
        }
    }
}
