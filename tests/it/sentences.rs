//! The sentences of `tabia analyse --explain` are true. Each is read as a person reads it and
//! checked on the boards of the game and of its lines. Attacks are found here by code of their own.

use std::fs;

use serde_json::Value;
use tabia::board::{Board, move_number};
use tabia::pgn::{PgnGame, Tags};
use tabia::search::{self, Limits, SearchPool, SearchRequest};
use tabia::types::{Color, Move, PieceType, Square};

use crate::session::{run, scratch};
use crate::support::TestRng;

const NAMES: [&str; PieceType::COUNT] = ["pawn", "knight", "bishop", "rook", "queen", "king"];

/// A move of a game that has sentences.
struct Explained {
    before: Board,
    after: Board,
    /// Move before it and the move itself; `None` for null moves.
    moves: [Option<Move>; 2],
    better: Vec<Move>,
    /// Best line after the move; `None` for the last move of a game, whose record is not printed.
    reply: Option<Vec<Move>>,
}

/// Pieces of each type that are lost, less those won.
type Losses = [i32; PieceType::COUNT];

impl Explained {
    fn side(&self) -> Color {
        self.before.side_to_move()
    }

    /// Returns whether a sentence is true; `None` if it is not understood.
    fn proves(&self, sentence: &str) -> Option<bool> {
        let text = sentence.strip_suffix('.')?;
        if let Some(rest) = text.strip_prefix("Stalemate: ") {
            let is_stalemate = !self.after.in_check() && self.after.legal_moves().is_empty();
            return Some(is_stalemate && rest == format!("{} has no legal move", !self.side()));
        }
        if let Some(rest) = text.strip_prefix("Allows mate in ") {
            return self.mates(&self.after, rest);
        }
        if let Some(rest) = text.strip_prefix("Misses mate in ") {
            return self.mates(&self.before, rest);
        }
        if let Some(line) = text.strip_prefix("Lets a pawn promote: ") {
            return self.promotes(&self.after, line, !self.side());
        }
        if let Some(line) = text.strip_prefix("Misses a promotion: ") {
            return self.promotes(&self.before, line, self.side());
        }
        if let Some(rest) = text.strip_prefix("Better is ") {
            let (line, advantage) = rest.split_once(", which ")?;
            let moves = quoted(&self.before, line)?;
            let is_true = self.proves_advantage(&moves, advantage)?;
            return Some(is_true && self.is_line(&self.before, &moves));
        }
        let (loss, means) = text.split_once(": ")?;
        if let Some(name) = loss.strip_prefix("Loses the ") {
            let (name, square) = name.split_once(" on ")?;
            let losses = losses(&format!("a {name}"), "")?;
            let square = Square::parse(square)?;
            return Some(self.has_lost(losses) && self.proves_capture(square, name, means)?);
        }
        let losses = match loss.strip_prefix("Loses ") {
            Some(lost) => losses(lost, "")?,
            None => {
                let (lost, won) = loss.strip_prefix("Gives ")?.split_once(" for ")?;
                losses(lost, won)?
            }
        };
        Some(self.has_lost(losses) && self.proves_means(losses, means)?)
    }

    /// Proves `2: 1. Qh5+ g6 2. Qxg6#`, or `5, which begins with 1. Qh5+`: a mate in one or two by
    /// all replies, a longer one by the line.
    fn mates(&self, board: &Board, text: &str) -> Option<bool> {
        let whole = text.split_once(": ");
        let (count, line) = whole.or_else(|| text.split_once(", which begins with "))?;
        let (count, moves): (u32, _) = (count.parse().ok()?, quoted(board, line)?);
        let is_whole = moves.len() + 1 == 2 * count as usize && is_mated(&play(board, &moves));
        let first = play(board, &moves[..1]);
        let is_forced = match count {
            1 => is_mated(&first),
            2 => first.legal_moves().iter().all(|&mv| can_mate(&play(&first, &[mv]))),
            _ => true,
        };
        Some(is_forced && (is_whole || whole.is_none()) && self.is_line(board, &moves))
    }

    fn promotes(&self, board: &Board, line: &str, side: Color) -> Option<bool> {
        let moves = quoted(board, line)?;
        let end = play(board, &moves);
        let is_own = end.side_to_move() != side && moves.last()?.is_promotion();
        Some(is_own && self.is_line(board, &moves))
    }

    /// Returns whether moves begin the reply or the better line.
    fn is_line(&self, board: &Board, moves: &[Move]) -> bool {
        if board.side_to_move() == self.side() {
            self.better.starts_with(moves)
        } else {
            self.reply.as_ref().is_none_or(|reply| reply.starts_with(moves))
        }
    }

