//! Table of commands and the parsing of a line.

use crate::board::Board;
use crate::engine::Command;
use crate::engine::protocol::{HelpTopic, Show};
use crate::platform::Instant;
use crate::text::suggest;

use super::error::{CommandError, Parsed};
use super::limits::{
    GO_ARGUMENTS, PERFT_ARGUMENTS, parse_bench, parse_genfens, parse_go, parse_perft,
};
use super::setup::{parse_debug, parse_position, parse_set_option};
use super::words::Words;

pub(crate) struct CommandSpec {
    pub(crate) word: &'static str,
    /// Syntax of the words that follow.
    pub(crate) arguments: &'static str,
    /// Purpose, as a sentence without its full stop.
    pub(crate) help: &'static str,
    /// Arguments with their explanations, if they need any.
    pub(crate) details: &'static [(&'static str, &'static str)],
    /// Arguments of the program in a shell.
    pub(crate) example: &'static str,
    parser: Parser,
    /// Command for a line that cannot be read, with the reason: what the line would have replaced
    /// must not be used.
    pub(crate) rejection: Option<fn(String) -> Command>,
}

#[derive(Copy, Clone)]
enum Parser {
    /// The word is the command.
    Word(fn() -> Command),
    /// Parses the words that follow; words left over are errors.
    Words(fn(&mut Words<'_>) -> Parsed),
}

/// All commands in groups, each with its title.
pub(crate) static GROUPS: [(&str, &[CommandSpec]); 2] =
    [("Commands of UCI", STANDARD), ("Commands beyond UCI", EXTRA)];

const STANDARD: &[CommandSpec] = &[
    word("uci", "Names the engine and lists its options", "uci", || Command::Introduce),
    word("isready", "Answers readyok, also during a search", "isready", || Command::IsReady),
    words(
        "setoption",
        "name NAME [value VALUE]",
        "Sets an option",
        "\"setoption name MultiPV value 3\" \"go depth 10\"",
        parse_set_option,
    ),
    word(
        "ucinewgame",
        "Clears the transposition table and the histories",
        "\"go depth 9\" ucinewgame \"go depth 9\"",
        || Command::NewGame,
    ),
    CommandSpec {
        rejection: Some(Command::RejectPosition),
        ..words(
            "position",
            "startpos|fen FEN [moves MOVE …]",
            "Sets up a position and plays moves",
            "\"position startpos moves e2e4 e7e5\" \"go depth 10\"",
            parse_position,
        )
    },
    CommandSpec {
        details: GO_ARGUMENTS,
        ..words(
            "go",
            "[LIMIT …]",
            "Searches; without a limit until stop",
            "go movetime 1000",
            parse_go,
        )
    },
    word("stop", "Ends the search, bench or perft that runs", "\"go infinite\" stop", || {
        Command::Stop
    }),
    word(
        "ponderhit",
        "Tells that the opponent played the predicted move",
        "\"go ponder movetime 500\" ponderhit",
        || Command::PonderHit,
    ),
    words(
        "debug",
        "on|off",
        "Confirms each setoption with a message, or not",
        "\"debug on\" \"setoption name Hash value 64\"",
        parse_debug,
    ),
    words("register", "…", "Is accepted, but has no effect", "register later", |words| {
        words.rest();
        Ok(Command::Register)
    }),
    word(
        "quit",
        "Ends the program; bench and perft finish first",
        "\"go depth 10\" wait quit",
        || Command::Quit,
    ),
];

const EXTRA: &[CommandSpec] = &[
    word(
        "d",
        "Draws the board, with FEN, key and checkers",
        "\"position startpos moves e2e4\" d",
        || Command::Show(Show::Board),
    ),
    words(
        "eval",
        "[FEN] [--json]",
        "Shows the static evaluation",
        "\"position startpos moves e2e4\" eval",
        parse_eval,
    ),
    word("fen", "Shows the FEN", "\"position startpos moves e2e4 c7c5\" fen", || {
        Command::Show(Show::Fen)
    }),
    word("moves", "Lists the legal moves", "\"position startpos moves e2e4\" moves", || {
        Command::Show(Show::Moves)
    }),
    word(
        "flip",
        "Flips the board and swaps the colours",
        "\"position startpos moves e2e4\" flip d",
        || Command::Flip,
    ),
    words(
        "perft",
        PERFT_ARGUMENTS,
        "Counts leaf nodes by root move",
        "perft 5 threads 2",
        |words| parse_perft("perft", words),
    ),
    words(
        "bench",
        "[DEPTH [THREADS [HASH]]]",
        "Searches fixed positions and counts the nodes",
        "bench 8 1 16",
        parse_bench,
    ),
    word(
        "tb",
        "Probes the tablebases for each move",
        "\"setoption name SyzygyPath value FOLDER\" \"position fen FEN\" tb",
        || Command::Show(Show::Tablebase),
    ),
    word("spsa", "Lists the tunable search parameters", "spsa", || Command::Show(Show::Tunables)),
    words(
        "genfens",
        "N seed S [book None|FILE] [plies P]",
        "Generates opening positions for OpenBench",
        "genfens 8 seed 42 book None plies 8",
        parse_genfens,
    ),
    word("compiler", "Shows how this program was built", "compiler", || Command::Show(Show::Build)),
    word("version", "Shows name and version", "version", || Command::Show(Show::Version)),
    word(
        "wait",
        "Lets the previous search finish before quit acts",
        "\"go depth 10\" wait quit",
        || Command::Wait,
    ),
    words(
        "help",
        "[options|COMMAND]",
        "Shows this list, that of the options, or a command's page",
        "help options",
        parse_help,
    ),
];

/// Returns a command without arguments.
const fn word(
    word: &'static str,
    help: &'static str,
    example: &'static str,
    command: fn() -> Command,
) -> CommandSpec {
    let parser = Parser::Word(command);
    CommandSpec { word, arguments: "", help, details: &[], example, parser, rejection: None }
}

/// Returns a command with arguments.
const fn words(
    word: &'static str,
    arguments: &'static str,
    help: &'static str,
    example: &'static str,
    parse: fn(&mut Words<'_>) -> Parsed,
) -> CommandSpec {
    let parser = Parser::Words(parse);
    CommandSpec { word, arguments, help, details: &[], example, parser, rejection: None }
}

pub(crate) fn all() -> impl Iterator<Item = &'static CommandSpec> {
    GROUPS.iter().flat_map(|(_, commands)| *commands)
}

pub(crate) fn find(word: &str) -> Option<&'static CommandSpec> {
    all().find(|spec| spec.word == word)
}

/// Parses a line. Words before the first command are skipped, as UCI demands. A command may come
/// with errors, of which the first few are listed.
pub(crate) fn parse(words: Words<'_>) -> (Option<Command>, Vec<CommandError>) {
    const MAX_LISTED: usize = 8;
    let (command, mut errors) = parse_all(words);
    if let Some(more @ 1..) = errors.len().checked_sub(MAX_LISTED) {
        errors.truncate(MAX_LISTED);
        errors.push(CommandError::More(more));
    }
    (command, errors)
}

fn parse_all(mut words: Words<'_>) -> (Option<Command>, Vec<CommandError>) {
    let Some(first) = words.peek() else { return (None, Vec::new()) };
    let mut skipped = Vec::new();
    while let Some(word) = words.next() {
        let Some(spec) = find(word) else {
            skipped.push(word);
            continue;
        };
        let parsed = match spec.parser {
            Parser::Word(command) => Ok(command()),
            Parser::Words(parse) => parse(&mut words),
        };
        let command = match parsed {
            Ok(command) => Some(command),
            Err(error) => {
                words.errors.push(error);
                return (None, words.errors);
            }
        };
        if let Some(word) = words.peek() {
            let error = CommandError::UnknownWord { command: spec.word, found: word.to_owned() };
            words.errors.push(error);
        }
        return (command, words.errors);
    }
    (None, vec![unknown_command(first, skipped.join(" "))])
}

/// Parses a line of input without executing it. Returns its errors.
pub fn errors_in(line: &str) -> Vec<String> {
    let (_, errors) = parse(Words::of_line(line, Instant::now()));
    errors.iter().map(ToString::to_string).collect()
}

/// Parses a command that must start with the first word.
#[cfg(feature = "cli")]
pub(crate) fn parse_strictly(words: Words<'_>) -> (Option<Command>, Vec<CommandError>) {
    match words.peek() {
        Some(first) if find(first).is_none() => {
            (None, vec![unknown_command(first, first.to_owned())])
        }
        _ => parse(words),
    }
}

fn unknown_command(first: &str, found: String) -> CommandError {
    let known = all().map(|spec| spec.word);
    CommandError::UnknownCommand { found, suggestion: suggest(first, known).map(str::to_owned) }
}

fn parse_eval(words: &mut Words<'_>) -> Parsed {
    let (options, fields): (Vec<&str>, Vec<&str>) = words.partition(|word| *word == "--json");
    let board = match fields.join(" ").as_str() {
        "" => None,
        fen => {
            let board = Board::from_fen(fen);
            Some(Box::new(board.map_err(|error| CommandError::Fen { command: "eval", error })?))
        }
    };
    Ok(Command::Show(Show::Evaluation { board, json: !options.is_empty() }))
}

fn parse_help(words: &mut Words<'_>) -> Parsed {
    let topic = match words.peek() {
        Some("options") => HelpTopic::Options,
        Some(word) => find(word).map_or(HelpTopic::Commands, |spec| HelpTopic::Command(spec.word)),
        None => HelpTopic::Commands,
    };
    if topic != HelpTopic::Commands {
        words.next();
    }
    Ok(Command::Show(Show::Help(topic)))
}

impl CommandSpec {
    pub(crate) fn usage(&self) -> String {
        format!("{} {}", self.word, self.arguments)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::engine::Engine;
    use crate::engine::options::{OPTIONS, OptionKind, OptionSpec};
    use crate::engine::session_log::SessionLog;
    use crate::uci::reply::ReplyFormatter;

    /// Returns the errors of the lines, then the replies.
    fn replies(lines: &[&str]) -> Vec<String> {
        let (replies, outbox) = crossbeam_channel::unbounded();
        let (commands, inbox) = crossbeam_channel::unbounded();
        let mut texts = Vec::new();
        for line in lines {
            let (command, errors) = parse(Words::of_line(line, Instant::now()));
            texts.extend(errors.iter().map(ToString::to_string));
            command.into_iter().for_each(|command| commands.send(command).expect("open"));
        }
        drop(commands);
        Engine::new(replies, SessionLog::default()).expect("a small pool").run(&inbox);
        let mut formatter = ReplyFormatter::default();
        texts.extend(outbox.iter().filter_map(|reply| formatter.text(&reply)));
        texts
    }

    #[test]
    fn words_are_distinct() {
        let distinct: BTreeSet<_> = all().map(|spec| spec.word).collect();
        assert_eq!(distinct.len(), all().count());
    }

    /// Returns the rows of all tables below a heading, except the titles.
    fn readme_rows(heading: &str) -> Vec<Vec<&'static str>> {
        let readme = include_str!("../../README.md");
        let (_, section) = readme.split_once(heading).expect("the heading");
        let section = section.split("\n## ").next().expect("at least one piece");
        let rows = section.lines().filter(|line| line.starts_with("| `"));
        rows.map(|line| line.split('|').skip(1).map(str::trim).collect()).collect()
    }

