//! FEN parsing and printing: standard, X-FEN and Shredder-FEN.
//!
//! Impossible positions are rejected (`validity.rs`). Harmless errors are corrected and noted: a
//! castling right without its rook, an en passant square without a pawn, a counter out of range.
//! Source: <https://www.chessprogramming.org/Forsyth-Edwards_Notation>

use std::fmt;
use std::ops::RangeInclusive;

use thiserror::Error;

use crate::text::brief;
use crate::types::{
    Bitboard, CastlingRights, CastlingSide, Color, File, Piece, PieceType, Rank, Square,
};

use super::Board;

/// The game ends automatically after 75 moves of each side.
const MAX_HALFMOVE_CLOCK: u16 = 150;
/// Larger than that of the longest game that the 75-move rule allows.
const MAX_FULLMOVE_NUMBER: u32 = 9_999;

/// Notation of castling rights.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum FenStyle {
    /// `KQkq`; the rook's file if another rook stands further out (X-FEN).
    Standard,
    /// Files of the rooks, `HAha` (Shredder-FEN).
    Shredder,
}

/// Reason why a FEN is rejected.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{field}: {reason}, column {column}")]
pub struct FenError {
    /// Name of the faulty field; `end` for text after the sixth.
    pub field: &'static str,
    /// Description of the fault.
    pub reason: String,
    /// Position in the text, in characters from 1.
    pub column: usize,
}

/// Correction made while reading a FEN.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FenNote(String);

impl fmt::Display for FenNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[derive(Copy, Clone)]
struct Field<'a> {
    name: &'static str,
    text: &'a str,
    column: usize,
}

impl Field<'_> {
    fn error(&self, index: usize, reason: impl Into<String>) -> FenError {
        FenError { field: self.name, reason: reason.into(), column: self.column + index }
    }
}

const FIELD_NAMES: [&str; 6] =
    ["board", "side to move", "castling", "en passant", "halfmove clock", "fullmove number"];

/// Parses a FEN. Missing fields at the end default to `w - - 0 1`.
///
/// # Errors
/// If the text is not a legal position.
pub fn parse(text: &str) -> Result<(Board, Vec<FenNote>), FenError> {
    let fields = split(text)?;
    let [placement, turn, castling, en_passant, clock, number] = fields;
    let mut board = Board::empty();
    let mut notes = Vec::new();
    let indices = read_placement(&mut board, placement)?;
    board.state_mut().side_to_move = match turn.text {
        "w" | "W" => Color::White,
        "b" | "B" => Color::Black,
        other => return Err(turn.error(0, format!("'{}' is neither w nor b", brief(other)))),
    };
    board.check_pieces().map_err(|problem| {
        let index = problem.square.map_or(0, |square| indices[square.index()]);
        placement.error(index, problem.reason)
    })?;
    read_castling(&mut board, castling, &mut notes)?;
    read_en_passant(&mut board, en_passant, &mut notes)?;
    board.state_mut().halfmove_clock =
        read_counter(clock, 0..=u64::from(MAX_HALFMOVE_CLOCK), &mut notes)? as u16;
    board.state_mut().fullmove_number =
        read_counter(number, 1..=u64::from(MAX_FULLMOVE_NUMBER), &mut notes)? as u32;
    board.reset_keys();
    debug_assert_eq!(board.validate(), Ok(()));
    Ok((board, notes))
}

/// Splits a line of EPD into FEN and operations. After four fields, up to two numbers belong to the
/// FEN. A semicolon ends a field like a blank.
pub(crate) fn split_epd(line: &str) -> (String, &str) {
    let mut rest = line.trim();
    let mut fields = Vec::new();
    while fields.len() < 6 {
        let ends = |letter: char| letter.is_whitespace() || letter == ';';
        let end = rest.find(ends).unwrap_or(rest.len());
        let word = &rest[..end];
        let is_number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        if word.is_empty() || fields.len() >= 4 && !is_number {
            break;
        }
        fields.push(word);
        rest = rest[end..].trim_start();
    }
    (fields.join(" "), rest)
}