    /// Returns whether the reply passes through a position with these losses.
    fn has_lost(&self, losses: Losses) -> bool {
        let reply = |reply: &Vec<Move>| self.passes(&self.after, reply, losses);
        self.reply.as_ref().is_none_or(reply)
    }

    /// Returns whether a line has a position without check in which the mover has lost this.
    fn passes(&self, start: &Board, line: &[Move], losses: Losses) -> bool {
        (1..=line.len()).any(|plies| {
            let end = play(start, &line[..plies]);
            !end.in_check() && self.losses_at(&end) == losses
        })
    }

    fn losses_at(&self, board: &Board) -> Losses {
        let side = self.side();
        PieceType::ALL.map(|kind| {
            let lost = |color: Color| {
                let count = |board: &Board| board.pieces_of(color, kind).count() as i32;
                count(&self.before) - count(board)
            };
            lost(side) - lost(!side)
        })
    }

    fn proves_capture(&self, square: Square, name: &str, means: &str) -> Option<bool> {
        let (mv, reason) = means.split_once(" takes it, and ")?;
        let moves = quoted(&self.after, mv)?;
        let &[taker] = &moves[..] else { return None };
        let side = self.side();
        let taken = play(&self.after, &moves);
        let takes = |mv: &Move| mv.is_capture() && mv.to() == square;
        let is_taken = is_piece(&self.after, square, name, side) && takes(&taker);
        let is_alone = attackers(&self.after, side, square, None).is_empty();
        let guards = attackers(&taken, side, square, None);
        let is_reason = if reason == "it is not protected" {
            is_alone
        } else if reason == "the king cannot take back" {
            guards == [taken.king_square(side)]
        } else if let Some(rest) = reason.strip_suffix(" is pinned") {
            let pinned = named(&taken, rest, side)?;
            guards == [pinned] && is_pinned(&taken, side, pinned)
        } else {
            let name = reason.strip_prefix("the ")?.strip_suffix(" no longer protects it")?;
            let from = self.moves[1]?.from();
            is_alone
                && is_piece(&self.before, from, name, side)
                && attackers(&self.before, side, square, None).contains(&from)
        };
        let is_free = !taken.legal_moves().iter().any(takes);
        Some(is_taken && is_reason && is_free && self.is_line(&self.after, &moves))
    }

    fn proves_means(&self, losses: Losses, means: &str) -> Option<bool> {
        let (after, side) = (&self.after, self.side());
        if let Some((mv, rest)) = means.split_once(" forks ") {
            let moves = quoted(after, mv)?;
            let (one, other) = rest.split_once(" and ")?;
            let forked = play(after, &moves);
            let squares = [named(&forked, one, side)?, named(&forked, other, side)?];
            let is_attacked =
                |&square: &Square| attackers(&forked, !side, square, None).contains(&moves[0].to());
            let is_fork = squares[0] != squares[1] && squares.iter().all(is_attacked);
            return Some(is_fork && self.is_line(after, &moves));
        }
        if let Some((mv, name)) = means.split_once(" pins ") {
            let moves = quoted(after, mv)?;
            let pinned = play(after, &moves);
            let square = named(&pinned, name, side)?;
            return Some(is_pinned(&pinned, side, square) && self.is_line(after, &moves));
        }
        if let Some((mv, rest)) = means.split_once(" attacks ") {
            let (name, capture) = rest.strip_suffix(" takes it")?.split_once(", and ")?;
            let moves = quoted(after, mv)?;
            let attacked = play(after, &moves);
            let square = named(&attacked, name, side)?;
            let is_attack = attackers(&attacked, !side, square, None).contains(&moves[0].to());
            let is_capture = self.reply.as_ref().is_none_or(|reply| {
                let captures = quoted(&play(after, &reply[..2]), capture);
                let is_right = |moves: Vec<Move>| reply[2..].starts_with(&moves);
                captures.is_some_and(is_right) && reply[2].to() == square
            });
            return Some(is_attack && is_capture && self.is_line(after, &moves));
        }
        if let Some((line, rest)) = means.split_once(", as ") {
            let moves = quoted(after, line)?;
            let (guard, rest) = rest.split_once(" had to protect both ")?;
            let (one, other) = rest.split_once(" and ")?;
            let guard = named(after, guard, side)?;
            let squares = [named(after, one, side)?, named(after, other, side)?];
            let guards = squares.map(|square| attackers(after, side, square, None));
            let is_overloaded = guards[0].contains(&guard) && guards[1] == [guard];
            let is_taken = squares == [moves[0].to(), moves[2].to()] && moves[1].from() == guard;
            return Some(is_overloaded && is_taken && self.is_line(after, &moves));
        }
        let moves = quoted(after, means)?;
        let end = play(after, &moves);
        Some(self.losses_at(&end) == losses && self.is_line(after, &moves))
    }