    #[test]
    fn the_readme_lists_all_options_with_their_defaults() {
        let default = |option: &OptionSpec| match &option.kind {
            OptionKind::Spin { default, .. } => default.to_string(),
            OptionKind::Check { default, .. } => default.to_string(),
            OptionKind::Text { default: "", .. } => "empty".to_owned(),
            OptionKind::Button(_) | OptionKind::Text { .. } => String::new(),
        };
        let listed: BTreeSet<_> = readme_rows("\n## Options\n")
            .iter()
            .map(|row| (row[0].trim_matches('`').to_owned(), row[1].to_owned()))
            .collect();
        let expected: BTreeSet<_> =
            OPTIONS.iter().map(|option| (option.name.to_owned(), default(option))).collect();
        assert_eq!(listed, expected);
    }

    #[test]
    fn commands_are_data_that_can_be_printed() {
        let printed = |line| {
            let (command, errors) = parse(Words::of_line(line, Instant::now()));
            assert!(errors.is_empty(), "{errors:?}");
            format!("{:?}", command.expect("a command"))
        };
        for (line, expected) in [
            ("uci", "Introduce"),
            ("debug off", "Debug(false)"),
            (
                "position startpos moves e2e4",
                "Position(PositionCommand { start: Startpos, moves: [\"e2e4\"] })",
            ),
            (
                "position joho",
                "RejectPosition(\"expected 'startpos' or 'fen', then 'moves', found 'joho'\")",
            ),
            ("perft 3 threads 2", "Job(Perft { depth: 3, threads: Some(2), hash: None })"),
            ("bench 7", "Job(Bench(Bench { depth: 7, threads: 1, hash: 16 }))"),
            (
                "genfens 8 seed 1",
                "Job(GenFens(GenFens { count: 8, seed: 1, book: None, plies: 8 }))",
            ),
            ("tb", "Show(Tablebase)"),
            ("help go", "Show(Help(Command(\"go\")))"),
            ("register later", "Register"),
        ] {
            assert_eq!(printed(line), expected);
        }
        let option = printed("setoption name hash value 64");
        assert!(option.starts_with("SetOption(OptionSetting { name: \"Hash\", found: \"64\""));
        let go = printed("go depth 3");
        assert!(
            go.starts_with("Go(Go { limits: Limits {") && go.contains("depth: Some(3)"),
            "{go}"
        );
    }

