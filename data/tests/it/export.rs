//! Exports to the formats of other trainers.

use std::fs;
use std::path::PathBuf;
use std::slice;

use tabia::board::{Board, GameResult};
use tabia::datagen::{KeepFilter, Label};
use tabia::types::Score;
use tabia_data::{DataError, ExportFormat, bullet_record, export, viri_record};

use crate::support::{Folder, dense_games, dense_shard, games, shard};

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
    for game in dense_games() {
        let bytes = viri_record(&game).unwrap();
        let theirs = ViriGame::deserialise_from(&mut &bytes[..], Vec::new()).unwrap();
        let result = match theirs.outcome() {
            WDL::Win => GameResult::WhiteWins,
            WDL::Draw => GameResult::Draw,
            WDL::Loss => GameResult::BlackWins,
        };
        assert_eq!(result, game.verdict.result);
        let mut ours = Vec::new();
        game.for_each_label(|label| ours.push(bullet_record(label.board, label.score, result)));
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
fn bulletformat_holds_the_kept_labels_of_games_and_search_trees() {
    let folder = Folder::new(shard());
    let path = folder.path("out");
    let filter = KeepFilter { min_ply: 20, ..KeepFilter::default() };
    let files = slice::from_ref(&folder.shard);
    assert!(export(files, ExportFormat::Bullet, &path, filter, &mut Vec::new()).unwrap());
    let (mut kept, mut interior) = (Vec::new(), 0);
    for game in games() {
        let mut take = |label: Label<'_>| {
            let is_quiet = !label.board.in_check() && !label.mv.is_capture();
            let is_level = label.score.0.abs() <= filter.max_score;
            if label.ply >= 20 && is_level && is_quiet && !label.mv.is_promotion() {
                kept.extend(bullet_record(label.board, label.score, game.verdict.result));
            }
        };
        game.for_each_label(&mut take);
        game.for_each_interior_label(&mut take);
        interior += game.interior.len();
    }
    assert!(interior > 0 && kept.len() > 32);
    assert!(fs::read(&path).unwrap() == kept);
}

#[test]
fn viriformat_holds_whole_games_and_refuses_sparse_ones() {
    let folder = Folder::new(shard());
    let path = folder.path("out");
    let write = |shard: &PathBuf| {
        let (files, filter) = (slice::from_ref(shard), KeepFilter::default());
        export(files, ExportFormat::Viri, &path, filter, &mut Vec::new())
    };
    assert!(write(&dense_shard()).unwrap());
    let all: Vec<u8> = dense_games().iter().flat_map(|game| viri_record(game).unwrap()).collect();
    assert!(fs::read(&path).unwrap() == all);
    assert!(matches!(write(&folder.shard), Err(DataError::NotDense(_, 0))));
    assert!(fs::read(&path).unwrap() == all, "a failed export replaces nothing");
    assert!(!folder.path("out.part").exists());
}
