//! Little-endian parsing, and the checksum of shards.

/// Parser of numbers from the front of a slice; `None` if too few bytes are left.
pub(super) struct Bytes<'a>(pub(super) &'a [u8]);

impl<'a> Bytes<'a> {
    pub(super) fn slice(&mut self, length: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(head)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*head)
    }

    pub(super) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }
}

const REMAINDERS: [u32; 256] = {
    /// Lowest bit first.
    const POLYNOMIAL: u32 = 0xEDB8_8320;
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut remainder = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            let subtract = if remainder & 1 != 0 { POLYNOMIAL } else { 0 };
            remainder = remainder >> 1 ^ subtract;
            bit += 1;
        }
        table[byte] = remainder;
        byte += 1;
    }
    table
};

/// Returns the CRC-32 that zip, gzip and PNG use. Source:
/// <https://en.wikipedia.org/wiki/Cyclic_redundancy_check>
pub(super) fn crc32(bytes: &[u8]) -> u32 {
    let step = |sum: u32, byte: &u8| sum >> 8 ^ REMAINDERS[(sum as u8 ^ byte) as usize];
    !bytes.iter().fold(!0, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crc32_matches_its_check_value() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        assert_eq!(crc32(b""), 0);
    }

    #[test]
    fn numbers_are_read_from_the_front() {
        let mut bytes = Bytes(&[1, 0, 2, 0, 0, 0, 7, 8]);
        assert_eq!((bytes.u16(), bytes.u32()), (Some(1), Some(2)));
        assert_eq!(bytes.u32(), None);
        assert_eq!((bytes.slice(2), bytes.slice(1)), (Some(&[7, 8][..]), None));
    }
}
