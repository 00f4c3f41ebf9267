//! Games in PGN as programs and people write them: read, mended, written.

use std::io::{self, Read};

use tabia::board::GameResult;
use tabia::pgn::{ErrorKind, PgnError, PgnGame, Reader};

fn read(text: &str) -> Vec<Result<PgnGame, PgnError>> {
    Reader::new(text.as_bytes()).collect()
}

fn legal(text: &str) -> Vec<PgnGame> {
    read(text).into_iter().map(|game| game.expect("moves")).collect()
}

fn game(text: &str) -> PgnGame {
    let mut games = read(text);
    assert_eq!(games.len(), 1, "{text}: {games:?}");
    games.remove(0).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Returns the movetext on one line.
fn moves(text: &str) -> String {
    let text = game(text).to_string();
    let movetext = text.rsplit("\n\n").next().unwrap_or_default();
    movetext.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the fault of a game that is refused or cut short.
fn fault(game: &Result<PgnGame, PgnError>) -> Option<&PgnError> {
    game.as_ref().map_or_else(Some, |game| game.cut.as_ref())
}

fn errors(text: &str) -> Vec<String> {
    read(text).iter().filter_map(fault).map(ToString::to_string).collect()
}

fn notes(text: &str) -> Vec<String> {
    game(text).notes.iter().map(ToString::to_string).collect()
}

#[test]
fn moves_are_written_as_they_were_read() {
    for text in [
        "1. e4 e5 2. Nf3 *",
        "1. e4! e5?? $14 $22 2. Nf3!? {good [%clk 0:01:02]} 2... Nc6 1-0",
        "{before} 1. e4 {one} {two} (1. d4 {three} 1... d5 (1... Nf6 2. c4) 2. c4) 1... e5 *",
        "1. e4 (1. c4) (1. d4 --?! 2. e4) 1... e5 1/2-1/2",
        "*",
    ] {
        assert_eq!(moves(text), text);
    }
}

#[test]
fn what_programs_and_people_write_is_understood() {
    for (text, expected) in [
        ("1.e4 e5 2.Nf3", "1. e4 e5 2. Nf3 *"),
        ("1 e4 e5 2 Nf3 1/2", "1. e4 e5 2. Nf3 1/2-1/2"),
        ("1.e4,", "error"),
        ("e2e4 e7-e5 Ng1f3", "1. e4 e5 2. Nf3 *"),
        ("1. e4 e5 2... Nf3", "1. e4 e5 2. Nf3 *"),
        ("1. e4 1...e5 2.Nf3", "1. e4 e5 2. Nf3 *"),
        ("1. e4 …e5", "1. e4 e5 *"),
        ("1. e4 ! e5 ?? = 0–1", "1. e4! e5?? $10 0-1"),
        ("1. e4 ; to the end of the line\ne5 *", "1. e4 {to the end of the line} 1... e5 *"),
        ("1. e4 {two\r\n  lines} e5\r\n", "1. e4 {two lines} 1... e5 *"),
        ("1. e4\r\r\n% 1. d4 d5 {\n1... e5 *", "1. e4 e5 *"),
        ("1. e4 e5 2. Nf3 ( ) ( {why} ) *", "1. e4 e5 2. Nf3 {why} *"),
        ("1. e4 (1. d4 1-0) e5 0-1", "1. e4 (1. d4) 1... e5 0-1"),
        (
            "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7 mate",
            "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# *",
        ),
    ] {
        match fault(&read(text)[0]) {
            None => assert_eq!(moves(text), expected),
            Some(error) => assert_eq!(expected, "error", "{text}: {error}"),
        }
    }
}

#[test]
fn null_moves_are_played() {
    for word in ["--", "Z0", "0000", "@@@@", "null", "––"] {
        assert_eq!(
            moves(&format!("1. e4 e5\n2. {word} Nf6! 3. Nf3 (3. {word}) *")),
            "1. e4 e5 2. -- Nf6! 3. Nf3 (3. --) *"
        );
    }
    assert_eq!(cut("1. e4 e5 2. Qh5 -- 3. Qxf7+ Z0 *"), "1. e4 e5 2. Qh5 -- 3. Qxf7+");
}

/// Returns the moves of a game that is cut short.
fn cut(text: &str) -> String {
    assert!(game(text).cut.is_some(), "{text}");
    let text = moves(text);
    let (moves, _) = text.split_once(" {The game is cut short here: ").expect("a comment");
    moves.to_owned()
}

#[test]
fn a_fault_cuts_its_game_and_the_next_one_is_read() {
    let place = "line 4, column 4";
    for (rest, result, reason) in [
        ("2. Ke3 Nf6 3. d4 1-0", "1-0", "'Ke3' is not a legal move"),
        ("2. Qz9 (3. d4 0-1) {1-0} 1/2-1/2", "1/2-1/2", "'Qz9' is not a move"),
        ("2. Ke3", "*", "'Ke3' is not a legal move"),
    ] {
        let text = format!("[Event \"a\"]\n\n1. e4 e5\n{rest}\n\n[Event \"b\"]\n\n1. d4 *");
        let games = legal(&text);
        assert_eq!((games.len(), games[1].number), (2, 2), "{text}");
        let error = games[0].cut.as_ref().expect("a fault").to_string();
        assert_eq!(error, format!("game 1, White's move 2, {place}: {reason}"));
        let written = games[0].to_string().replace('\n', " ");
        let comment =
            format!("1. e4 e5 {{The game is cut short here: {place}: {reason}}} {result}");
        assert!(written.contains(&comment), "{written}");
        // It is a game like others afterwards.
        assert!(game(&games[0].to_string()).cut.is_none());
    }
    assert_eq!(cut("1. e4 (1. d4 {no end"), "1. e4");
    assert_eq!(cut("[Result \"0-1\"]\n\n1. e4 e5 2. Ke3"), "1. e4 e5");
    assert_eq!(game("[Result \"0-1\"]\n\n1. e4 Ke3").result, Some(GameResult::BlackWins));
}

#[test]
fn blanks_marks_and_zeros_separate_words() {
    for blank in [
        "\u{a0}", "\u{2009}", "\u{202f}", "\u{3000}", "\u{200b}", "\u{85}", "\u{2028}", "\u{200e}",
        "\u{202a}", "\u{2066}",
    ] {
        let text = format!("{blank}[Event \"a\"]\n{blank}\n1.{blank}e4{blank}e5{blank}*{blank}");
        assert_eq!(moves(&text), "1. e4 e5 *");
        assert_eq!(notes(&text), ["line 1: blanks other than those of ASCII"]);
        let comment = format!("1. e4 {{{blank}one{blank}two{blank}}} *");
        let once = game(&comment).to_string();
        assert_eq!(game(&once).line, game(&comment).line);
    }
    for between in ["\u{feff}", "\x1a", "\0", "\r\n\u{feff}\r\n"] {
        let text =
            format!("[Event \"a\"]\n\n1. e4 *\n{between}[Event \"b\"]\n\n1. d4 *\n{between}");
        let games = legal(&text);
        assert_eq!(games.len(), 2, "{text:?}");
        assert_eq!(games[1].tags.get("Event"), Some("b"));
        assert!(games.iter().all(|game| game.notes.is_empty()), "{games:?}");
    }
}

#[test]
fn other_encodings_are_read_with_a_note() {
    let text = "[White \"Grünfeld\"]\r\n\r\n1. d4 {– ©} d5 *\r\n\r\n1. e4 *";
    let utf16 = |bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect();
    let windows = text.replace('–', "\u{96}").chars().map(|letter| letter as u8).collect();
    for (bytes, name) in [
        (utf16(u16::to_le_bytes), "UTF-16"),
        (utf16(u16::to_be_bytes), "UTF-16"),
        (windows, "Windows-1252"),
    ] {
        let bytes: Vec<u8> = bytes;
        let games: Vec<PgnGame> =
            Reader::new(&bytes[..]).map(|game| game.expect("moves")).collect();
        assert_eq!((games.len(), games[0].tags.get("White")), (2, Some("Grünfeld")));
        assert_eq!(games[0].line.moves[0].comments, ["– ©"]);
        assert_eq!(games[0].notes[0].to_string(), format!("line 1: read as text in {name}"));
    }
}

#[test]
fn controls_are_replaced_and_direction_marks_stay() {
    let text =
        "[White \"a\x1b[2J\u{9b}b\tc\u{ffff}\u{1ffff}\u{fdd0}\"]\n\n1. e4 {\x07\u{202e}c} *\n";
    let game = game(text);
    assert_eq!(game.tags.get("White"), Some("a\u{fffd}[2J\u{fffd}b c\u{fffd}\u{fffd}\u{fffd}"));
    assert_eq!(game.line.moves[0].comments, ["\u{fffd}\u{202e}c"]);
    assert_eq!(notes(text), ["line 1: control characters replaced by U+FFFD"]);
    let name = format!("[X\x1b \"y\"]\n{text}");
    assert!(!self::game(&name).to_string().contains('\x1b'));
}

#[test]
fn figurines_and_old_signs_are_read_with_a_note() {
    let plain = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O axb5 5. Nxe5 *";
    let text = "1. e4 e5 2. ♘f3 ♞c6 3. ♗b5 a6 4. О–О a×b5 5. Nxe5 *";
    assert_eq!(
        (moves(text), notes(text)),
        (plain.to_owned(), vec!["line 1: ♘f3 is read as Nf3".to_owned()])
    );
    for (text, expected) in [
        ("1. e4 N e5 D 2. <diag 3> Nf3 *", "1. e4 e5 2. Nf3 *"),
        ("1. e4N e5D 2. Nf3N! Nc6!N 3. Bb5+N *", "1. e4 e5 2. Nf3! Nc6 3. Bb5 *"),
        ("1. e4 e5 2. Nf4N *", "error"),
        ("1. e4 e5 resigns", "1. e4 e5 *"),
        ("1. e4 e5 resigned. 1-0 agreed", "1. e4 e5 1-0"),
        ("1. e4 e5 draw agreed", "1. e4 e5 1/2-1/2"),
        ("1. e4 <no end\ne5 *", "error"),
        ("1. e4 f6 2. d4 g5 3. Qh5ch *", "1. e4 f6 2. d4 g5 3. Qh5# *"),
        ("1. e4 f6 2. d4 g5 3. Qh5mate *", "1. e4 f6 2. d4 g5 3. Qh5# *"),
        ("1. e4 f6 2. d4 g5 3. Qh5† *", "1. e4 f6 2. d4 g5 3. Qh5# *"),
        ("1. e4 f6 2. Qh5++ *", "1. e4 f6 2. Qh5+ *"),
        ("1. e4 f6 2. Qh5 dis. ch. g6 3. Qxg6ch. Mate! *", "1. e4 f6 2. Qh5+ g6 3. Qxg6+ *"),
    ] {
        match game(text).cut {
            Some(_) => assert_eq!(expected, "error", "{text}"),
            None => assert_eq!(moves(text), expected),
        }
    }
    let text = "[FEN \"4k3/P7/8/8/8/8/8/4K2R w K - 0 40\"]\n\n";
    for (mv, san) in [
        ("a8=♕", "a8=Q+"),
        ("a8/Q", "a8=Q+"),
        ("a8(Q)", "a8=Q+"),
        ("a8(♕)+", "a8=Q+"),
        ("a8=(q)", "a8=Q+"),
        ("a8N", "a8=N"),
        ("a8=QN", "a8=Q+"),
        ("Ke1-g1", "O-O"),
    ] {
        assert_eq!(moves(&format!("{text}40. {mv} *")), format!("40. {san} *"));
    }
}

#[test]
fn results_have_many_forms() {
    for (text, result) in [
        ("½-½", "1/2-1/2"),
        ("1/2", "1/2-1/2"),
        ("1/2:1/2", "1/2-1/2"),
        ("0.5-0.5", "1/2-1/2"),
        ("0,5-0,5", "1/2-1/2"),
        ("0,5 - 0,5", "1/2-1/2"),
        ("1 - 0", "1-0"),
        ("0\n— 1", "0-1"),
        ("Draw", "1/2-1/2"),
        ("White resigns", "0-1"),
        ("black\nresigns", "1-0"),
        ("0—1", "0-1"),
        ("1:0", "1-0"),
    ] {
        assert_eq!(moves(&format!("1. e4 e5 {text}")), format!("1. e4 e5 {result}"));
        let two = read(&format!("1. Ke3 {text} 1. e4 e5 {text}\n\n1. d4 *"));
        assert!(matches!(&two[..], [Err(_), Ok(_), Ok(_)]), "{text}: {two:?}");
    }
    assert_eq!(cut("1. e4 White e5 *"), "1. e4");
    assert_eq!(moves("1 - e4 e5 2 - Nf3 *"), "1. e4 e5 2. Nf3 *");
}

#[test]
fn moves_after_a_result_are_kept_back() {
    let text = "1. e4 e5 1/2-1/2 2. Nf3 Nc6 1-0";
    assert_eq!(moves(text), "1. e4 e5 1/2-1/2");
    let note = &game(text).notes[0];
    assert_eq!(
        (note.to_string().as_str(), note.is_guess),
        ("line 1: moves after the result are left out", true)
    );
    for (text, games) in [
        ("1. e4 * 1... c5 *", 1),
        ("1. e4 * {more}\n\n{still} 2. d4 *", 1),
        ("1. e4 * (1. d4) *", 1),
        ("1. e4 * 1-0 ! $1 *", 1),
        ("1. e4 * 1 d4 * 1.c4 *", 3),
        ("1. e4 * {kept} 1 d4 d5 1 - 0 1 c4 *", 3),
        ("1. e4 * 2. d4 1. c4 *", 2),
        ("1. e4 * 2. d4\n\n[Event \"b\"]\n\n2. d4 *", 2),
    ] {
        assert_eq!(legal(text).len(), games, "{text}");
    }
    let games = legal("1. e4 * {its own}\n\n{lost} 2. d4 {this}\n\n{and this} 1. d4 *");
    assert_eq!(games[1].line.comments, ["this", "and this"]);
}

#[test]
fn tags_in_another_case_are_read_with_a_note() {
    let text =
        "[Fen \"4k3/8/8/8/8/8/8/4K3 b - - 0 1\"]\n[WHITE \"A\"]\n[white \"B\"]\n\n1... Kd7 *";
    assert_eq!(moves(text), "1... Kd7 *");
    assert_eq!(
        notes(text),
        ["line 1: the tag Fen is read as FEN", "line 2: the tag WHITE is read as White"]
    );
    assert_eq!(game(text).tags.get("White"), Some("A"));
    assert_eq!(
        errors("[variant \"Crazyhouse\"]\n\n1. e4 *"),
        ["game 1, line 3, column 1: the variant 'Crazyhouse' is not supported"]
    );
    assert_eq!(moves("[Variant \"?\"]\n\n1. e4 *"), "1. e4 *");
}

#[test]
fn tags_are_read_and_written() {
    let text = "\u{feff}[Event \"a \\\"b\\\" \\\\ c\"]\r\n  [Site \"the \"big\" one\"] [Round \"1\"]\r\n\
        [Empty \"\"]\n[Open \"to the end\n\n1. e4 *";
    let game = game(text);
    let tags: Vec<_> = game.tags.iter().collect();
    let expected = [
        ("Event", "a \"b\" \\ c"),
        ("Site", "the \"big\" one"),
        ("Empty", ""),
        ("Open", "to the end"),
    ];
    assert_eq!(tags.into_iter().filter(|(name, _)| *name != "Round").collect::<Vec<_>>(), expected);
    assert!(game.to_string().starts_with("[Event \"a \\\"b\\\" \\\\ c\"]\n"), "{game}");
    assert_eq!(notes("[Event \"?\"]\n[no tag]\n\n*"), ["line 2: ignored, not a tag: [no tag]"]);
}

#[test]
fn games_are_separated() {
    for (text, count) in [
        ("", 0),
        ("\n\n; nothing but a comment\n% and this\n", 0),
        ("1. e4 1-0 1. d4 0-1 1. c4", 3),
        ("[Event \"a\"]\n1. e4\n[Event \"b\"]\n1. d4\n", 2),
        ("[Event \"a\"]\n[Event \"b\"]\n\n*\n", 2),
        ("[Event \"a\"]\n\n1. e4 {a blank line}\n\ne5 2. d4 *\n\n\n[Event \"b\"]\n\n*\n", 2),
    ] {
        assert_eq!(legal(text).len(), count, "{text}");
    }
}

#[test]
fn a_broken_game_is_named_and_the_next_one_is_read() {
    let text =
        "[Event \"a\"]\n\n1. e4 e5 2. Ke3 (2. d4 1-0) {0-1} Nf6 1-0\n\n[Event \"b\"]\n\n1. d4 *";
    let games = read(text);
    assert_eq!(games.len(), 2);
    assert!(matches!(&games[1], Ok(game) if game.number == 2 && game.line.moves.len() == 1));
    for (text, message) in [
        (text, "game 1, White's move 2, line 3, column 13: 'Ke3' is not a legal move"),
        ("1. e4 e5 2. d4 Qz9 *", "game 1, Black's move 2, line 1, column 16: 'Qz9' is not a move"),
        (
            "[FEN \"8/8 w\"]\n\n1. e4 *",
            "game 1, line 1, column 1: bad FEN: board: 2 ranks instead of 8, column 1",
        ),
        (
            "[Variant \"Atomic\"]\n\n1. e4 *",
            "game 1, line 3, column 1: the variant 'Atomic' is not supported",
        ),
        (
            "1. e4 {no end\n[Event \"b\"]\n\n1. d4 *",
            "game 1, line 1, column 7: the comment that begins here has no '}'",
        ),
        ("1. e4 {é", "game 1, line 1, column 7: the comment that begins here has no '}'"),
        ("1. e4 {é} ex", "game 1, Black's move 1, line 1, column 11: 'ex' is not a move"),
    ] {
        assert_eq!(errors(text), [message], "{text}");
    }
    assert_eq!(read("1. e4 {no end\n[Event \"b\"]\n\n1. d4 *").len(), 2);
}

#[test]
fn faults_of_variations_and_results_are_noted() {
    for (text, expected, note) in [
        (
            "1. e4 e5 (1... c5 2. Ke3 (2. d4) d6) 2. d4 *",
            "1. e4 e5 (1... c5) 2. d4 *",
            "line 1: variation cut: 'Ke3' is not a legal move",
        ),
        (
            "1. e4 (1. Ke3 d5) e5 *",
            "1. e4 e5 *",
            "line 1: variation cut: 'Ke3' is not a legal move",
        ),
        ("( 1. d4 ) 1. e4 *", "1. e4 *", "line 1: variation dropped: there is no move before it"),
        ("1. e4 ) e5 *", "1. e4 e5 *", "line 1: ')' without '('"),
        ("1. e4 (1. d4 (1. c4", "1. e4 (1. d4 (1. c4)) *", "line 1: a variation has no ')'"),
        (
            "[Result \"1-0\"]\n\n1. e4 0-1",
            "1. e4 0-1",
            "line 3: the tag Result is 1-0, but the moves end with 0-1",
        ),
        (
            "1. f3 e5 2. g4 Qh4# 1/2-1/2",
            "1. f3 e5 2. g4 Qh4# 1/2-1/2",
            "line 1: the last move is checkmate, but the moves end with 1/2-1/2",
        ),
    ] {
        assert_eq!(notes(text), [note], "{text}");
        assert_eq!(moves(text), expected);
    }
}

#[test]
fn chess960_and_other_starts_are_played() {
    let text = "[Variant \"Chess960\"]\n[FEN \"nrbbkqrn/pppppppp/8/8/8/8/PPPPPPPP/NRBBKQRN w GBgb - 0 1\"]\n\n\
        1. f4 f5 2. Qf3 Qf6 3. O-O O-O *";
    assert_eq!(moves(text), "1. f4 f5 2. Qf3 Qf6 3. O-O O-O *");
    let text = "[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 40\"]\n\n40. a8Q Kd7 *";
    assert_eq!(moves(text), "40. a8=Q+ Kd7 *");
    let text = "[FEN \"4k3/8/8/8/8/8/8/4K3 b KQ - 0 40\"]\n\n40... Kd7 *";
    assert_eq!(moves(text), "40... Kd7 *");
    assert_eq!(notes(text).len(), 2);
}

#[test]
fn long_comments_are_wrapped_and_commands_are_not() {
    let text =
        format!("1. e4 {{{} [%eval 0.31] [%clk 0:12:34] [%emt 0:00:01]}} *", "word ".repeat(29));
    let written = game(&text).to_string();
    assert!(written.lines().all(|line| !line.starts_with('[')), "{written}");
    assert!(written.contains("[%eval 0.31] [%clk 0:12:34] [%emt 0:00:01]"), "{written}");
    assert!(written.lines().count() == 3 && moves(&written) == moves(&text), "{written}");
    // U+0085 ends a line in Unicode, but not in a file of games.
    let text = format!("{{{}}} 1. e4 *", "\u{85}word\u{85} ".repeat(29));
    assert_eq!(game(&game(&text).to_string()).line, game(&text).line);
}

#[test]
fn a_bad_start_ends_with_its_own_game() {
    let games = read("[FEN \"bad\"]\n\n*\n\n[White \"x\"]\n\n1. e4 e5 1-0\n");
    assert_eq!(games.len(), 2, "{games:?}");
    assert!(games[0].is_err());
    assert_eq!(games[1].as_ref().expect("a game").line.moves.len(), 2);
}

#[test]
fn deep_and_endless_games_have_limits() {
    let deep = format!("1. e4 {}", "(1. d4 ".repeat(100_000));
    let deep = game(&deep);
    assert!(deep.notes[0].to_string().contains("nested more than 100 deep"), "{:?}", deep.notes[0]);
    assert!(deep.to_string().matches('(').count() == 100);
    for endless in [&b"{"[..], b"x", b"(", b"[Event \"", b"Nf3 Nf6 Ng1 Ng8 ", b"[A \"b\"]\n", b"$1"]
    {
        let mut reader = Reader::new(Repeated { text: endless, left: 20 << 20 });
        let game = reader.next().expect("a game");
        let error = fault(&game).unwrap_or_else(|| panic!("no error: {endless:?}"));
        let is_long = matches!(error.kind, ErrorKind::TooLong | ErrorKind::UnclosedComment);
        assert!(is_long || endless == b"x", "{error}");
        assert!(reader.count() < 4, "{endless:?}");
    }
}

#[test]
fn a_game_too_long_within_a_variation_ends_at_its_own_result() {
    let long = "Nf3 Nf6 Ng1 Ng8 ".repeat(10_001);
    let games = read(&format!("1. e4 ({long} 1-0) e5 0-1 {{lost}}\n\n1. d4 *"));
    assert!(fault(&games[0]).is_some_and(|error| matches!(error.kind, ErrorKind::TooLong)));
    assert!(matches!(&games[1..], [Ok(game)] if game.line.moves.len() == 1));
}

#[test]
fn the_token_that_makes_a_game_too_long_still_counts() {
    let long = format!("{{{}}}", " ".repeat((8 << 20) - 3));
    for game in [format!("1. e4 {long} 1-0"), format!("1. e4 (d4 {long}) e5 1-0")] {
        let games = read(&format!("{game}\n\n1. c4 *"));
        assert!(fault(&games[0]).is_some_and(|error| matches!(error.kind, ErrorKind::TooLong)));
        assert!(matches!(&games[1..], [Ok(game)] if game.line.moves.len() == 1));
    }
}

#[test]
fn comments_after_the_result_belong_to_its_game() {
    let text = "1. e4 1-0 {White\nwins}\n;so\n\n{A game} 1. d4 * {and}\n\n{no more}";
    let games = read(text);
    let games: Vec<PgnGame> = games.into_iter().map(Result::unwrap).collect();
    let comments = |game: &PgnGame| game.line.moves[0].comments.clone();
    assert_eq!(
        games.iter().map(comments).collect::<Vec<_>>(),
        [vec!["White wins", "so"], vec!["and"]]
    );
    assert_eq!(games[1].line.comments, ["A game"]);
}

#[test]
fn notes_and_variations_of_a_game_have_limits() {
    let notes = notes(&format!("1. e4 {} e5 *", ") ".repeat(1_000)));
    assert_eq!((notes.len(), notes[99].as_str()), (101, "line 1: ')' without '('"));
    assert_eq!(notes[100], "line 1: more than 100 faults, the rest is not reported");
    let game = game(&format!("1. e4 {} e5 *", "(d4) ".repeat(100_002)));
    assert_eq!((game.line.moves.len(), game.line.moves[0].variations.len()), (2, 100_000));
    assert_eq!(game.notes.len(), 2);
    assert!(game.notes[0].text.ends_with("more than 100000 in a game"), "{:?}", game.notes);
}

struct Repeated {
    text: &'static [u8],
    left: usize,
}

impl Read for Repeated {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let whole = buffer.len() / self.text.len() * self.text.len();
        let bytes = whole.min(self.left);
        buffer[..bytes].iter_mut().zip(self.text.iter().cycle()).for_each(|(to, from)| *to = *from);
        self.left -= bytes;
        Ok(bytes)
    }
}

#[test]
fn a_file_that_cannot_be_read_ends_the_games() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is gone"))
        }
    }
    // The second file breaks while the rest of a wrong game is skipped.
    for (text, count) in [("1. e4 e5 ", 1), ("1. e4 Ke5 ", 2)] {
        let games: Vec<_> = Reader::new(text.as_bytes().chain(Broken)).collect();
        assert_eq!(games.len(), count);
        let error = games[count - 1].as_ref().expect_err("no game");
        assert!(error.to_string().ends_with("cannot read the file: the disk is gone"), "{error}");
    }
}
