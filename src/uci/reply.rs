//! Text of the engine's replies.

use std::fmt;

use crate::board::{Board, FenStyle};
use crate::engine::about;
use crate::engine::protocol::{HelpTopic, Reply};
use crate::eval::Chances;
use crate::search::Info;
use crate::tools::per_second;
use crate::tools::perft::PerftReport;
use crate::types::{Bound, Move};

use super::help;
use super::spelling::{self, UciScore};

#[derive(Default)]
pub(crate) struct ReplyFormatter {
    /// Notation of castling; see [`Reply::Chess960`].
    chess960: bool,
}

impl ReplyFormatter {
    /// Returns one or more lines without the last line break; `None` for a reply without text.
    pub(crate) fn text(&mut self, reply: &Reply) -> Option<String> {
        match *reply {
            Reply::Chess960(on) => {
                self.chess960 = on;
                None
            }
            Reply::Position(_) => None,
            _ => Some(ReplyText { reply, chess960: self.chess960 }.to_string()),
        }
    }
}

struct ReplyText<'a> {
    reply: &'a Reply,
    chess960: bool,
}

impl fmt::Display for ReplyText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let chess960 = self.chess960;
        match self.reply {
            Reply::Id => {
                write!(f, "id name Tabia {}\nid author {}", about::VERSION, about::AUTHORS)
            }
            Reply::Options => f.write_str(&spelling::options()),
            Reply::UciOk => f.write_str("uciok"),
            Reply::ReadyOk => f.write_str("readyok"),
            Reply::Chess960(_) | Reply::Position(_) => Ok(()),
            Reply::Info { info, chances } => write_info(f, info, *chances, chess960),
            Reply::CurrentMove { depth, mv, number } => {
                let mv = mv.display(chess960);
                write!(f, "info depth {depth} currmove {mv} currmovenumber {number}")
            }
            Reply::DrawScore => f.write_str("info depth 0 score cp 0"),
            Reply::BestMove { best, ponder } => write_best_move(f, *best, *ponder, chess960),
            Reply::BookMove(mv) => {
                write!(f, "info string {} is a book move", mv.display(chess960))
            }
            Reply::Note(note) => write!(f, "info string {note}"),
            Reply::Error(error) => write!(f, "info string error: {error}"),
            Reply::Board(board) => write_board(f, board, chess960),
            Reply::Fen(board) => f.write_str(&board.fen(fen_style(chess960))),
            Reply::Moves(moves) => {
                write!(f, "{} moves:", moves.len())?;
                moves.iter().try_for_each(|mv| write!(f, " {}", mv.display(chess960)))
            }
            Reply::Perft(report) => write_perft(f, report, chess960),
            Reply::Tablebase { board, answer } => match answer {
                Some(answer) => f.write_str(&answer.table(board)),
                None => f.write_str("the tables do not have this position"),
            },
            Reply::Build { kernel } => f.write_str(&spelling::build(kernel)),
            Reply::Version => f.write_str(about::NAME_AND_VERSION),
            Reply::Help(topic) => f.write_str(&match topic {
                HelpTopic::Commands => help::list(),
                HelpTopic::Options => help::options_page(),
                HelpTopic::Command(word) => help::page_of(word).unwrap_or_default(),
            }),
            Reply::GenFen(fen) => write!(f, "info string genfens {fen}"),
            Reply::Text(text) => f.write_str(text),
        }
    }
}

const fn fen_style(chess960: bool) -> FenStyle {
    if chess960 { FenStyle::Shredder } else { FenStyle::Standard }
}

