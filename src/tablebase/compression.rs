//! Decompression of the values of one arrangement of pieces.
//!
//! The values of all positions are one long sequence. Frequent pairs are replaced by symbols, and
//! pairs of symbols by further symbols (re-pair). Symbols are written in canonical Huffman code, in
//! blocks of equal size. A sparse index holds block and offset of the middle of each span of
//! positions.

use super::table_file::{Header, TableFile, TableFileError};

/// Flag of tables with the same value everywhere.
const CONSTANT: u8 = 0x80;
/// Maximum code length in bits.
const MAX_CODE: u8 = 32;
/// Right half of a symbol whose left half is a value.
const NO_SYMBOL: u16 = 0xFFF;
/// Sparse index entry: block number and offset in the block.
const SPARSE_BYTES: u64 = 6;
/// Maximum number of blocks between a sparse index entry and a position of its span.
///
/// Half of the longest span, 2¹⁷ positions, in blocks of 8 values. The smallest blocks in use, of
/// 32 bytes, hold that many even if all codes have the maximum length. The tables of up to four
/// pieces need at most 60.
const MAX_WALK: usize = 8192;
/// Number of block lengths that are read together.
const RUN: u64 = 32;

pub(super) enum Values {
    Constant(u16),
    Compressed(Box<Compressed>),
}

