//! Decompression of the values of one arrangement of pieces.
//!
//! The values of all positions are one long sequence. Frequent pairs of values are replaced by
//! symbols, and pairs of symbols by further symbols (re-pair). The symbols are written in a
//! canonical Huffman code, in blocks of equal size. A sparse index locates the middle of each
//! span of positions: its block and the offset in it.
//! Source: R. de Man, <https://github.com/syzygy1/tb>;
//! <https://www.chessprogramming.org/Syzygy_Bases>

use super::bytes::{Header, TableFile, TableFileError};

/// Flag of tables with the same value everywhere.
const CONSTANT: u8 = 0x80;
/// Maximum code length in bits.
const MAX_CODE: u8 = 32;
/// Right half of a symbol whose left half is a value.
const NO_SYMBOL: u16 = 0xFFF;
/// Size of a sparse index entry: block number and offset in the block.
const SPARSE_BYTES: u64 = 6;

/// The values of all positions of an arrangement.
pub(super) enum Values {
    /// The same value everywhere.
    Constant(u16),
    /// Values compressed in blocks.
    Compressed(Box<Compressed>),
}

/// Layout and code of compressed values.
pub(super) struct Compressed {
    /// Block size in bytes.
    block_size: u64,
    /// Positions per entry of the sparse index.
    span: u64,
    sparse_entries: u64,
    /// Number of blocks with data.
    blocks: u64,
    /// Number of entries in the table of block lengths, including padding.
    lengths: u64,
    code: Vec<CodeLength>,
    symbols: Vec<Symbol>,
    sparse_at: u64,
    lengths_at: u64,
    data_at: u64,
}

/// The codes of one length in bits.
struct CodeLength {
    bits: u32,
    /// Smallest code of this length, in the upper bits.
    least: u64,
    /// Symbol of the smallest code.
    symbol: u16,
}

/// A value or a pair of symbols.
struct Symbol {
    left: u16,
    right: u16,
    /// Number of values in the symbol.
    values: u32,
}

impl Values {
    /// Reads the flags and the description of the values, without their offsets in the file.
    pub(super) fn read(
        header: &mut Header<'_>,
        positions: u64,
    ) -> Result<(u8, Self), TableFileError> {
        let flags = header.u8()?;
        if flags & CONSTANT != 0 {
            return Ok((flags, Self::Constant(header.u8()?.into())));
        }
        let (block_bits, span_bits) = (header.u8()?, header.u8()?);
        if !(3..=16).contains(&block_bits) || span_bits > 32 {
            return Err(TableFileError::Damaged("sizes of blocks"));
        }
        let span = 1u64 << span_bits;
        let padding = header.u8()?;
        let blocks = u64::from(header.u32()?);
        let code = read_code(header)?;
        let count = header.u16()?;
        let symbols = read_symbols(header, count)?;
        if count % 2 == 1 {
            header.u8()?;
        }
        let compressed = Compressed {
            block_size: 1 << block_bits,
            span,
            sparse_entries: positions.div_ceil(span),
            blocks,
            lengths: blocks + u64::from(padding),
            code,
            symbols,
            sparse_at: 0,
            lengths_at: 0,
            data_at: 0,
        };
        Ok((flags, Self::Compressed(Box::new(compressed))))
    }

    fn compressed(&mut self) -> Option<&mut Compressed> {
        match self {
            Self::Constant(_) => None,
            Self::Compressed(compressed) => Some(compressed),
        }
    }

    /// Assigns file offsets to all values of a file, from `at` on, and returns the end.
    ///
    /// The file holds all sparse indices, then all block lengths, then all blocks.
    pub(super) fn lay_out<'a>(all: impl Iterator<Item = &'a mut Self>, mut at: u64) -> u64 {
        let mut all: Vec<&mut Compressed> = all.filter_map(Self::compressed).collect();
        for values in &mut all {
            values.sparse_at = at;
            at += values.sparse_entries * SPARSE_BYTES;
        }
        for values in &mut all {
            values.lengths_at = at;
            at += values.lengths * 2;
        }
        for values in &mut all {
            at = at.next_multiple_of(64);
            values.data_at = at;
            at += values.blocks * values.block_size;
        }
        at
    }

    pub(super) fn get(&self, file: &TableFile, position: u64) -> Result<u16, TableFileError> {
        match self {
            Self::Constant(value) => Ok(*value),
            Self::Compressed(compressed) => compressed.get(file, position),
        }
    }
}

fn read_code(header: &mut Header<'_>) -> Result<Vec<CodeLength>, TableFileError> {
    let damaged = TableFileError::Damaged("lengths of codes");
    let (longest, shortest) = (header.u8()?, header.u8()?);
    if shortest == 0 || longest < shortest || longest > MAX_CODE {
        return Err(damaged);
    }
    let firsts = (shortest..=longest).map(|_| header.u16()).collect::<Result<Vec<_>, _>>()?;
    // Longer codes are smaller numbers, so the smallest code of the maximum length is zero.
    let mut code: Vec<CodeLength> = Vec::new();
    let (mut least, mut next) = (0u64, *firsts.last().unwrap_or(&0));
    for (bits, &symbol) in (shortest..=longest).zip(&firsts).rev() {
        if bits < longest {
            let longer = (least + u64::from(symbol)).checked_sub(next.into());
            least = longer.ok_or(TableFileError::Damaged("lengths of codes"))? / 2;
        }
        let bits = u32::from(bits);
        if least >> bits != 0 {
            return Err(damaged);
        }
        code.push(CodeLength { bits, least: least << (64 - bits), symbol });
        next = symbol;
    }
    code.reverse();
    Ok(code)
}

