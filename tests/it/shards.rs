//! The files of self-play games: what is damaged is told and does no harm, what is wrong is seen, and other programs read
//! what is exported.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use tabia::board::Board;
use tabia::datagen::data::{ExportFormat, bullet_record, export, pgn, stats, verify, viri_record};
use tabia::datagen::{Damage, Game, GameResult, KeepFilter, Shard, ShardHeader, encode_block};
use tabia::types::Score;

use crate::datagen::{folder, games_of, options, reference_games};
use crate::support::Dice;

/// All games in one shard.
fn one_shard() -> (Vec<u8>, Vec<Game>) {
    let games = reference_games();
    let header = ShardHeader {
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

/// The ends of the header and of the blocks.
fn ends(bytes: &[u8]) -> Vec<usize> {
    let shard = Shard::from_bytes(bytes.to_vec()).unwrap();
    let blocks: Vec<_> = shard.blocks().map(Result::unwrap).collect();
    blocks.iter().map(|block| block.start).chain(blocks.last().map(|block| block.end)).collect()
}

#[test]
fn what_comes_before_the_damage_is_read() {
    let (bytes, games) = one_shard();
    let ends = ends(&bytes);
    let mut dice = Dice::new(71);
    for turn in 0..300 {
        let place = dice.below(bytes.len());
        let mut damaged = bytes.clone();
        if turn % 2 == 0 {
            damaged.truncate(place);
        } else {
            damaged[place] ^= 1 << dice.below(8);
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

/// The checksum as its definition has it, bit by bit.
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

/// A block with a right checksum around any payload.
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
        games += 1;
        Ok(())
    });
    games
}

/// Bytes without sense, in the file, in its blocks and behind right checksums.
fn read_senseless_bytes(seed: u64, turns: usize) -> usize {
    let (good, _) = one_shard();
    let start = ends(&good)[0];
    let payload = &good[start + 12..ends(&good)[1] - 4];
    let mut dice = Dice::new(seed);
    let mut games = 0;
    for _ in 0..turns {
        let noise: Vec<u8> = (0..dice.below(2000)).map(|_| dice.below(256) as u8).collect();
        read_all(noise.clone());
        let count = [1, 4, 64, 4096][dice.below(4)];
        let mut bytes = good[..start].to_vec();
        bytes.extend(block_around(&noise, count, dice.below(500) as u32));
        games += read_all(bytes);
        let mut mutated = payload.to_vec();
        for _ in 0..1 + dice.below(4) {
            let place = dice.below(mutated.len());
            mutated[place] = dice.below(256) as u8;
        }
        let mut bytes = good[..start].to_vec();
        bytes.extend(block_around(&mutated, 4, dice.below(1000) as u32));
        games += read_all(bytes);
        // A header with a right checksum and any numbers.
        let mut header = good[..start - 4].to_vec();
        let place = 10 + dice.below(header.len() - 10);
        header[place] = dice.below(256) as u8;
        header.extend(crc32(&header).to_le_bytes());
        header.extend(&good[start..]);
        games += read_all(header);
    }
    games
}

#[test]
fn senseless_bytes_do_no_harm() {
    assert!(read_senseless_bytes(72, 60) > 0, "some headers differ in nothing that matters");
}

#[test]
#[ignore = "forty thousand files"]
fn senseless_bytes_do_no_harm_for_long() {
    read_senseless_bytes(73, 10_000);
}

#[test]
fn verify_sees_what_is_wrong() {
    let folder = folder("verify");
    fs::create_dir_all(&folder).unwrap();
    let (bytes, mut games) = one_shard();
    let header_end = ends(&bytes)[0];
    let path = folder.join("games.tabia");
    let check = |games: &[Game]| {
        let mut file = bytes[..header_end].to_vec();
        file.extend(encode_block(games));
        fs::write(&path, file).unwrap();
        verify(std::slice::from_ref(&path), &AtomicBool::new(false), &mut |_| {}).unwrap()
    };
    assert!(check(&games));
    let right = games[5].clone();
    games[5].verdict.result = match right.verdict.result {
        GameResult::Draw => GameResult::WhiteWins,
        _ => GameResult::Draw,
    };
    assert!(!check(&games), "another result");
    games[5] = right.clone();
    games[5].plies.pop();
    assert!(!check(&games), "an end too early");
    games[5] = right.clone();
    games[5].plies[0].score = Score(3000);
    assert!(!check(&games), "an opening that is decided");
    games[5] = right;
    games.swap(5, 6);
    assert!(!check(&games), "another number of random plies");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn statistics_tell_of_damage() {
    let folder = folder("stats");
    fs::create_dir_all(&folder).unwrap();
    let (bytes, games) = one_shard();
    let path = folder.join("games.tabia");
    for (length, whole) in [(bytes.len(), true), (bytes.len() - 1, false)] {
        fs::write(&path, &bytes[..length]).unwrap();
        let mut lines = Vec::new();
        let found = stats(
            std::slice::from_ref(&path),
            KeepFilter::default(),
            &AtomicBool::new(false),
            &mut |line| lines.push(line.to_owned()),
        );
        assert_eq!(found.unwrap(), whole);
        let count = if whole { games.len() } else { games.len() - 4 };
        assert!(
            lines
                .iter()
                .any(|line| { line.split_whitespace().eq(["games", &count.to_string()[..]]) }),
            "{lines:?}"
        );
        assert_eq!(lines.iter().any(|line| line.contains("cut short")), !whole);
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn games_can_be_read_by_people() {
    for (number, game) in (0..).zip(reference_games()) {
        let text = pgn(number, &game, "1.0 \"x\"");
        let result = game.verdict.result.text();
        assert!(text.contains(&format!("[Result \"{result}\"]")), "{text}");
        assert!(text.trim_end().ends_with(result), "{text}");
        assert_eq!(text.matches('{').count(), game.opening.len() + game.plies.len());
        assert_eq!(text.matches("{random}").count(), game.opening.len());
    }
}

#[test]
fn bulletformat_turns_the_board_round_for_black() {
    let board = Board::from_fen("4k3/8/8/8/8/8/4P3/R3K3 b Q - 0 1").unwrap();
    let record = bullet_record(&board, Score(-35), GameResult::WhiteWins);
    let flipped = Board::from_fen("r3k3/4p3/8/8/8/8/8/4K3 w q - 0 1").unwrap();
    assert_eq!(record, bullet_record(&flipped, Score(-35), GameResult::BlackWins));
    // Own king on e1, their rook on a8 (56), king on e8 (60), pawn on e7 (52).
    assert_eq!(record[..8], (1_u64 << 4 | 1 << 52 | 1 << 56 | 1 << 60).to_le_bytes());
    assert_eq!(record[8..10], [8 << 4 | 5, 13 << 4 | 11]);
    assert_eq!(record[24..29], [0xDD, 0xFF, 0, 4, 4]);
}

#[test]
fn the_library_of_viriformat_reads_what_is_exported() {
    use viriformat::dataformat::{Filter, Game as ViriGame, WDL};
    for game in reference_games() {
        let bytes = viri_record(&game);
        let theirs = ViriGame::deserialise_from(&mut &bytes[..], Vec::new()).unwrap();
        let result = match theirs.outcome() {
            WDL::Win => GameResult::WhiteWins,
            WDL::Draw => GameResult::Draw,
            WDL::Loss => GameResult::BlackWins,
        };
        assert_eq!(result, game.verdict.result);
        let mut ours = Vec::new();
        game.replay(|board, _, ply| ours.push(bullet_record(board, ply.score, result)));
        let mut records = Vec::new();
        theirs
            .splat_to_bulletformat(
                |theirs| {
                    let mut record = [0; 32];
                    record[..8].copy_from_slice(&theirs.occ.to_le_bytes());
                    record[8..24].copy_from_slice(&theirs.pcs);
                    record[24..26].copy_from_slice(&theirs.score.to_le_bytes());
                    record[26..29].copy_from_slice(&[theirs.result, theirs.ksq, theirs.opp_ksq]);
                    record[29..].copy_from_slice(&theirs.extra);
                    records.push(record);
                    Ok(())
                },
                &Filter::UNRESTRICTED,
            )
            .unwrap();
        assert_eq!(records, ours);
    }
}

#[test]
fn exports_hold_what_the_filter_keeps_or_every_game() {
    let folder = folder("export");
    fs::create_dir_all(&folder).unwrap();
    let (bytes, games) = one_shard();
    let path = folder.join("games.tabia");
    fs::write(&path, bytes).unwrap();
    let out = folder.join("out");
    let filter = KeepFilter { min_ply: 20, ..KeepFilter::default() };
    let written = |format| {
        let files = std::slice::from_ref(&path);
        let stop = AtomicBool::new(false);
        assert!(export(files, format, &out, filter, &stop, &mut |_| {}).unwrap());
        fs::read(&out).unwrap()
    };
    let mut kept = Vec::new();
    for game in &games {
        game.replay(|board, ply, found| {
            if filter.keeps(board, ply, found) {
                assert!(ply >= 20 && !board.in_check() && !found.mv.is_capture());
                kept.extend(bullet_record(board, found.score, game.verdict.result));
            }
        });
    }
    assert!(kept.len() > 32 && written(ExportFormat::Bullet) == kept);
    let all: Vec<u8> = games.iter().flat_map(viri_record).collect();
    assert!(written(ExportFormat::Viri) == all);
    fs::remove_dir_all(folder).unwrap();
}