fn write_info(
    f: &mut fmt::Formatter<'_>,
    info: &Info,
    chances: Option<Chances>,
    chess960: bool,
) -> fmt::Result {
    if info.depth == 0 {
        // The root has no legal move.
        return write!(f, "info depth 0 score {}", UciScore(info.score));
    }
    let bound = match info.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    write!(
        f,
        "info depth {} seldepth {} multipv {} score {}{bound}",
        info.depth,
        info.seldepth,
        info.multi_pv,
        UciScore(info.score),
    )?;
    if let Some(Chances { win, draw, loss }) = chances {
        write!(f, " wdl {win} {draw} {loss}")?;
    }
    write!(
        f,
        " nodes {} nps {} hashfull {} tbhits {} time {} pv",
        info.nodes,
        info.nps(),
        info.hashfull,
        info.tb_hits,
        info.time.as_millis(),
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
    writeln!(f, "{}", board.pretty().trim_end())?;
    writeln!(f, "Fen: {}", board.fen(fen_style(chess960)))?;
    writeln!(f, "Key: {}", board.key())?;
    f.write_str("Checkers:")?;
    board.checkers().into_iter().try_for_each(|square| write!(f, " {square}"))
}

fn write_perft(f: &mut fmt::Formatter<'_>, report: &PerftReport, chess960: bool) -> fmt::Result {
    let PerftReport { count, time, options } = report;
    let nps = per_second(count.total, *time);
    let by_move = count.by_move.iter();
    let mut lines: Vec<String> =
        by_move.map(|(mv, nodes)| format!("{}: {nodes}", mv.display(chess960))).collect();
    lines.sort_unstable();
    lines.iter().try_for_each(|line| writeln!(f, "{line}"))?;
    write!(f, "\nNodes searched: {}\ntime {} ms\nnps {nps}", count.total, time.as_millis())?;
    if options.threads > 1 {
        write!(f, "\nthreads {}", options.threads)?;
    }
    match options.hash {
        Some(mib) => write!(f, "\nhash {mib} MiB, {} hits", count.table_hits),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    use super::*;
    use crate::tools::perft::{self, PerftOptions};
    use crate::types::Score;

    fn text(reply: Reply) -> String {
        ReplyFormatter::default().text(&reply).expect("a reply with text")
    }

    fn info(score: Score, bound: Bound, time: Duration, chances: Option<Chances>) -> Reply {
        let board = Board::startpos();
        let pv = board.parse_move("e2e4").into_iter().collect();
        let info = Info {
            depth: 3,
            seldepth: 5,
            multi_pv: 1,
            score,
            bound,
            nodes: 1000,
            time,
            hashfull: 7,
            tb_hits: 2,
            pv,
        };
        Reply::Info { info: Box::new(info), chances }
    }

    #[test]
    fn an_info_line_has_its_fields_in_order() {
        let time = Duration::from_millis(20);
        let line = text(info(Score::DRAW, Bound::Exact, time, None));
        let expected = "info depth 3 seldepth 5 multipv 1 score cp 0 nodes 1000 nps 50000 \
                        hashfull 7 tbhits 2 time 20 pv e2e4";
        assert_eq!(line, expected);
        let chances = Some(Chances { win: 70, draw: 900, loss: 30 });
        let line = text(info(Score::mate_in(3), Bound::Lower, time, chances));
        assert!(line.contains(" score mate 2 lowerbound wdl 70 900 30 nodes 1000 "), "{line}");
    }

    #[test]
    fn bounds_are_marked_and_a_time_of_zero_is_allowed() {
        let line = text(info(Score::mated_in(4), Bound::Upper, Duration::ZERO, None));
        assert!(line.contains(" score mate -2 upperbound nodes 1000 nps 1000000 "), "{line}");
    }

    #[test]
    fn perft_ends_with_the_total() {
        let options = PerftOptions { threads: 1, hash: None };
        let report = perft::report(&Board::startpos(), 2, options, &AtomicBool::new(false));
        let report = report.ok().flatten().map(Box::new).expect("not stopped");
        let text = text(Reply::Perft(report));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[..2], ["a2a3: 20", "a2a4: 20"]);
        assert_eq!(lines[20..22], ["", "Nodes searched: 400"]);
    }
}
