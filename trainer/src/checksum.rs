//! Checksums of the training's own state: XXH3 with 128 bits.
//!
//! They detect damaged and confused files. Nobody forges these, and SHA-256 would take longer than
//! the training where the compiler mixes its instructions with those for wide vectors.
//!
//! Source: Y. Collet, <https://github.com/Cyan4973/xxHash>

use twox_hash::XxHash3_128;

/// Length of a checksum.
pub const LENGTH: usize = 16;

/// Checksum of some bytes.
pub type Checksum = [u8; LENGTH];

/// Returns the checksum of the parts, one after another.
pub fn checksum<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Checksum {
    let mut sum = XxHash3_128::new();
    parts.into_iter().for_each(|part| sum.write(part));
    sum.finish_128().to_be_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recipe::hex;

    #[test]
    fn checksums_are_those_of_the_reference() {
        // As the Python package xxhash computes them.
        assert_eq!(hex(&checksum([])), "99aa06d3014798d86001c324468d497f");
        let bytes: Vec<u8> = (0..100_000).map(|place| (place % 251) as u8).collect();
        let (head, tail) = bytes.split_at(777);
        assert_eq!(hex(&checksum([head, tail])), "54182c58bbb1337c42c23aeead96750d");
        assert_ne!(checksum([tail, head]), checksum([head, tail]));
    }
}
