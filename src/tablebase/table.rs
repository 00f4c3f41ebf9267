//! One table file: its parts and the value of a position.
//!
//! ```text
//! magic | flags | per file of the leading pawn: orders, pieces
//!       | per file and side: codes | DTZ: maps
//!       | sparse indices | block lengths | blocks, each run at a multiple of 64 | checksum
//! ```

use std::path::Path;

use crate::board::Board;
use crate::types::{Bitboard, Color};

use super::Wdl;
use super::arrangement::{Arrangement, PieceSquares};
use super::compression::Values;
use super::material::Material;
use super::squares::PAWN_NUMBER;
use super::table_file::{Header, TableFile, TableFileError};

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Win, draw or loss, for both sides to move.
    Wdl,
    /// Plies to the next capture or pawn move, for one side to move.
    Dtz,
}

impl Kind {
    pub(super) const fn extension(self) -> &'static str {
        match self {
            Self::Wdl => "rtbw",
            Self::Dtz => "rtbz",
        }
    }

    const fn magic(self) -> [u8; 4] {
        match self {
            Self::Wdl => [0x71, 0xE8, 0x23, 0x5D],
            Self::Dtz => [0xD7, 0x66, 0x0C, 0xA5],
        }
    }
}

/// Flag of tables whose sides have different pieces.
const SPLIT: u8 = 1;
const PAWNS: u8 = 2;

// Flags of DTZ values. Map entries have two bytes if `WIDE`.
const BLACK_TO_MOVE: u8 = 1;
const MAPPED: u8 = 2;
const WIN_IN_PLIES: u8 = 4;
const LOSS_IN_PLIES: u8 = 8;
const WIDE: u8 = 16;

pub(super) struct Table {
    file: TableFile,
    material: Material,
    /// Indexed by file of the leading pawn (one without pawns), then side to move (one or two).
    parts: Vec<Vec<Part>>,
}