    #[test]
    fn words_before_a_command_are_skipped() {
        assert_eq!(replies(&["joho isready"]), ["readyok"]);
        assert_eq!(replies(&["\u{feff}\tisready \r"]), ["readyok"]);
        assert!(replies(&[" \t "]).is_empty());
    }

    #[test]
    fn unknown_commands_get_a_suggestion() {
        for (line, message) in [
            ("joho", "unknown command 'joho', 'help' lists the commands"),
            ("postion startpos", "unknown command 'postion startpos', did you mean 'position'?"),
            ("HELP", "unknown command 'HELP', did you mean 'help'?"),
        ] {
            assert_eq!(replies(&[line]), [message]);
        }
    }

    #[test]
    fn option_values_keep_their_words() {
        let message = |line| replies(&[line]).pop().unwrap_or_default();
        let error = message("setoption name  Book   File value  no\\such  value name.bin ");
        assert!(error.contains(r"Book File 'no\such  value name.bin'"), "{error}");
        for line in
            ["setoption", "setoption Hash value 3", "setoption name", "setoption name value 3"]
        {
            let expected = "setoption: expected 'name' and the name of an option";
            assert_eq!(message(line), expected, "{line}");
        }
        let expected = "setoption: unknown option 'Hsah', did you mean 'Hash'?";
        assert_eq!(message("setoption name Hsah value 3"), expected);
        assert!(message("setoption name Book File value <EMPTY>").is_empty());
    }