pub(super) struct Compressed {
    /// Block size in bytes.
    block_size: u64,
    /// Positions per entry of the sparse index.
    span: u64,
    sparse_entries: u64,
    /// Number of blocks, without padding.
    blocks: u64,
    /// Number of block lengths, with padding.
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
    smallest: u64,
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
    /// Reads the flags and the description of the values, without file offsets.
    pub(super) fn read(
        header: &mut Header<'_>,
        positions: u64,
    ) -> Result<(u8, Self), TableFileError> {
        let flags = header.u8()?;
        if flags & CONSTANT != 0 {
            return Ok((flags, Self::Constant(header.u8()?.into())));
        }
        let block_bits = header.u8()?;
        let span_bits = header.u8()?;
        if !(3..=16).contains(&block_bits) || span_bits > 32 {
            return Err(TableFileError::Damaged("a block size is out of range"));
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
    let damaged = || TableFileError::Damaged("the code lengths contradict each other");
    let longest = header.u8()?;
    let shortest = header.u8()?;
    if shortest == 0 || longest < shortest || longest > MAX_CODE {
        return Err(damaged());
    }
    let firsts = (shortest..=longest).map(|_| header.u16()).collect::<Result<Vec<_>, _>>()?;
    // Longer codes are smaller numbers, so the smallest code of the maximum length is zero.
    let mut code: Vec<CodeLength> = Vec::new();
    let mut smallest = 0u64;
    let mut next = *firsts.last().unwrap_or(&0);
    for (bits, &symbol) in (shortest..=longest).zip(&firsts).rev() {
        if bits < longest {
            let longer = (smallest + u64::from(symbol)).checked_sub(next.into());
            smallest = longer.ok_or_else(damaged)? / 2;
        }
        let bits = u32::from(bits);
        if smallest >> bits != 0 {
            return Err(damaged());
        }
        code.push(CodeLength { bits, smallest: smallest << (64 - bits), symbol });
        next = symbol;
    }
    code.reverse();
    Ok(code)
}

fn read_symbols(header: &mut Header<'_>, count: u16) -> Result<Vec<Symbol>, TableFileError> {
    let mut symbols = Vec::with_capacity(count.into());
    for _ in 0..count {
        let [a, b, c] = header.array()?.map(u16::from);
        symbols.push(Symbol { left: a | ((b & 15) << 8), right: (b >> 4) | (c << 4), values: 0 });
    }
    count_all(&mut symbols)?;
    Ok(symbols)
}

/// Counts the values of all symbols, halves before the symbols that contain them.
fn count_all(symbols: &mut [Symbol]) -> Result<(), TableFileError> {
    // Each element is a half of the one before it.
    let mut pending = Vec::new();
    for index in 0..symbols.len() {
        pending.push(index);
        while let Some(&last) = pending.last() {
            match count(symbols, last)? {
                SymbolCount::Values(values) => {
                    symbols[last].values = values;
                    pending.pop();
                }
                SymbolCount::After(half) if pending.len() < symbols.len() => pending.push(half),
                SymbolCount::After(_) => {
                    return Err(TableFileError::Damaged("symbols contain each other"));
                }
            }
        }
    }
    Ok(())
}

enum SymbolCount {
    Values(u32),
    /// This half has to be counted first.
    After(usize),
}

fn count(symbols: &[Symbol], index: usize) -> Result<SymbolCount, TableFileError> {
    /// Maximum number of values in a block.
    const MAX_VALUES: u32 = 1 << 16;
    let Symbol { left, right, .. } = symbols[index];
    if right == NO_SYMBOL {
        return Ok(SymbolCount::Values(1));
    }
    let mut sum = 0;
    for half in [left, right].map(usize::from) {
        match symbols.get(half).map(|symbol| symbol.values) {
            None => return Err(TableFileError::Damaged("a symbol contains a missing one")),
            Some(0) => return Ok(SymbolCount::After(half)),
            Some(values) => sum += values,
        }
    }
    if sum > MAX_VALUES {
        Err(TableFileError::Damaged("a symbol holds too many values"))
    } else {
        Ok(SymbolCount::Values(sum))
    }
}

/// Lengths of neighbouring blocks.
struct LengthRun {
    index: Option<u64>,
    bytes: [u8; 2 * RUN as usize],
}

impl Compressed {
    fn get(&self, file: &TableFile, position: u64) -> Result<u16, TableFileError> {
        let (block, offset) = self.find_block(file, position)?;
        let mut bytes = vec![0; self.block_size as usize];
        file.read(self.data_at + block * self.block_size, &mut bytes)?;
        self.decode(&bytes, offset)
    }

    /// Returns the block of a position and the offset in it.
    fn find_block(&self, file: &TableFile, position: u64) -> Result<(u64, u32), TableFileError> {
        let outside = || TableFileError::Damaged("a position lies outside its blocks");
        let entry = position / self.span;
        if entry >= self.sparse_entries {
            return Err(outside());
        }
        let [b0, b1, b2, b3, o0, o1] = file.array(self.sparse_at + entry * SPARSE_BYTES)?;
        let mut block = u64::from(u32::from_le_bytes([b0, b1, b2, b3]));
        let from_middle = (position % self.span) as i64 - (self.span / 2) as i64;
        let mut offset = i64::from(u16::from_le_bytes([o0, o1])) + from_middle;
        let mut run = LengthRun { index: None, bytes: [0; _] };
        // A made-up table could have millions of blocks of one value.
        for _ in 0..=MAX_WALK {
            if offset < 0 {
                block = block.checked_sub(1).ok_or_else(outside)?;
                offset += self.block_values(file, block, &mut run)?;
                continue;
            }
            let values = self.block_values(file, block, &mut run)?;
            if offset < values {
                return if block < self.blocks {
                    Ok((block, offset as u32))
                } else {
                    Err(outside())
                };
            }
            offset -= values;
            block += 1;
        }
        Err(TableFileError::Damaged("a position is too far from its index entry"))
    }

    /// Returns the number of values in a block. Reads the lengths of a run of blocks at once.
    fn block_values(
        &self,
        file: &TableFile,
        block: u64,
        run: &mut LengthRun,
    ) -> Result<i64, TableFileError> {
        if block >= self.lengths {
            return Err(TableFileError::Damaged("a block number is too large"));
        }
        let index = block / RUN;
        if run.index != Some(index) {
            let first = index * RUN;
            let count = RUN.min(self.lengths - first) as usize;
            file.read(self.lengths_at + first * 2, &mut run.bytes[..count * 2])?;
            run.index = Some(index);
        }
        let (lengths, _) = run.bytes.as_chunks::<2>();
        let less_one = u16::from_le_bytes(lengths[(block % RUN) as usize]);
        Ok(i64::from(less_one) + 1)
    }

    fn decode(&self, block: &[u8], mut offset: u32) -> Result<u16, TableFileError> {
        let damaged = || TableFileError::Damaged("a block holds too few values or an unknown code");
        let mut bit = 0;
        loop {
            if bit >= block.len() * 8 {
                return Err(damaged());
            }
            let window = bits_from(block, bit);
            let length = self.code.iter().find(|length| window >= length.smallest);
            let CodeLength { bits, smallest, symbol } = length.ok_or_else(damaged)?;
            let number = ((window - smallest) >> (64 - bits)) + u64::from(*symbol);
            let index = usize::try_from(number).map_err(|_| damaged())?;
            let symbol = self.symbols.get(index).ok_or_else(damaged)?;
            if offset < symbol.values {
                return Ok(self.value_in(symbol, offset));
            }
            offset -= symbol.values;
            bit += *bits as usize;
        }
    }

    /// Returns a value of a symbol. `offset` must be below its number of values.
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

    fn counts(halves: &[(u16, u16)]) -> Result<Vec<u32>, String> {
        let symbol = |&(left, right): &(u16, u16)| Symbol { left, right, values: 0 };
        let mut symbols: Vec<Symbol> = halves.iter().map(symbol).collect();
        count_all(&mut symbols).map_err(|error| error.to_string())?;
        Ok(symbols.iter().map(|symbol| symbol.values).collect())
    }

    #[test]
    fn symbols_count_the_values_of_their_halves() {
        let value = (7, NO_SYMBOL);
        assert_eq!(counts(&[(1, 2), (2, 2), value]), Ok(vec![3, 2, 1]));
        assert_eq!(counts(&[]), Ok(vec![]));
        // Each symbol contains the next one twice: 2¹⁶ values is the maximum.
        let doubled = |count| {
            let mut halves: Vec<_> = (1..=count).map(|next| (next, next)).collect();
            halves.push(value);
            counts(&halves)
        };
        assert_eq!(doubled(16).map(|counts| counts[0]), Ok(1 << 16));
        assert_eq!(doubled(17), Err("damaged: a symbol holds too many values".to_owned()));
        for cycle in [&[(0, 0)][..], &[(1, 2), (0, 2), value], &[value, (2, 0), (3, 0), (1, 0)]] {
            let error = counts(cycle).expect_err("a cycle");
            assert_eq!(error, "damaged: symbols contain each other");
        }
        assert_eq!(counts(&[(1, 0)]), Err("damaged: a symbol contains a missing one".to_owned()));
    }

    #[test]
    fn bits_are_read_from_any_offset() {
        let bytes = [0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC, 0xDE, 0xF0, 0x11];
        assert_eq!(bits_from(&bytes, 0), 0x1234_5678_9ABC_DEF0);
        assert_eq!(bits_from(&bytes, 4), 0x2345_6789_ABCD_EF01);
        assert_eq!(bits_from(&bytes, 68), 0x1000_0000_0000_0000);
        assert_eq!(bits_from(&bytes, 200), 0);
    }
}
