//! The compressed values of one arrangement of pieces.
//!
//! The values of all positions are one long sequence. Pairs of neighbours that occur often became symbols, pairs of
//! symbols symbols again (re-pair), and the symbols are written in a canonical Huffman code, in blocks of equal size in
//! bytes. A sparse index says for the middle of every span of positions in which block it lies and how far from its
//! beginning. Source: R. de Man, <https://github.com/syzygy1/tb>; <https://www.chessprogramming.org/Syzygy_Bases>

use super::bytes::{Header, TableError, TableFile};

/// The flag of values that are all the same.
const CONSTANT: u8 = 0x80;
/// The longest code, in bits.
const MAX_CODE: u8 = 32;
/// In place of a symbol's second half: its first half is a value.
const NO_SYMBOL: u16 = 0xFFF;
/// The bytes of an entry of the sparse index: a block's number and an offset in it.
const SPARSE_BYTES: u64 = 6;

/// The values of all positions.
pub(super) enum Values {
    /// One value for all.
    Constant(u16),
    /// Many.
    Compressed(Box<Compressed>),
}

/// How to find and read a value.
pub(super) struct Compressed {
    /// Bytes of a block.
    block_size: u64,
    /// Positions for each entry of the sparse index.
    span: u64,
    sparse_entries: u64,
    /// Blocks with data.
    blocks: u64,
    /// Entries of the table of block lengths, which is padded.
    lengths: u64,
    code: Vec<CodeLength>,
    symbols: Vec<Symbol>,
    sparse_at: u64,
    lengths_at: u64,
    data_at: u64,
}

/// The codes of one length.
struct CodeLength {
    bits: u32,
    /// The least code of this length, in the upper bits.
    least: u64,
    /// The symbol of that code.
    symbol: u16,
}

/// A value, or a pair of symbols.
struct Symbol {
    left: u16,
    right: u16,
    /// How many values it stands for.
    values: u32,
}

impl Values {
    /// Reads the description of the values of `positions` positions; where they are is still open.
    /// Returns the flags, too.
    pub(super) fn read(header: &mut Header<'_>, positions: u64) -> Result<(u8, Self), TableError> {
        let flags = header.u8()?;
        if flags & CONSTANT != 0 {
            return Ok((flags, Self::Constant(header.u8()?.into())));
        }
        let (block_bits, span_bits) = (header.u8()?, header.u8()?);
        if !(3..=16).contains(&block_bits) || span_bits > 32 {
            return Err(TableError::Damaged("sizes of blocks"));
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

    /// Places the parts of all values of a file one after the other from `at` on: the sparse indices, the lengths of the
    /// blocks, the blocks. Returns where the last one ends.
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

    /// The value of the position of this number.
    pub(super) fn get(&self, file: &TableFile, position: u64) -> Result<u16, TableError> {
        match self {
            Self::Constant(value) => Ok(*value),
            Self::Compressed(compressed) => compressed.get(file, position),
        }
    }
}

/// The lengths of the codes and their symbols.
fn read_code(header: &mut Header<'_>) -> Result<Vec<CodeLength>, TableError> {
    let damaged = TableError::Damaged("lengths of codes");
    let (longest, shortest) = (header.u8()?, header.u8()?);
    if shortest == 0 || longest < shortest || longest > MAX_CODE {
        return Err(damaged);
    }
    let firsts = (shortest..=longest).map(|_| header.u16()).collect::<Result<Vec<_>, _>>()?;
    // Longer codes are the smaller numbers: of the longest, the least is zero.
    let mut code: Vec<CodeLength> = Vec::new();
    let (mut least, mut next) = (0u64, *firsts.last().unwrap_or(&0));
    for (bits, &symbol) in (shortest..=longest).zip(&firsts).rev() {
        if bits < longest {
            let longer = (least + u64::from(symbol)).checked_sub(next.into());
            least = longer.ok_or(TableError::Damaged("lengths of codes"))? / 2;
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

/// The symbols, each with the number of its values.
fn read_symbols(header: &mut Header<'_>, count: u16) -> Result<Vec<Symbol>, TableError> {
    let mut symbols = Vec::with_capacity(count.into());
    for _ in 0..count {
        let [a, b, c] = header.array()?.map(u16::from);
        symbols.push(Symbol { left: a | (b & 15) << 8, right: b >> 4 | c << 4, values: 0 });
    }
    // Halves may come after the whole; so the counting goes on while it gets anywhere. Symbols that contain each other
    // are never counted.
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
            return Err(TableError::Damaged("symbols that contain each other"));
        }
        uncounted = left;
    }
}

/// The values of a pair, 0 while one of its halves is not counted yet.
fn count_values(symbols: &[Symbol], left: u16, right: u16) -> Result<u32, TableError> {
    /// A block has no more.
    const MOST: u32 = 1 << 16;
    if right == NO_SYMBOL {
        return Ok(1);
    }
    let half = |half: u16| symbols.get(usize::from(half)).map(|symbol| symbol.values);
    match (half(left), half(right)) {
        (Some(0), Some(_)) | (Some(_), Some(0)) => Ok(0),
        (Some(left), Some(right)) if left + right <= MOST => Ok(left + right),
        _ => Err(TableError::Damaged("a symbol")),
    }
}

impl Compressed {
    fn get(&self, file: &TableFile, position: u64) -> Result<u16, TableError> {
        let (block, offset) = self.find_block(file, position)?;
        let mut bytes = vec![0; self.block_size as usize];
        file.read(self.data_at + block * self.block_size, &mut bytes)?;
        self.decode(&bytes, offset)
    }

    /// The block of a position, and the position's place in it.
    fn find_block(&self, file: &TableFile, position: u64) -> Result<(u64, u32), TableError> {
        let outside = || TableError::Damaged("a position outside its blocks");
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

    /// How many values a block has.
    fn block_values(&self, file: &TableFile, block: u64) -> Result<i64, TableError> {
        if block >= self.lengths {
            return Err(TableError::Damaged("the number of a block"));
        }
        let less_one = u16::from_le_bytes(file.array(self.lengths_at + block * 2)?);
        Ok(i64::from(less_one) + 1)
    }

    /// The value at a place in a block.
    fn decode(&self, block: &[u8], mut offset: u32) -> Result<u16, TableError> {
        let damaged = || TableError::Damaged("a block");
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

    /// The value at a place in a symbol, which has so many.
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

/// The 64 bits from this one on, the first one on top; beyond the end there are zeros.
fn bits_from(bytes: &[u8], bit: usize) -> u64 {
    let window = (0..9).fold(0u128, |window, index| {
        window << 8 | u128::from(bytes.get(bit / 8 + index).copied().unwrap_or(0))
    });
    (window >> (8 - bit % 8)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_begin_at_any_bit() {
        let bytes = [0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC, 0xDE, 0xF0, 0x11];
        assert_eq!(bits_from(&bytes, 0), 0x1234_5678_9ABC_DEF0);
        assert_eq!(bits_from(&bytes, 4), 0x2345_6789_ABCD_EF01);
        assert_eq!(bits_from(&bytes, 68), 0x1000_0000_0000_0000);
        assert_eq!(bits_from(&bytes, 200), 0);
    }
}