    fn proves_advantage(&self, moves: &[Move], advantage: &str) -> Option<bool> {
        let (before, side) = (&self.before, self.side());
        if let Some(rest) = advantage.strip_prefix("wins ") {
            let (won, lost) = rest.split_once(" for ").unwrap_or((rest, ""));
            return Some(self.losses_at(&play(before, moves)) == losses(lost, won)?);
        }
        let &[mv] = moves else { return None };
        let after = play(before, &[mv]);
        if advantage == "takes back" {
            return Some(mv.is_capture() && self.moves[0].is_some_and(|last| last.to() == mv.to()));
        }
        if advantage == "prevents it" {
            return Some(!can_mate(&after));
        }
        if let Some(name) = advantage.strip_prefix("takes ") {
            return Some(mv.is_capture() && named(before, name, !side)? == mv.to());
        }
        if let Some(name) = advantage.strip_prefix("protects ") {
            let square = named(&after, name, side)?;
            let guards = [before, &after].map(|board| attackers(board, side, square, None).len());
            return Some(guards[0] == 0 && guards[1] > 0);
        }
        let name = advantage.strip_prefix("moves the ")?.strip_suffix(" away")?;
        Some(is_piece(before, mv.from(), name, side))
    }
}

fn is_mated(board: &Board) -> bool {
    board.in_check() && board.legal_moves().is_empty()
}

/// Returns whether the side to move can mate with its next move.
fn can_mate(board: &Board) -> bool {
    board.legal_moves().iter().any(|&mv| is_mated(&play(board, &[mv])))
}

fn play(board: &Board, moves: &[Move]) -> Board {
    let mut end = board.clone();
    moves.iter().for_each(|&mv| end.make_move(mv));
    end
}

/// Parses `12... Qd8 13. e4`; `None` if a number or a move is wrong.
fn quoted(board: &Board, text: &str) -> Option<Vec<Move>> {
    let mut end = board.clone();
    let mut moves = Vec::new();
    for word in text.split(' ') {
        if word.ends_with('.') {
            if word != move_number(&end) {
                return None;
            }
            continue;
        }
        let mv = end.parse_san(word).ok().filter(|&mv| end.san(mv) == word)?;
        end.make_move(mv);
        moves.push(mv);
    }
    (!moves.is_empty()).then_some(moves)
}

/// Parses `a rook and 2 pawns`. An empty text names no piece.
fn losses(lost: &str, won: &str) -> Option<Losses> {
    let mut losses = [0; PieceType::COUNT];
    for (list, sign) in [(lost, 1), (won, -1)] {
        for item in list.split(" and ").flat_map(|part| part.split(", ")) {
            if item.is_empty() {
                continue;
            }
            let (count, name) = item.split_once(' ')?;
            let count: i32 = if count == "a" { 1 } else { count.parse().ok()? };
            let index = NAMES.iter().position(|known| *known == name.trim_end_matches('s'))?;
            losses[index] += sign * count;
        }
    }
    Some(losses)
}

/// Parses `the knight on f3`; `None` if another piece or none stands there.
fn named(board: &Board, text: &str, color: Color) -> Option<Square> {
    let (name, square) = text.strip_prefix("the ")?.split_once(" on ")?;
    Square::parse(square).filter(|&square| is_piece(board, square, name, color))
}

fn is_piece(board: &Board, square: Square, name: &str, color: Color) -> bool {
    let piece = board.piece_on(square);
    piece.is_some_and(|piece| piece.color() == color && NAMES[piece.piece_type().index()] == name)
}

/// Returns whether the king would be attacked without the piece on a square.
fn is_pinned(board: &Board, side: Color, square: Square) -> bool {
    let king = board.king_square(side);
    let checks = |gone| attackers(board, !side, king, gone).len();
    checks(Some(square)) > checks(None)
}

/// Returns the pieces of a colour that attack a square, as if the square `gone` were empty.
fn attackers(board: &Board, color: Color, target: Square, gone: Option<Square>) -> Vec<Square> {
    let attacks = |from: Square| {
        let piece = board.piece_on(from).filter(|piece| piece.color() == color);
        piece.is_some_and(|piece| reaches(board, piece.piece_type(), color, from, target, gone))
    };
    Square::ALL.into_iter().filter(|&from| Some(from) != gone && attacks(from)).collect()
}

