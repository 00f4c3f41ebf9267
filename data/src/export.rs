//! Writes games in the formats of other trainers.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use tabia::board::{Board, GameResult};
use tabia::datagen::{Game, KeepFilter, Label, PackedPieces, Ply};
use tabia::text::ShownPath;
use tabia::types::{CastlingSide, Color, Move, MoveKind, Piece, PieceType, Score};

use super::{DataError, for_each_game, open};

/// Format of an export.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub enum ExportFormat {
    /// A record of 32 bytes for each kept position. Source:
    /// <https://github.com/jw1912/bulletformat>
    #[value(name = "bulletformat")]
    Bullet,
    /// Whole games after the random plies, which need a score for each ply: only shards of version
    /// 1. Source: <https://github.com/cosmobobak/viriformat>
    #[value(name = "viriformat")]
    Viri,
}

/// Writes the labels that the filter keeps (bulletformat) or whole games (viriformat) to `path`,
/// which is replaced unless it is a shard. Returns whether no shard is damaged.
///
/// # Errors
/// If a file is not a shard, if `path` is one, if a game for viriformat has plies without a score,
/// or if `path` or `out` cannot be written.
pub fn export(
    files: &[PathBuf],
    format: ExportFormat,
    path: &Path,
    filter: KeepFilter,
    out: &mut dyn Write,
) -> Result<bool, DataError> {
    let failed = |error| DataError::Export(path.to_owned(), error);
    let mut part = path.to_owned().into_os_string();
    part.push(".part");
    let part = PathBuf::from(part);
    // Protects games from a typing error.
    if let Some(shard) = [path, part.as_path()].into_iter().find(|file| open(file).is_ok()) {
        return Err(DataError::WouldReplaceShard(shard.to_owned()));
    }
    if path.is_dir() {
        return Err(failed(io::ErrorKind::IsADirectory.into()));
    }
    // A wrong name is found before the work.
    files.iter().try_for_each(|file| open(file).map(drop))?;
    // What `path` holds is replaced only by a whole export.
    let mut writer = BufWriter::new(File::create(&part).map_err(failed)?);
    let written = write_records(files, format, filter, &mut writer, &failed, out);
    let flushed = written.and_then(|counts| {
        writer.flush().map_err(failed)?;
        Ok(counts)
    });
    drop(writer);
    let renamed = flushed.and_then(|counts| {
        fs::rename(&part, path).map_err(failed)?;
        Ok(counts)
    });
    let (records, is_intact) = renamed.inspect_err(|_| {
        let _ = fs::remove_file(&part);
    })?;
    let what = match format {
        ExportFormat::Bullet => "positions in bulletformat",
        ExportFormat::Viri => "games in viriformat",
    };
    writeln!(out, "{}: {records} {what}", ShownPath(path))?;
    Ok(is_intact)
}

/// Returns the number of records written, and whether no shard is damaged.
fn write_records(
    files: &[PathBuf],
    format: ExportFormat,
    filter: KeepFilter,
    writer: &mut dyn Write,
    failed: &dyn Fn(io::Error) -> DataError,
    out: &mut dyn Write,
) -> Result<(u64, bool), DataError> {
    let mut records = 0;
    let mut is_intact = true;
    for file in files {
        is_intact &= for_each_game(file, &open(file)?, out, |number, game| {
            let written = match format {
                ExportFormat::Bullet => {
                    let kept = bullet_records(game, filter);
                    records += kept.len() as u64;
                    writer.write_all(kept.as_flattened())
                }
                ExportFormat::Viri => {
                    records += 1;
                    let not_dense = || DataError::NotDense(file.clone(), number);
                    writer.write_all(&viri_record(game).ok_or_else(not_dense)?)
                }
            };
            written.map_err(failed)
        })?;
    }
    Ok((records, is_intact))
}

fn bullet_records(game: &Game, filter: KeepFilter) -> Vec<[u8; 32]> {
    let mut records = Vec::new();
    let mut take = |label: Label<'_>| {
        if filter.keeps(label) {
            records.push(bullet_record(label.board, label.score, game.verdict.result));
        }
    };
    game.for_each_label(&mut take);
    game.for_each_interior_label(&mut take);
    records
}

