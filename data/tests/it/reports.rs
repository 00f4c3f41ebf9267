//! Statistics, checks and views of games.

use std::slice;

use tabia::board::{GameResult, Termination};
use tabia::datagen::{
    Ending, Game, KeepFilter, Shard, ShardHeader, Verdict, Version, encode_block,
};
use tabia::types::Score;
use tabia_data::{pgn, stats, verify};

use crate::support::{
    BLOCK_GAMES, Folder, GAMES, dense_games, dense_shard, games, shard, shard_of,
};

#[test]
fn verify_rejects_wrong_games() {
    let check = |games: &[Game]| {
        let folder = Folder::new(&shard_of(games));
        verify(slice::from_ref(&folder.shard), &mut Vec::new()).unwrap()
    };
    let right = games();
    assert!(check(&right));
    let by_rule = right
        .iter()
        .position(|game| matches!(game.verdict.ending, Ending::Rule(_) | Ending::TooLong))
        .unwrap();

    let mut wrong = right.clone();
    wrong[by_rule].verdict.result = match right[by_rule].verdict.result {
        GameResult::Draw => GameResult::WhiteWins,
        _ => GameResult::Draw,
    };
    assert!(!check(&wrong), "another result");

    let mut wrong = right.clone();
    wrong[by_rule].plies.pop();
    let plies = wrong[by_rule].plies.len();
    wrong[by_rule].interior.retain(|position| position.ply < plies);
    assert!(!check(&wrong), "an end too early");

    let mut wrong = right.clone();
    wrong[5].plies[0].score = Some(Score::DRAW);
    assert!(!check(&wrong), "a label in the opening");

    let mut wrong = right.clone();
    let label = wrong[5].plies.iter().position(|ply| ply.score.is_some()).unwrap();
    for ply in &mut wrong[5].plies[label..label + 4] {
        ply.score = Some(Score::DRAW);
    }
    assert!(!check(&wrong), "labels too close to each other");

    let mut wrong = right.clone();
    wrong[by_rule].plies.truncate(4);
    wrong[by_rule].interior.clear();
    wrong[by_rule].verdict = Verdict { result: GameResult::Draw, ending: Ending::TooLong };
    assert!(!check(&wrong), "too long after a few moves");

    let mut wrong = right;
    wrong.swap(5, 6);
    assert!(!check(&wrong), "another number of random plies");
}

#[test]
fn verify_adjudicates_dense_games() {
    assert!(verify(&[dense_shard()], &mut Vec::new()).unwrap());
    let header = Shard::open(&dense_shard()).unwrap().header;
    let check = |games: &[Game]| {
        let header = ShardHeader { version: Version::NEWEST, ..header.clone() };
        let folder = Folder::new(&[header.to_bytes(), encode_block(games)].concat());
        verify(slice::from_ref(&folder.shard), &mut Vec::new()).unwrap()
    };
    let mut games = dense_games();
    assert!(check(&games));
    games[5].plies[0].score = Some(Score(3000));
    assert!(!check(&games), "a decided opening");
}

#[test]
fn verify_names_the_first_wrong_games_and_counts_all() {
    let mut games = games();
    for game in &mut games {
        game.plies.truncate(1);
        game.interior.clear();
        game.verdict.ending = Ending::Rule(Termination::Checkmate);
    }
    let folder = Folder::new(&shard_of(&games));
    let mut report = Vec::new();
    assert!(!verify(slice::from_ref(&folder.shard), &mut report).unwrap());
    let report = String::from_utf8(report).unwrap();
    assert_eq!(report.matches(": game ").count(), 10, "{report}");
    assert!(report.trim_end().ends_with(&format!("{GAMES} faulty")), "{report}");
}

#[test]
fn stats_report_damage_and_count_the_games_before_it() {
    for (cut, games) in [(0, GAMES), (1, GAMES - BLOCK_GAMES)] {
        let folder = Folder::new(&shard()[..shard().len() - cut]);
        let mut report = Vec::new();
        let filter = KeepFilter::default();
        let is_intact = stats(slice::from_ref(&folder.shard), filter, &mut report).unwrap();
        assert_eq!(is_intact, cut == 0);
        let report = String::from_utf8(report).unwrap();
        let count = ["games", &games.to_string()];
        assert!(report.lines().any(|line| line.split_whitespace().eq(count)), "{report}");
        assert_eq!(report.contains("truncated"), cut > 0, "{report}");
    }
}

#[test]
fn pgn_has_mates_from_whites_point_of_view() {
    let mut game = dense_games().remove(0);
    game.plies.iter_mut().for_each(|ply| ply.score = Some(Score::mate_in(1)));
    let text = pgn(0, &game, "1.0");
    let [by_white, by_black] = ["{mate 1}", "{mate -1}"].map(|mate| text.matches(mate).count());
    assert!(by_white.abs_diff(by_black) <= 1 && by_white + by_black == game.plies.len(), "{text}");
}

#[test]
fn pgn_has_every_ply_and_the_result() {
    for (number, game) in (0..).zip(games()) {
        let text = pgn(number, &game, "1.0 \"x\"");
        let result = game.verdict.result.text();
        assert!(text.contains(&format!("[Result \"{result}\"]")), "{text}");
        assert!(text.trim_end().ends_with(result), "{text}");
        let labels = game.plies.iter().filter(|ply| ply.score.is_some()).count();
        assert_eq!(text.matches('{').count(), game.opening.len() + labels);
        assert_eq!(text.matches("{random}").count(), game.opening.len());
    }
}