fn split(text: &str) -> Result<[Field<'_>; 6], FenError> {
    const DEFAULTS: [&str; 6] = ["", "w", "-", "-", "0", "1"];
    let end = text.chars().count() + 1;
    let mut fields: [Field<'_>; 6] =
        std::array::from_fn(|i| Field { name: FIELD_NAMES[i], text: DEFAULTS[i], column: end });
    let mut words = text.split_whitespace();
    for (i, field) in fields.iter_mut().enumerate() {
        match words.next() {
            Some(word) => {
                field.text = word;
                field.column = column_of(text, word);
            }
            None if DEFAULTS[i].is_empty() => return Err(field.error(0, "is missing")),
            None => break,
        }
    }
    match words.next() {
        Some(word) => Err(FenError {
            field: "end",
            reason: format!("unexpected field '{}' after the sixth", brief(word)),
            column: column_of(text, word),
        }),
        None => Ok(fields),
    }
}

/// Returns the column, from 1, of a slice of `text`.
fn column_of(text: &str, part: &str) -> usize {
    let offset = part.as_ptr() as usize - text.as_ptr() as usize;
    text[..offset].chars().count() + 1
}

/// Places the pieces and returns the character index of each square in the field.
fn read_placement(board: &mut Board, field: Field<'_>) -> Result<[usize; 64], FenError> {
    let mut indices = [0; 64];
    let ranks = field.text.split('/').count();
    if ranks != 8 {
        let unit = if ranks == 1 { "rank" } else { "ranks" };
        let reason = format!("{ranks} {unit} instead of 8");
        return Err(field.error(0, reason));
    }
    let mut index = 0;
    for (row, text) in field.text.split('/').enumerate() {
        let rank = Rank::ALL[7 - row];
        let mut width = 0;
        for letter in text.chars() {
            if let Some(empty @ 1..=8) = letter.to_digit(10) {
                width += empty as usize;
            } else if let Some(piece) = Piece::from_letter(letter) {
                if let Some(file) = File::from_index(width) {
                    let square = Square::new(file, rank);
                    board.state_mut().place(piece, square);
                    indices[square.index()] = index;
                }
                width += 1;
            } else {
                return Err(
                    field.error(index, format!("'{}' is not a piece", letter.escape_debug()))
                );
            }
            index += 1;
        }
        if width != 8 {
            let squares = if width == 1 { "square" } else { "squares" };
            let reason = format!("rank {} has {width} {squares}", 8 - row);
            return Err(field.error(index, reason));
        }
        index += 1;
    }
    Ok(indices)
}

fn read_castling(
    board: &mut Board,
    field: Field<'_>,
    notes: &mut Vec<FenNote>,
) -> Result<(), FenError> {
    if field.text == "-" {
        return Ok(());
    }
    let mut seen = String::new();
    for (index, letter) in field.text.chars().enumerate() {
        if seen.contains(letter) {
            continue;
        }
        seen.push(letter);
        if !matches!(letter, 'A'..='H' | 'a'..='h' | 'K' | 'k' | 'Q' | 'q') {
            return Err(
                field.error(index, format!("'{}' is not a castling right", letter.escape_debug()))
            );
        }
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        match castling_rook(board, color, letter.to_ascii_lowercase()) {
            Some((side, king, rook)) => {
                let right = CastlingRights::single(color, side);
                board.state_mut().castling = board.castling_rights().union(right);
                board.castling_paths.add(color, side, king, rook);
            }
            None => notes.push(FenNote(format!(
                "castling right {letter} dropped: its king or rook is not in place, or another \
                 rook on that side of the king has the right"
            ))),
        }
    }
    Ok(())
}

/// Returns side, king and rook of a castling letter if both are in place.
///
/// `k` and `q` are the outermost rook on that side of the king (X-FEN).
fn castling_rook(
    board: &Board,
    color: Color,
    letter: char,
) -> Option<(CastlingSide, Square, Square)> {
    let home = Bitboard::rank(Rank::First.relative_to(color));
    let king = board.king_square(color);
    let rook = match letter {
        'k' => outermost_rook(board, color, CastlingSide::King).filter(|&rook| rook > king),
        'q' => outermost_rook(board, color, CastlingSide::Queen).filter(|&rook| rook < king),
        file => {
            let rooks = board.pieces_of(color, PieceType::Rook) & home;
            rooks.into_iter().find(|rook| rook.file().letter() == file)
        }
    }?;
    let side = if rook > king { CastlingSide::King } else { CastlingSide::Queen };
    // Only one rook on each side of the king has a right.
    let other = board.castling_paths.path(color, side).is_some_and(|path| path.rook != rook);
    (home.contains(king) && !other).then_some((side, king, rook))
}

/// Returns the rook of the first rank that is farthest to this side, also beyond the king.
fn outermost_rook(board: &Board, color: Color, side: CastlingSide) -> Option<Square> {
    let home = Bitboard::rank(Rank::First.relative_to(color));
    let rooks = board.pieces_of(color, PieceType::Rook) & home;
    match side {
        CastlingSide::King => rooks.into_iter().last(),
        CastlingSide::Queen => rooks.first(),
    }
}

fn read_en_passant(
    board: &mut Board,
    field: Field<'_>,
    notes: &mut Vec<FenNote>,
) -> Result<(), FenError> {
    if field.text == "-" {
        return Ok(());
    }
    let Some(square) = Square::parse(field.text) else {
        return Err(field.error(0, format!("'{}' is not a square", brief(field.text))));
    };
    let us = board.side_to_move();
    let pawn = square.forward(!us);
    let fits = square.rank() == Rank::Sixth.relative_to(us)
        && pawn.is_some_and(|p| board.piece_on(p) == Some(Piece::new(!us, PieceType::Pawn)))
        && board.piece_on(square).is_none()
        && square.forward(us).is_some_and(|origin| board.piece_on(origin).is_none());
    if let Some(pawn) = pawn.filter(|_| fits) {
        board.check_double_step(square, pawn).map_err(|reason| field.error(0, reason))?;
        board.passed_first = Some(square);
        board.state_mut().set_en_passant(square);
    } else {
        notes.push(FenNote(format!("e.p. square {square} dropped: no pawn has just passed it")));
    }
    Ok(())
}

fn read_counter(
    field: Field<'_>,
    range: RangeInclusive<u64>,
    notes: &mut Vec<FenNote>,
) -> Result<u64, FenError> {
    let digits = field.text.strip_prefix(['-', '+']).unwrap_or(field.text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(field.error(0, format!("'{}' is not a number", brief(field.text))));
    }
    let value = if field.text.starts_with('-') { 0 } else { digits.parse().unwrap_or(u64::MAX) };
    let clamped = value.clamp(*range.start(), *range.end());
    if clamped != value || field.text.starts_with('-') {
        notes.push(FenNote(format!("{} {} set to {clamped}", field.name, brief(field.text))));
    }
    Ok(clamped)
}

impl Board {
    /// Parses a FEN and discards the notes of [`parse`].
    ///
    /// # Errors
    /// If the text is not a legal position.
    pub fn from_fen(text: &str) -> Result<Self, FenError> {
        parse(text).map(|(board, _)| board)
    }

    /// Returns the position as FEN, with the en passant square only if the capture is legal and the
    /// counters limited to what [`parse`] accepts.
    ///
    /// ```
    /// use tabia::board::{Board, FenStyle, numbered_line};
    ///
    /// let mut board = Board::startpos();
    /// board.make_move(board.parse_move("e2e4").expect("a legal move"));
    /// let placement = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
    /// assert_eq!(board.fen(FenStyle::Standard), format!("{placement} b KQkq - 0 1"));
    /// assert_eq!(board.fen(FenStyle::Shredder), format!("{placement} b HAha - 0 1"));
    /// ```
    pub fn fen(&self, style: FenStyle) -> String {
        let turn = match self.side_to_move() {
            Color::White => 'w',
            Color::Black => 'b',
        };
        let en_passant = self.en_passant().map_or("-".to_owned(), |square| square.to_string());
        format!(
            "{} {turn} {} {en_passant} {} {}",
            self.placement_text(),
            self.castling_text(style),
            self.halfmove_clock().min(MAX_HALFMOVE_CLOCK),
            self.fullmove_number().min(MAX_FULLMOVE_NUMBER)
        )
    }

    fn placement_text(&self) -> String {
        let rank_text = |rank| {
            let mut text = String::new();
            let mut empty = 0;
            for file in File::ALL {
                match self.piece_on(Square::new(file, rank)) {
                    None => empty += 1,
                    Some(piece) => {
                        push_empty(&mut text, &mut empty);
                        text.push(piece.letter());
                    }
                }
            }
            push_empty(&mut text, &mut empty);
            text
        };
        Rank::ALL.into_iter().rev().map(rank_text).collect::<Vec<_>>().join("/")
    }

    fn castling_text(&self, style: FenStyle) -> String {
        let mut text = String::new();
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                let Some(rook) = self.castling_rook_of(color, side) else { continue };
                let letter = match (style, side) {
                    (FenStyle::Standard, _) if outermost_rook(self, color, side) != Some(rook) => {
                        rook.file().letter()
                    }
                    (FenStyle::Standard, CastlingSide::King) => 'k',
                    (FenStyle::Standard, CastlingSide::Queen) => 'q',
                    (FenStyle::Shredder, _) => rook.file().letter(),
                };
                text.push(if color == Color::White { letter.to_ascii_uppercase() } else { letter });
            }
        }
        if text.is_empty() { "-".to_owned() } else { text }
    }
}

fn push_empty(text: &mut String, empty: &mut u8) {
    if *empty > 0 {
        text.push((b'0' + *empty) as char);
        *empty = 0;
    }
}