/// Returns a position in bulletformat, from the point of view of the side to move: the board is
/// flipped for Black.
///
/// ```text
/// byte 0 … 7    occupied squares, a bit each
/// byte 8 … 23   pieces on them in that order, half a byte each, the lower half first:
///               0 pawn … 5 king, plus 8 for the opponent's
/// byte 24, 25   score
/// byte 26       result: 0 lost, 1 drawn, 2 won
/// byte 27, 28   square of the own king; of the opponent's king, from the opponent's point of view
/// byte 29 … 31  zero
/// ```
pub fn bullet_record(board: &Board, score: Score, result: GameResult) -> [u8; 32] {
    let us = board.side_to_move();
    let mut record = begin_record(PackedPieces::of_side_to_move(board));
    record[24..26].copy_from_slice(&(score.0 as i16).to_le_bytes());
    record[26] = match us {
        Color::White => result as u8,
        Color::Black => 2 - result as u8,
    };
    record[27] = board.king_square(us).relative_to(us) as u8;
    record[28] = board.king_square(!us).relative_to(!us) as u8;
    record
}

fn begin_record(pieces: PackedPieces) -> [u8; 32] {
    let mut record = [0; 32];
    record[..8].copy_from_slice(&pieces.occupied.to_le_bytes());
    record[8..24].copy_from_slice(&pieces.codes);
    record
}

/// Returns a game in viriformat: the position after the random plies, then each move with its score
/// from White's point of view. Returns `None` if a ply has no score.
pub fn viri_record(game: &Game) -> Option<Vec<u8>> {
    let mut record = viri_position(&game.after_opening(), game.verdict.result).to_vec();
    let mut is_dense = true;
    game.replay(|board, _, Ply { mv, score }| {
        is_dense &= score.is_some();
        let score = score.unwrap_or(Score::DRAW);
        let white = if board.side_to_move() == Color::White { score } else { -score };
        record.extend(viri_move(mv).to_le_bytes());
        record.extend((white.0 as i16).to_le_bytes());
    });
    record.extend([0; 4]);
    is_dense.then_some(record)
}

/// Returns the head of a game in viriformat:
///
/// ```text
/// byte 0 … 7    occupied squares, a bit each
/// byte 8 … 23   pieces on them in that order, half a byte each, the lower half first:
///               0 pawn … 5 king, 6 a rook that may castle, plus 8 for Black's
/// byte 24       en passant square or 64, plus 128 if Black is to move
/// byte 25       halfmove clock
/// byte 26, 27   move number
/// byte 28, 29   a score, zero
/// byte 30       result: 0 Black wins, 1 draw, 2 White wins
/// byte 31       zero
/// ```
fn viri_position(board: &Board, result: GameResult) -> [u8; 32] {
    const UNMOVED_ROOK: u8 = 6;
    let code = |square| {
        let piece = board.piece_on(square).expect("the square is occupied");
        let color = piece.color();
        let castles = CastlingSide::ALL
            .into_iter()
            .any(|side| board.castling_rook_of(color, side) == Some(square));
        let code = if castles && piece == Piece::new(color, PieceType::Rook) {
            UNMOVED_ROOK
        } else {
            piece.piece_type() as u8
        };
        code | (color as u8) << 3
    };
    let mut record = begin_record(PackedPieces::new(board.occupied(), code));
    let en_passant = board.en_passant().map_or(64, |square| square as u8);
    record[24] = en_passant | (board.side_to_move() as u8) << 7;
    record[25] = board.halfmove_clock().min(255) as u8;
    record[26..28].copy_from_slice(&(board.fullmove_number() as u16).to_le_bytes());
    record[30] = result as u8;
    record
}

/// Returns a move in 16 bits: from, to, promotion piece (knight 0 … queen 3), and 1 for en passant,
/// 2 for castling, 3 for a promotion.
fn viri_move(mv: Move) -> u16 {
    let kind = match mv.kind() {
        MoveKind::EnPassant => 1,
        MoveKind::Castling => 2,
        _ if mv.is_promotion() => 3,
        _ => 0,
    };
    let promotion = mv.promotion().map_or(0, |piece_type| piece_type as u16 - 1);
    mv.from() as u16 | (mv.to() as u16) << 6 | promotion << 12 | kind << 14
}