/// Reads the symbols and counts the values of each.
fn read_symbols(header: &mut Header<'_>, count: u16) -> Result<Vec<Symbol>, TableFileError> {
    let mut symbols = Vec::with_capacity(count.into());
    for _ in 0..count {
        let [a, b, c] = header.array()?.map(u16::from);
        symbols.push(Symbol { left: a | ((b & 15) << 8), right: (b >> 4) | (c << 4), values: 0 });
    }
    // Halves may follow the symbol that contains them, so the counting repeats until it makes
    // no progress. Symbols that contain each other are never counted.
    let mut uncounted = symbols.len();
    loop {
        for index in 0..symbols.len() {
            let Symbol { left, right, values } = symbols[index];
            if values == 0 {
                symbols[index].values = count_values(&symbols, left, right)?;
            }
        }
        let left = symbols.iter().filter(|symbol| symbol.values == 0).count();
        if left == 0 {
            return Ok(symbols);
        }
        if left == uncounted {
            return Err(TableFileError::Damaged("symbols that contain each other"));
        }
        uncounted = left;
    }
}

/// Returns the number of values of a pair, 0 while one of its halves is not counted.
fn count_values(symbols: &[Symbol], left: u16, right: u16) -> Result<u32, TableFileError> {
    /// Maximum number of values in a block.
    const MAX_VALUES: u32 = 1 << 16;
    if right == NO_SYMBOL {
        return Ok(1);
    }
    let half = |half: u16| symbols.get(usize::from(half)).map(|symbol| symbol.values);
    match (half(left), half(right)) {
        (Some(0), Some(_)) | (Some(_), Some(0)) => Ok(0),
        (Some(left), Some(right)) if left + right <= MAX_VALUES => Ok(left + right),
        _ => Err(TableFileError::Damaged("a symbol")),
    }
}

impl Compressed {
    fn get(&self, file: &TableFile, position: u64) -> Result<u16, TableFileError> {
        let (block, offset) = self.find_block(file, position)?;
        let mut bytes = vec![0; self.block_size as usize];
        file.read(self.data_at + block * self.block_size, &mut bytes)?;
        self.decode(&bytes, offset)
    }

    /// Returns the block of a position and its offset in the block.
    fn find_block(&self, file: &TableFile, position: u64) -> Result<(u64, u32), TableFileError> {
        let outside = || TableFileError::Damaged("a position outside its blocks");
        let entry = position / self.span;
        if entry >= self.sparse_entries {
            return Err(outside());
        }
        let [b0, b1, b2, b3, o0, o1] = file.array(self.sparse_at + entry * SPARSE_BYTES)?;
        let mut block = u64::from(u32::from_le_bytes([b0, b1, b2, b3]));
        let from_middle = (position % self.span) as i64 - (self.span / 2) as i64;
        let mut offset = i64::from(u16::from_le_bytes([o0, o1])) + from_middle;
        while offset < 0 {
            block = block.checked_sub(1).ok_or_else(outside)?;
            offset += self.block_values(file, block)?;
        }
        loop {
            let values = self.block_values(file, block)?;
            if offset < values {
                break;
            }
            offset -= values;
            block += 1;
        }
        if block < self.blocks { Ok((block, offset as u32)) } else { Err(outside()) }
    }

    fn block_values(&self, file: &TableFile, block: u64) -> Result<i64, TableFileError> {
        if block >= self.lengths {
            return Err(TableFileError::Damaged("the number of a block"));
        }
        let less_one = u16::from_le_bytes(file.array(self.lengths_at + block * 2)?);
        Ok(i64::from(less_one) + 1)
    }

    /// Decodes the value at an offset in a block.
    fn decode(&self, block: &[u8], mut offset: u32) -> Result<u16, TableFileError> {
        let damaged = || TableFileError::Damaged("a block");
        let mut bit = 0;
        loop {
            if bit >= block.len() * 8 {
                return Err(damaged());
            }
            let window = bits_from(block, bit);
            let length = self.code.iter().find(|length| window >= length.least);
            let CodeLength { bits, least, symbol } = length.ok_or_else(damaged)?;
            let number = ((window - least) >> (64 - bits)) + u64::from(*symbol);
            let symbol = self.symbols.get(number as usize).ok_or_else(damaged)?;
            if offset < symbol.values {
                return Ok(self.value_in(symbol, offset));
            }
            offset -= symbol.values;
            bit += *bits as usize;
        }
    }

    /// Returns the value at an offset in a symbol, which must be below its number of values.
    fn value_in<'a>(&'a self, mut symbol: &'a Symbol, mut offset: u32) -> u16 {
        while symbol.right != NO_SYMBOL {
            let left = &self.symbols[usize::from(symbol.left)];
            if offset < left.values {
                symbol = left;
            } else {
                offset -= left.values;
                symbol = &self.symbols[usize::from(symbol.right)];
            }
        }
        symbol.left
    }
}

/// Returns 64 bits from offset `bit` on, the first at the top; zeros beyond the end.
fn bits_from(bytes: &[u8], bit: usize) -> u64 {
    let window = (0..9).fold(0u128, |window, index| {
        (window << 8) | u128::from(bytes.get(bit / 8 + index).copied().unwrap_or(0))
    });
    (window >> (8 - bit % 8)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_read_from_any_offset() {
        let bytes = [0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC, 0xDE, 0xF0, 0x11];
        assert_eq!(bits_from(&bytes, 0), 0x1234_5678_9ABC_DEF0);
        assert_eq!(bits_from(&bytes, 4), 0x2345_6789_ABCD_EF01);
        assert_eq!(bits_from(&bytes, 68), 0x1000_0000_0000_0000);
        assert_eq!(bits_from(&bytes, 200), 0);
    }
}