    #[test]
    fn an_invalid_position_is_rejected_by_the_engine() {
        for (line, word) in
            [("position", ""), ("position foo bar", "foo"), ("position startpos e2e4", "e2e4")]
        {
            let expected = format!(
                "info string error: position: expected 'startpos' or 'fen', then 'moves', \
                 found '{word}'"
            );
            assert_eq!(replies(&[line]), [expected], "{line}");
        }
        let texts = replies(&["position fen moves e2e4"]);
        assert!(texts[0].starts_with("info string error: position: bad FEN"), "{texts:?}");
        let texts = replies(&["position\tfen  8/8/8/8/8/8/8/K1k5   w", "fen"]);
        assert_eq!(texts, ["8/8/8/8/8/8/8/K1k5 w - - 0 1"]);
    }

    #[test]
    fn errors_name_the_command_and_the_word() {
        for (line, error) in [
            ("perft", "perft: expected DEPTH [threads N] [hash MIB]"),
            ("go perft", "go perft: expected DEPTH [threads N] [hash MIB]"),
            ("go perft x", "go perft: expected a number, found 'x'"),
            ("perft 5 threads", "perft threads: expected a number"),
            ("perft 5 hash x", "perft hash: expected a number, found 'x'"),
            ("perft -1", "perft: expected 0 to 246, found '-1'"),
            ("bench x", "bench depth: expected a number, found 'x'"),
            ("bench 2 0", "bench threads: expected 1 to 1024, found '0'"),
            ("genfens 3", "genfens: expected 'seed S'"),
            ("genfens x seed 3", "genfens: expected a number, found 'x'"),
            ("genfens 3 seed 1 plies 31", "genfens plies: expected 0 to 30, found '31'"),
            ("genfens 3 seed 1 joho", "genfens: unknown word 'joho'"),
            ("debug maybe", "debug: unknown word 'maybe'"),
        ] {
            assert_eq!(replies(&[line]), [error], "{line}");
        }
        assert_eq!(errors_in("isready joho"), ["isready: unknown word 'joho'"]);
        assert_eq!(replies(&["isready joho"]), ["isready: unknown word 'joho'", "readyok"]);
    }

    #[test]
    fn only_the_first_errors_of_a_line_are_listed() {
        let errors = errors_in(&format!("go depth 1{}", " joho".repeat(100_000)));
        assert_eq!(errors.len(), 9);
        assert!(errors[..8].iter().all(|error| error == "go: unknown word 'joho'"), "{errors:?}");
        assert_eq!(errors[8], "99992 more in this line");
        assert_eq!(errors_in(&format!("go depth 1{}", " joho".repeat(8))).len(), 8);
    }
}