/// Values for one file of the leading pawn and one side to move.
struct Part {
    arrangement: Arrangement,
    flags: u8,
    values: Values,
    /// Meaning of the values for wins, losses, cursed wins and blessed losses.
    maps: [Vec<u16>; 4],
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Distance {
    pub(super) plies: i32,
    /// False if the table counts in moves: the distance may be one ply longer.
    pub(super) is_exact: bool,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Dtz {
    /// Distance without its sign, which is that of the result.
    Distance(Distance),
    /// The table is for the other side to move.
    OtherSide,
}

impl Table {
    pub(super) fn open(
        path: &Path,
        material: Material,
        kind: Kind,
    ) -> Result<Self, TableFileError> {
        let file = TableFile::open(path)?;
        let mut header = file.reader();
        let magic = header.array()?;
        if magic != kind.magic() {
            return Err(TableFileError::Magic(magic));
        }
        let mut parts = read_parts(&mut header, material, kind)?;
        if kind == Kind::Dtz {
            for part in parts.iter_mut().flatten() {
                part.read_maps(&mut header)?;
            }
            header.align()?;
        }
        let all = parts.iter_mut().flatten().map(|part| &mut part.values);
        if Values::lay_out(all, header.position()) > file.length() {
            return Err(TableFileError::Damaged("it is shorter than its parts"));
        }
        drop(header);
        Ok(Self { file, material, parts })
    }

    pub(super) fn wdl(&self, board: &Board) -> Result<Wdl, TableFileError> {
        let view = View::new(self.material, board);
        let (part, squares) = self.locate(&view, board);
        let value = part.values.get(&self.file, part.arrangement.index(squares))?;
        Wdl::ALL
            .get(usize::from(value))
            .copied()
            .ok_or(TableFileError::Damaged("a value is no result"))
    }

    /// Returns the distance of a position that is not drawn, given its result.
    pub(super) fn dtz(&self, board: &Board, wdl: Wdl) -> Result<Dtz, TableFileError> {
        let view = View::new(self.material, board);
        let (part, squares) = self.locate(&view, board);
        let is_for = view.side_to_move == usize::from(part.flags & BLACK_TO_MOVE != 0);
        // With equal material White is always to move in the table, so the flag is not needed.
        let serves_both = self.material.is_symmetric();
        if !is_for && !serves_both {
            return Ok(Dtz::OtherSide);
        }
        let value = part.values.get(&self.file, part.arrangement.index(squares))?;
        part.distance(value, wdl).map(Dtz::Distance)
    }

    /// Returns the part for a position, and the squares of its pieces in the part's order.
    fn locate(&self, view: &View, board: &Board) -> (&Part, PieceSquares) {
        let first = &self.parts[0][0].arrangement;
        let mut used = Bitboard::EMPTY;
        let mut squares = PieceSquares::new();
        let mut file = 0;
        if self.material.has_pawns() {
            let pawns = view.pieces(board, first, 0);
            used = pawns;
            squares.extend(pawns.into_iter().map(|square| view.turned(square.index())));
            let leader = (0..squares.len()).max_by_key(|&i| PAWN_NUMBER[squares[i]]).unwrap_or(0);
            squares.swap(0, leader);
            file = (squares[0] % 8).min(7 - squares[0] % 8);
        }
        let sides = &self.parts[file];
        let part = &sides[if sides.len() == 2 { view.side_to_move } else { 0 }];
        while squares.len() < part.arrangement.pieces().len() {
            let left = view.pieces(board, &part.arrangement, squares.len()) - used;
            let Some(square) = left.first() else { break };
            used |= Bitboard::square(square);
            squares.push(view.turned(square.index()));
        }
        (part, squares)
    }
}

/// Orientation of a position: flipped if Black has White's pieces in the table's name.
struct View {
    is_flipped: bool,
    /// Side to move in the table's colours: 0 is White.
    side_to_move: usize,
}

impl View {
    fn new(material: Material, board: &Board) -> Self {
        let is_flipped = if material.is_symmetric() {
            board.side_to_move() == Color::Black
        } else {
            Material::of(board) != material
        };
        Self { is_flipped, side_to_move: board.side_to_move().index() ^ usize::from(is_flipped) }
    }

    fn turned(&self, square: usize) -> usize {
        if self.is_flipped { square ^ 56 } else { square }
    }

    /// Returns the squares of the pieces at this place of an arrangement.
    fn pieces(&self, board: &Board, arrangement: &Arrangement, place: usize) -> Bitboard {
        let piece = arrangement.pieces()[place];
        let color = if self.is_flipped { !piece.color() } else { piece.color() };
        let pieces = piece.piece_type().map(|piece_type| board.pieces_of(color, piece_type));
        pieces.unwrap_or(Bitboard::EMPTY)
    }
}

fn read_parts(
    header: &mut Header<'_>,
    material: Material,
    kind: Kind,
) -> Result<Vec<Vec<Part>>, TableFileError> {
    let flags = header.u8()?;
    let is_split = flags & SPLIT != 0;
    if is_split == material.is_symmetric() || (flags & PAWNS != 0) != material.has_pawns() {
        return Err(TableFileError::Damaged("the flags do not fit its name"));
    }
    let files = if material.has_pawns() { 4 } else { 1 };
    let sides = if kind == Kind::Wdl && is_split { 2 } else { 1 };
    let mut arrangements = Vec::new();
    for file in 0..files {
        let [order, pawn_order] =
            [header.u8()?, if material.has_pawns_on_both_sides() { header.u8()? } else { 0xFF }];
        let codes: Vec<u8> =
            (0..material.pieces()).map(|_| header.u8()).collect::<Result<_, _>>()?;
        for side in 0..sides {
            let own = |byte: u8| if side == 0 { byte & 15 } else { byte >> 4 };
            let pieces: Vec<u8> = codes.iter().map(|&code| own(code)).collect();
            let orders = [own(order), own(pawn_order)];
            arrangements.push(Arrangement::new(material, &pieces, orders, file)?);
        }
    }
    // `locate` takes the colour of the leading pawns from the first part.
    let leader = |arrangement: &Arrangement| arrangement.pieces()[0];
    let leads = |other: &Arrangement| leader(other) == leader(&arrangements[0]);
    if material.has_pawns() && !arrangements.iter().all(leads) {
        return Err(TableFileError::Damaged("the leading pawns differ in colour"));
    }
    header.align()?;
    let mut parts = Vec::new();
    for arrangement in arrangements {
        let (flags, values) = Values::read(header, arrangement.positions())?;
        parts.push(Part { arrangement, flags, values, maps: Default::default() });
    }
    let mut parts = parts.into_iter();
    Ok((0..files).map(|_| parts.by_ref().take(sides).collect()).collect())
}

impl Part {
    fn read_maps(&mut self, header: &mut Header<'_>) -> Result<(), TableFileError> {
        if self.flags & MAPPED == 0 {
            return Ok(());
        }
        let is_wide = self.flags & WIDE != 0;
        if is_wide {
            header.align()?;
        }
        for map in &mut self.maps {
            let length = if is_wide { header.u16()? } else { header.u8()?.into() };
            for _ in 0..length {
                map.push(if is_wide { header.u16()? } else { header.u8()?.into() });
            }
        }
        Ok(())
    }

    fn distance(&self, value: u16, wdl: Wdl) -> Result<Distance, TableFileError> {
        let (map, in_plies) = match wdl {
            Wdl::Win => (0, self.flags & WIN_IN_PLIES != 0),
            Wdl::Loss => (1, self.flags & LOSS_IN_PLIES != 0),
            Wdl::CursedWin => (2, false),
            Wdl::BlessedLoss => (3, false),
            Wdl::Draw => return Ok(Distance { plies: 0, is_exact: true }),
        };
        let mut distance = value;
        if self.flags & MAPPED != 0 {
            let known = self.maps[map].get(usize::from(value));
            distance = *known
                .ok_or(TableFileError::Damaged("a value is missing from the map of distances"))?;
        }
        let plies = i32::from(distance) * if in_plies { 1 } else { 2 } + 1;
        Ok(Distance { plies, is_exact: in_plies })
    }
}
