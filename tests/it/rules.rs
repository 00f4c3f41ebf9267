//! The answers to a page's questions about games.

use serde_json::{Value, json};

fn ask(question: Value) -> Value {
    serde_json::from_str(&tabia::rules::answer(&question.to_string())).expect("JSON")
}

fn tree_of(text: &str) -> Value {
    ask(json!({ "ask": "readPgn", "text": text }))["tree"].clone()
}

#[test]
fn variations_survive_reading_and_writing() {
    let text = "[White \"Anna\"]\n[Result \"*\"]\n\n\
                {first} 1. e4 {[%clk 0:01] king's pawn} 1... e5 (1... c5 2. Nf3 (2. c3 d5) 2... d6) \
                ({or} 1... e6)\n2. Nf3! $10 (2. -- d5) 2... Nc6 *\n";
    let tree = tree_of(text);
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let written = ask(json!({ "ask": "writeTree", "tree": tree }));
    assert_eq!(words(written["pgn"].as_str().expect("text")), words(text));
    let parents: Vec<_> =
        tree["moves"].as_array().expect("moves").iter().map(|mv| &mv["parent"]).collect();
    assert_eq!(parents, [0, 1, 1, 3, 3, 5, 4, 1, 2, 2, 10, 9]);
}

#[test]
fn variations_are_nested_as_deep_as_in_pgn() {
    // Each variation is one of the move before it.
    let tree = |depth: usize| {
        let (mut moves, mut parent) = (Vec::new(), 0);
        for index in 0..depth {
            let pawn = ["a2a3", "a7a6"][index % 2];
            moves.push(json!({ "parent": parent, "uci": pawn }));
            let knight = ["g1f3", "g8f6", "f3g1", "f6g8"][index % 4];
            moves.push(json!({ "parent": parent, "uci": knight }));
            parent = moves.len();
        }
        json!({ "tags": [], "fen": "", "result": "*", "comments": [], "moves": moves })
    };
    let write = |depth| ask(json!({ "ask": "writeTree", "tree": tree(depth) }));
    assert_eq!(write(100)["error"], Value::Null);
    assert_eq!(write(101)["error"], "variations are nested more than 100 deep");
}

#[test]
fn trees_that_make_no_sense_are_refused() {
    let write = |tree| ask(json!({ "ask": "writeTree", "tree": tree }))["error"].clone();
    let tree = |moves: Value| json!({ "tags": [], "fen": "", "result": "*", "comments": [], "moves": moves });
    assert_eq!(write(tree(json!([{ "parent": 1, "uci": "e2e4" }]))), "move 1 follows move 1");
    let illegal = tree(json!([{ "parent": 0, "uci": "e2e5" }]));
    assert_eq!(write(illegal), "'e2e5' is not a legal move");
    let mut named = tree(json!([]));
    named["tags"] = json!([["Bad Name", "x"]]);
    let error = "'Bad Name' is no name of a tag: only letters, digits and _ are";
    assert_eq!(write(named), error);
    let mut in_check = tree(json!([{ "parent": 0, "uci": "0000" }]));
    in_check["fen"] = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1".into();
    assert_eq!(write(in_check), "'0000' is not a legal move");
}

#[test]
fn all_games_are_listed_and_each_can_be_read() {
    let text = "[White \"Anna\"]\n\n1. e4 e5 2. Nf3 1-0\n\n[White \"Bert\"]\n\n1. d4 *\n";
    let list = ask(json!({ "ask": "listGames", "text": text }))["games"].clone();
    assert_eq!(
        [&list[0]["white"], &list[0]["moves"], &list[1]["result"]],
        [&json!("Anna"), &json!(2), &json!("*")]
    );
    let second = ask(json!({ "ask": "readPgn", "text": text, "number": 2 }));
    assert_eq!(second["moves"], json!(["d2d4"]));
    let third = ask(json!({ "ask": "readPgn", "text": text, "number": 3 }));
    assert_eq!(third["error"], "there is no such game");
}

#[test]
fn null_moves_are_read_and_a_game_with_a_fault_is_refused() {
    let read = |text| ask(json!({ "ask": "readPgn", "text": text }));
    assert_eq!(read("1. e4 -- 2. d4 *")["moves"], json!(["e2e4", "0000", "d2d4"]));
    let text = "1. e4 e5 2. Ke3 *";
    let error = "game 1, White's move 2, line 1, column 13: 'Ke3' is not a legal move";
    assert_eq!(read(text)["error"], error);
    assert_eq!(ask(json!({ "ask": "listGames", "text": text }))["games"][0]["error"], error);
}

#[test]
fn a_review_has_the_record_of_analyse_and_the_annotated_game() {
    let found = |cp: i32, pv: &str| json!({ "score": { "cp": cp }, "wdl": [100, 800, 100], "pv": [pv], "depth": 9, "nodes": 5 });
    let positions = json!([found(30, "e2e4"), found(-30, "e7e5"), found(700, "d2d4")]);
    let question = json!({ "ask": "review", "tree": tree_of("1. e4 g5 *"), "found": positions });
    let answer = ask(question);
    let record = &answer["record"];
    assert_eq!(record["moves"][1]["judgement"], "blunder");
    assert_eq!(record["moves"][0]["accuracy"], 100.0);
    assert_eq!(record["players"][1]["blunders"], 1);
    let moves = answer["tree"]["moves"].as_array().expect("moves");
    assert_eq!((&moves[1]["nags"], &moves[2]["san"]), (&json!([4]), &json!("e5")));
}

#[test]
fn openings_draws_and_chess960() {
    let game = ask(json!({ "ask": "game", "moves": ["g1f3", "d7d5", "d2d4", "e7e6"] }));
    assert_eq!(game["opening"]["eco"], "D02");
    assert_eq!(ask(json!({ "ask": "game" }))["opening"], Value::Null);
    let offer = |fen, moves: &[&str]| {
        ask(json!({ "ask": "offerDraw", "fen": fen, "moves": moves, "score": { "cp": 0 } }))
    };
    let dance = ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(10);
    assert_eq!(offer("", &dance)["refusal"], Value::Null);
    assert!(offer("", &dance[..36])["refusal"].is_string());
    let blocked = "4k3/8/8/1p1p4/1P1P4/8/8/4K3 w - - 0 1";
    assert_eq!(offer(blocked, &["e1e2"])["refusal"], Value::Null);
    let fen = ask(json!({ "ask": "chess960", "number": 0 }))["fen"].clone();
    assert_eq!(fen, "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1");
    assert!(ask(json!({ "ask": "chess960", "number": 960 }))["error"].is_string());
    assert_eq!(ask(json!({ "ask": "engine" }))["minElo"], 500);
}
