//! [`Reply`]s as text.

use std::fmt;

use crate::board::{Board, FenStyle};
use crate::engine::about;
use crate::engine::protocol::Reply;
use crate::eval::chances::{Chances, normalised};
use crate::eval::network::{Network, SHAPE};
use crate::search::{Info, Tunable};
use crate::types::{Bound, Move};
use crate::uci::command::HELP;

/// One line of text, or several, without the last line's end.
impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id => {
                write!(f, "id name Tabia {}\nid author {}", about::VERSION, about::AUTHORS)
            }
            Self::Option(option) => write!(f, "option name {} {}", option.name, option.kind),
            Self::Tunable(Tunable { name, default, min, max, .. }) => {
                write!(f, "option name {name} type spin default {default} min {min} max {max}")
            }
            Self::UciOk => f.write_str("uciok"),
            Self::ReadyOk => f.write_str("readyok"),
            Self::Info { info, chances, chess960 } => write_info(f, info, *chances, *chess960),
            Self::CurrentMove { depth, mv, number, chess960 } => {
                let mv = mv.display(*chess960);
                write!(f, "info depth {depth} currmove {mv} currmovenumber {number}")
            }
            Self::NoScore => f.write_str("info depth 0 score cp 0"),
            Self::BestMove { best, ponder, chess960 } => {
                write_best_move(f, *best, *ponder, *chess960)
            }
            Self::Note(note) => write!(f, "info string {note}"),
            Self::Error(error) => write!(f, "info string error: {error}"),
            Self::Board { board, chess960 } => write_board(f, board, *chess960),
            Self::Evaluation(trace) => write!(f, "{trace}"),
            Self::Fen(text) | Self::Line(text) => f.write_str(text),
            Self::Moves { moves, chess960 } => {
                write!(f, "{} moves:", moves.len())?;
                moves.iter().try_for_each(|mv| write!(f, " {}", mv.display(*chess960)))
            }
            Self::Compiler => write!(
                f,
                "Compiled by {}\nfor        {}\nfeatures   {}\nprofile    {}\nnetwork    {SHAPE}, {}",
                about::COMPILER,
                about::TARGET,
                about::CPU_FEATURES,
                about::PROFILE,
                Network::embedded().kernel()
            ),
            Self::Version => write!(f, "Tabia {}", about::VERSION),
            Self::Help => write_help(f),
        }
    }
}

fn write_info(
    f: &mut fmt::Formatter<'_>,
    info: &Info,
    chances: Option<Chances>,
    chess960: bool,
) -> fmt::Result {
    if info.depth == 0 {
        // The root has no legal move: the result is all there is to say.
        return write!(f, "info depth 0 score {}", info.score);
    }
    let bound = match info.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    let time = info.time.as_millis();
    write!(
        f,
        "info depth {} seldepth {} multipv {} score {}{bound}",
        info.depth,
        info.seldepth,
        info.multi_pv,
        normalised(info.score),
    )?;
    if let Some(Chances { win, draw, loss }) = chances {
        write!(f, " wdl {win} {draw} {loss}")?;
    }
    write!(
        f,
        " nodes {} nps {} hashfull {} tbhits {} time {time} pv",
        info.nodes,
        u128::from(info.nodes) * 1000 / time.max(1),
        info.hashfull,
        info.tb_hits,
    )?;
    info.pv.iter().try_for_each(|mv| write!(f, " {}", mv.display(chess960)))
}

fn write_best_move(
    f: &mut fmt::Formatter<'_>,
    best: Option<Move>,
    ponder: Option<Move>,
    chess960: bool,
) -> fmt::Result {
    let Some(best) = best else { return f.write_str("bestmove (none)") };
    write!(f, "bestmove {}", best.display(chess960))?;
    ponder.map_or(Ok(()), |mv| write!(f, " ponder {}", mv.display(chess960)))
}

fn write_board(f: &mut fmt::Formatter<'_>, board: &Board, chess960: bool) -> fmt::Result {
    let style = if chess960 { FenStyle::Shredder } else { FenStyle::Standard };
    writeln!(f, "{}", board.pretty().trim_end())?;
    writeln!(f, "FEN: {}", board.fen(style))?;
    writeln!(f, "Key: {}", board.key())?;
    f.write_str("Checkers:")?;
    board.checkers().into_iter().try_for_each(|square| write!(f, " {square}"))
}

fn write_help(f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let header = "Tabia is a UCI chess engine: load it in a chess program, or type commands here or as arguments.";
    writeln!(f, "{header}\n")?;
    for (word, arguments, what) in HELP {
        writeln!(f, "  {:<44} {what}", format!("{word} {arguments}"))?;
    }
    write!(
        f,
        "\nLimits of go: searchmoves MOVE …, ponder, infinite, wtime, btime, winc, binc, movestogo, depth, nodes, mate,\n\
         movetime; go perft DEPTH counts. As arguments of the program: one command, or several if the first one\n\
         is quoted and contains a blank; also --help and --version."
    )
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::types::Score;

    fn info(score: Score, bound: Bound, time: Duration, chances: Option<Chances>) -> Reply {
        let board = Board::startpos();
        let pv = board.parse_move("e2e4").into_iter().collect();
        let (depth, seldepth, multi_pv, nodes, hashfull) = (3, 5, 1, 1000, 7);
        let tb_hits = 2;
        let info =
            Info { depth, seldepth, multi_pv, score, bound, nodes, time, hashfull, tb_hits, pv };
        Reply::Info { info: Box::new(info), chances, chess960: false }
    }

    #[test]
    fn an_info_line_has_its_words_in_order() {
        let time = Duration::from_millis(20);
        let line = info(Score::DRAW, Bound::Exact, time, None).to_string();
        let expected = "info depth 3 seldepth 5 multipv 1 score cp 0 nodes 1000 nps 50000 hashfull 7 tbhits 2 time 20 pv e2e4";
        assert_eq!(line, expected);
        let chances = Some(Chances { win: 70, draw: 900, loss: 30 });
        let line = info(Score::mate_in(3), Bound::Lower, time, chances).to_string();
        assert!(line.contains(" score mate 2 lowerbound wdl 70 900 30 nodes 1000 "), "{line}");
    }

    #[test]
    fn bounds_are_marked_and_no_time_divides_nothing() {
        let line = info(Score::mated_in(4), Bound::Upper, Duration::ZERO, None).to_string();
        assert!(line.contains(" score mate -2 upperbound nodes 1000 nps 1000000 "), "{line}");
    }

    #[test]
    fn castling_follows_the_option_and_no_move_has_its_word() {
        let board = Board::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").expect("a legal position");
        let best = board.parse_move("e1g1");
        let line = |chess960| Reply::BestMove { best, ponder: best, chess960 }.to_string();
        assert_eq!(line(false), "bestmove e1g1 ponder e1g1");
        assert_eq!(line(true), "bestmove e1h1 ponder e1h1");
        let none = Reply::BestMove { best: None, ponder: None, chess960: false };
        assert_eq!(none.to_string(), "bestmove (none)");
    }
}
