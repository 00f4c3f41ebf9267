//! Shards: damaged bytes are reported without a panic.

use std::fs;
use std::path::Path;

use tabia::datagen::{Damage, Game, Shard, ShardHeader, Version, encode_block};

use crate::datagen::{games_of, options, reference_games};
use crate::support::TestRng;

/// Returns all games in one shard.
fn one_shard() -> (Vec<u8>, Vec<Game>) {
    let games = reference_games();
    let header = ShardHeader {
        version: Version::NEWEST,
        net: [0; 32],
        seed: 7,
        first_game: 0,
        options: options(Path::new("."), 1).game,
        engine: "test".to_owned(),
    };
    let mut bytes = header.to_bytes();
    games.chunks(4).for_each(|block| bytes.extend(encode_block(block)));
    (bytes, games)
}

/// Returns the offsets of the ends of the header and of the blocks.
fn ends(bytes: &[u8]) -> Vec<usize> {
    let shard = Shard::from_bytes(bytes.to_vec()).unwrap();
    let blocks: Vec<_> = shard.blocks().map(Result::unwrap).collect();
    blocks.iter().map(|block| block.start).chain(blocks.last().map(|block| block.end)).collect()
}

#[test]
fn the_name_of_the_engine_has_no_control_characters() {
    let (bytes, _) = one_shard();
    let mut header = Shard::from_bytes(bytes).unwrap().header;
    header.engine = "a\x1b[2J\n\u{9b}b".to_owned();
    let read = Shard::from_bytes(header.to_bytes()).unwrap().header;
    assert_eq!(read.engine, "a\u{fffd}[2J\u{fffd}\u{fffd}b");
}

#[test]
fn blocks_before_the_damage_are_read() {
    let (bytes, games) = one_shard();
    let ends = ends(&bytes);
    let mut rng = TestRng::new(71);
    for turn in 0..300 {
        let place = rng.below(bytes.len());
        let mut damaged = bytes.clone();
        if turn % 2 == 0 {
            damaged.truncate(place);
        } else {
            damaged[place] ^= 1 << rng.below(8);
        }
        if place < ends[0] {
            assert!(Shard::from_bytes(damaged).is_err(), "{place}");
            continue;
        }
        let whole = ends.iter().rposition(|&end| end <= place).unwrap();
        let (read, damage) = games_of(&damaged);
        assert!(read == games[..whole * 4], "{place}");
        if turn % 2 == 0 && ends.contains(&place) {
            assert_eq!(damage, None, "cut between two blocks");
        } else {
            assert_eq!(damage.map(|damage| damage.at), Some(ends[whole]), "{place}");
        }
    }
}

/// Computes the checksum by its definition, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    let mut sum = !0_u32;
    for &byte in bytes {
        sum ^= u32::from(byte);
        for _ in 0..8 {
            sum = if sum & 1 != 0 { sum >> 1 ^ 0xEDB8_8320 } else { sum >> 1 };
        }
    }
    !sum
}

/// Returns a block with a valid checksum around any payload.
fn block_around(payload: &[u8], games: u32, plies: u32) -> Vec<u8> {
    let mut block = Vec::new();
    for number in [payload.len() as u32, games, plies] {
        block.extend(number.to_le_bytes());
    }
    block.extend(payload);
    block.extend(crc32(&block).to_le_bytes());
    block
}

fn read_all(bytes: Vec<u8>) -> usize {
    let Ok(shard) = Shard::from_bytes(bytes) else { return 0 };
    let mut games = 0;
    let _damage: Result<(), Damage> = shard.for_each_game(|_, game| {
        game.replay(|board, _, ply| assert!(board.is_legal(ply.mv)));
        game.for_each_interior_label(|label| assert!(label.board.is_legal(label.mv)));
        games += 1;
        Ok(())
    });
    games
}

/// Reads random bytes as shards of both versions: as files, as blocks, and with valid checksums.
/// Returns the number of games found.
fn read_random_bytes(seed: u64, turns: usize) -> usize {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("trainer/tests/games");
    let version_1 = fs::read(games.join("seed9-00000.tabia")).unwrap();
    read_random(&one_shard().0, seed, turns) + read_random(&version_1, seed, turns)
}

fn read_random(good: &[u8], seed: u64, turns: usize) -> usize {
    let start = ends(good)[0];
    let payload = &good[start + 12..ends(good)[1] - 4];
    let mut rng = TestRng::new(seed);
    let mut games = 0;
    for _ in 0..turns {
        let noise: Vec<u8> = (0..rng.below(2000)).map(|_| rng.below(256) as u8).collect();
        read_all(noise.clone());
        let count = [1, 4, 64, 4096][rng.below(4)];
        let mut bytes = good[..start].to_vec();
        bytes.extend(block_around(&noise, count, rng.below(500) as u32));
        games += read_all(bytes);
        let mut mutated = payload.to_vec();
        for _ in 0..1 + rng.below(4) {
            let place = rng.below(mutated.len());
            mutated[place] = rng.below(256) as u8;
        }
        let mut bytes = good[..start].to_vec();
        bytes.extend(block_around(&mutated, 4, rng.below(1000) as u32));
        games += read_all(bytes);
        // A header with a valid checksum and random numbers.
        let mut header = good[..start - 4].to_vec();
        let place = 10 + rng.below(header.len() - 10);
        header[place] = rng.below(256) as u8;
        header.extend(crc32(&header).to_le_bytes());
        header.extend(&good[start..]);
        games += read_all(header);
    }
    games
}

#[test]
fn random_bytes_are_rejected_without_a_panic() {
    assert!(read_random_bytes(72, 60) > 0, "some changes must leave readable games");
}

#[test]
#[ignore = "eighty thousand files"]
fn many_random_bytes_are_rejected_without_a_panic() {
    read_random_bytes(73, 10_000);
}
