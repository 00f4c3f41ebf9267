//! Exports to the formats of other trainers.

use std::fs;
use std::slice;

use tabia::board::Board;
use tabia::datagen::{GameResult, KeepFilter};
use tabia::types::Score;
use tabia_data::{ExportFormat, bullet_record, export, viri_record};

use crate::support::{Folder, games, shard};

#[test]
fn bulletformat_flips_the_board_for_black() {
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
fn the_viriformat_library_reads_the_export() {
    use viriformat::dataformat::{Filter, Game as ViriGame, WDL};
    for game in games() {
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
fn exports_hold_the_kept_positions_or_whole_games() {
    let folder = Folder::new(shard());
    let path = folder.path("out");
    let filter = KeepFilter { min_ply: 20, ..KeepFilter::default() };
    let written = |format| {
        let files = slice::from_ref(&folder.shard);
        assert!(export(files, format, &path, filter, &mut Vec::new()).unwrap());
        fs::read(&path).unwrap()
    };
    let mut kept = Vec::new();
    for game in games() {
        game.replay(|board, ply, found| {
            if filter.keeps(board, ply, found) {
                assert!(ply >= 20 && !board.in_check() && !found.mv.is_capture());
                kept.extend(bullet_record(board, found.score, game.verdict.result));
            }
        });
    }
    assert!(kept.len() > 32 && written(ExportFormat::Bullet) == kept);
    let all: Vec<u8> = games().iter().flat_map(viri_record).collect();
    assert!(written(ExportFormat::Viri) == all);
}
