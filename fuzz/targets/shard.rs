//! Files of games, of both versions: damage is reported, what is read can be replayed and exported.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tabia::datagen::{Damage, Shard};
use tabia_data::{bullet_record, pgn, viri_record};

/// Offset of the header's length, and length of a block's head.
const HEADER_LENGTH: usize = 10;
const BLOCK_HEAD: usize = 12;

/// Reads a little-endian number.
fn number(bytes: &[u8], at: usize, length: usize) -> Option<usize> {
    let bytes = bytes.get(at..at.checked_add(length)?)?;
    Some(bytes.iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte)))
}

/// Writes the checksum of `start..end` and returns its end.
fn sum(bytes: &mut [u8], start: usize, end: usize) -> Option<usize> {
    let sum = crc32fast::hash(bytes.get(start..end)?).to_le_bytes();
    bytes.get_mut(end..end + 4)?.copy_from_slice(&sum);
    Some(end + 4)
}

/// Corrects the checksums, as far as the lengths fit.
fn repair(bytes: &mut [u8]) -> Option<()> {
    let end = number(bytes, HEADER_LENGTH, 2)?.checked_sub(4)?;
    let mut start = sum(bytes, 0, end)?;
    loop {
        let length = number(bytes, start, 4)?;
        start = sum(bytes, start, start + BLOCK_HEAD + length)?;
    }
}

fuzz_target!(|data: &[u8]| {
    let [kind, bytes @ ..] = data else { return };
    let mut bytes = bytes.to_vec();
    if kind & 1 == 1 {
        repair(&mut bytes);
    }
    let Ok(shard) = Shard::from_bytes(bytes) else { return };
    let _damage: Result<(), Damage> = shard.for_each_game(|index, game| {
        game.replay(|board, _, ply| assert!(board.is_legal(ply.mv)));
        game.for_each_interior_label(|label| {
            assert!(label.board.is_legal(label.mv));
            bullet_record(label.board, label.score, game.verdict.result);
        });
        let _ = viri_record(&game);
        assert!(pgn(index, &game, "fuzz").contains("[Event "));
        Ok(())
    });
});
