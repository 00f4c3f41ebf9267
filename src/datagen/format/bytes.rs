//! Little-endian parsing.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_from_the_front() {
        let mut bytes = Bytes(&[1, 0, 2, 0, 0, 0, 7, 8]);
        assert_eq!((bytes.u16(), bytes.u32()), (Some(1), Some(2)));
        assert_eq!(bytes.u32(), None);
        assert_eq!((bytes.slice(2), bytes.slice(1)), (Some(&[7, 8][..]), None));
    }
}
