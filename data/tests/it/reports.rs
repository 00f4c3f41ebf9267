//! Statistics, checks and views of games.

use std::slice;

use tabia::datagen::{Game, GameResult, KeepFilter};
use tabia::types::Score;
use tabia_data::{pgn, stats, verify};

use crate::support::{BLOCK_GAMES, Folder, GAMES, games, shard, shard_of};

#[test]
fn verify_rejects_wrong_games() {
    let check = |games: &[Game]| {
        let folder = Folder::new(&shard_of(games));
        verify(slice::from_ref(&folder.shard), &mut Vec::new()).unwrap()
    };
    let right = games();
    assert!(check(&right));

    let mut wrong = right.clone();
    wrong[5].verdict.result = match right[5].verdict.result {
        GameResult::Draw => GameResult::WhiteWins,
        _ => GameResult::Draw,
    };
    assert!(!check(&wrong), "another result");

    let mut wrong = right.clone();
    wrong[5].plies.pop();
    assert!(!check(&wrong), "an end too early");

    let mut wrong = right.clone();
    wrong[5].plies[0].score = Score(3000);
    assert!(!check(&wrong), "a decided opening");

    let mut wrong = right;
    wrong.swap(5, 6);
    assert!(!check(&wrong), "another number of random plies");
}

#[test]
fn verify_names_the_first_wrong_games_and_counts_all() {
    let mut games = games();
    games.iter_mut().for_each(|game| game.plies.truncate(1));
    let folder = Folder::new(&shard_of(&games));
    let mut report = Vec::new();
    assert!(!verify(slice::from_ref(&folder.shard), &mut report).unwrap());
    let report = String::from_utf8(report).unwrap();
    assert_eq!(report.matches(": game ").count(), 10, "{report}");
    assert!(report.trim_end().ends_with(&format!("{GAMES} wrong")), "{report}");
}

#[test]
fn stats_report_damage_and_count_the_games_before_it() {
    for (cut, games) in [(0, GAMES), (1, GAMES - BLOCK_GAMES)] {
        let folder = Folder::new(&shard()[..shard().len() - cut]);
        let mut report = Vec::new();
        let filter = KeepFilter::default();
        let is_whole = stats(slice::from_ref(&folder.shard), filter, &mut report).unwrap();
        assert_eq!(is_whole, cut == 0);
        let report = String::from_utf8(report).unwrap();
        let count = ["games", &games.to_string()];
        assert!(report.lines().any(|line| line.split_whitespace().eq(count)), "{report}");
        assert_eq!(report.contains("cut short"), cut > 0, "{report}");
    }
}

#[test]
fn pgn_has_every_ply_and_the_result() {
    for (number, game) in (0..).zip(games()) {
        let text = pgn(number, &game, "1.0 \"x\"");
        let result = game.verdict.result.text();
        assert!(text.contains(&format!("[Result \"{result}\"]")), "{text}");
        assert!(text.trim_end().ends_with(result), "{text}");
        assert_eq!(text.matches('{').count(), game.opening.len() + game.plies.len());
        assert_eq!(text.matches("{random}").count(), game.opening.len());
    }
}