fn reaches(
    board: &Board,
    kind: PieceType,
    color: Color,
    from: Square,
    to: Square,
    gone: Option<Square>,
) -> bool {
    let files = to.file() as i32 - from.file() as i32;
    let ranks = to.rank() as i32 - from.rank() as i32;
    let (across, along) = (files.abs(), ranks.abs());
    let is_open = || {
        (1..across.max(along)).all(|step| {
            let (file, rank) = (from.file() as i32, from.rank() as i32);
            let (file, rank) = (file + step * files.signum(), rank + step * ranks.signum());
            let square = Square::ALL[(8 * rank + file) as usize];
            Some(square) == gone || board.piece_on(square).is_none()
        })
    };
    let is_diagonal = across == along && across > 0;
    let is_straight = (across == 0) != (along == 0);
    match kind {
        PieceType::Pawn => across == 1 && ranks == if color == Color::White { 1 } else { -1 },
        PieceType::Knight => across * along == 2,
        PieceType::Bishop => is_diagonal && is_open(),
        PieceType::Rook => is_straight && is_open(),
        PieceType::Queen => (is_diagonal || is_straight) && is_open(),
        PieceType::King => across.max(along) == 1,
    }
}

/// Returns the moves of a JSON list in SAN.
fn line_of(board: &Board, list: &Value) -> Vec<Move> {
    let mut end = board.clone();
    let list = list.as_array().unwrap().iter();
    list.map(|san| {
        let mv = end.parse_san(san.as_str().unwrap()).unwrap();
        end.make_move(mv);
        mv
    })
    .collect()
}

/// Analyses the games of a file and checks each sentence. Returns their number.
fn check_sentences(file: &str, nodes: &str) -> usize {
    let mut count = 0;
    for line in run(&["analyse", file, "--nodes", nodes, "--explain", "--json"]).stdout {
        let game: Value = serde_json::from_str(&line).unwrap();
        if game["type"] != "game" {
            continue;
        }
        let mut board = Board::from_fen(game["start"].as_str().unwrap()).unwrap();
        let mut previous = None;
        let records = game["moves"].as_array().unwrap();
        for (index, record) in records.iter().enumerate() {
            let san = record["san"].as_str().unwrap();
            let played = (san != "--").then(|| board.parse_san(san).unwrap());
            let mut after = board.clone();
            after.make_move_or_null(played);
            let words = record["words"].as_array().unwrap();
            let is_bad = ["mistake", "blunder"].iter().any(|name| record["judgement"] == *name);
            assert!(words.is_empty() || is_bad && words.len() <= 2, "{record}");
            let explained = Explained {
                better: line_of(&board, &record["line"]),
                reply: records.get(index + 1).map(|next| line_of(&after, &next["line"])),
                moves: [previous, played],
                before: board,
                after: after.clone(),
            };
            for sentence in words {
                let is_true = explained.proves(sentence.as_str().unwrap());
                assert_eq!(is_true, Some(true), "{sentence}: {record}");
                count += 1;
            }
            board = after;
            previous = played;
        }
    }
    count
}

/// Writes games in which each tenth move is random, as are the first eight.
fn write_games(name: &str, count: usize) -> String {
    let mut rng = TestRng::new(0x5EED);
    let mut pool = SearchPool::new(1);
    let mut text = String::new();
    for _ in 0..count {
        let mut board = Board::startpos();
        let mut moves = Vec::new();
        while board.outcome().is_none() && moves.len() < 120 {
            let mv = if moves.len() < 8 || rng.below(10) == 0 {
                rng.choose(&board.legal_moves())
            } else {
                let limits = Limits { nodes: Some(300), ..Limits::default() };
                search::run(&mut pool, SearchRequest::new(board.clone(), limits)).0.best
            };
            board.make_move(mv.unwrap());
            moves.extend(mv);
        }
        text += &format!("{}\n", PgnGame::played(Board::startpos(), &moves, Tags::default(), None));
    }
    let path = scratch(name);
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

#[test]
fn every_sentence_is_true() {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/");
    let files = ["masters", "awkward", "tabia"].map(|name| format!("{data}{name}.pgn"));
    let found: usize = files.iter().map(|file| check_sentences(file, "2000")).sum();
    assert!(found > 2, "{found} sentences");
    let file = write_games("some.pgn", 8);
    let found = check_sentences(&file, "2000");
    assert!(found > 10, "{found} sentences");
    fs::remove_file(file).unwrap();
}

#[test]
#[ignore = "200 games, some minutes"]
fn every_sentence_of_many_games_is_true() {
    let file = write_games("many.pgn", 200);
    let found = check_sentences(&file, "5000");
    assert!(found > 500, "{found} sentences");
    fs::remove_file(file).unwrap();
}
