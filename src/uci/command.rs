//! Lines of text to [`Command`]s, and back.

use std::fmt;
use std::path::PathBuf;
use std::time::Instant;

use crate::engine::options::parse_number;
use crate::engine::protocol::{Command, CommandError, Position, Start};
use crate::types::{MAX_PLY, Piece};
use crate::uci::datagen::{parse_datagen, write_datagen};
use crate::uci::genfens::{parse_genfens, write_genfens};
use crate::uci::go::parse_go;

/// A command's word, what may follow it, and what it does: the text of `help`.
pub(super) const HELP: &[(&str, &str, &str)] = &[
    ("uci", "", "name the engine and its options; from then on speak UCI only"),
    ("isready", "", "answer readyok, also during a search"),
    ("setoption", "name NAME [value VALUE]", "set an option or press a button"),
    ("ucinewgame", "", "forget what earlier games have taught"),
    ("position", "startpos|fen FEN [moves MOVE …]", "set up a position"),
    ("go", "[LIMIT …]", "search; without a limit until stop"),
    ("stop", "", "end the search or the tool that runs"),
    ("ponderhit", "", "the expected move was played"),
    ("debug", "on|off", "more or less talk"),
    ("register", "", "nothing: Tabia is free"),
    ("quit", "", "end the program"),
    ("d", "", "draw the board"),
    ("eval", "", "show the static evaluation"),
    ("fen", "", "show the position as FEN"),
    ("moves", "", "list the legal moves"),
    ("flip", "", "swap the colours"),
    (
        "perft",
        "DEPTH [threads N] [hash MIB] | FILE [DEPTH]",
        "count leaves move by move, or check a file of counts",
    ),
    ("bench", "[DEPTH [THREADS [HASH]]]", "search the built-in positions and count nodes"),
    ("selftest", "", "check that this program works on this processor"),
    ("spsa", "", "list the numbers that a build with the feature 'tune' can tune"),
    ("keys", "[POSITIONS]", "show the evidence for the Zobrist keys"),
    ("tb", "", "show what the tablebases say of the position and of each move"),
    ("book", "FILE [FEN|startpos]", "list the moves of an opening book, with weights and shares"),
    (
        "datagen",
        "[--OPTION NUMBER …] [--out FOLDER]",
        "play games and keep them; --help lists the options",
    ),
    (
        "genfens",
        "N seed S [book None|FILE] [plies P]",
        "make positions for games, as OpenBench asks",
    ),
    ("compiler", "", "show what built this binary, and for what"),
    ("version", "", "show name and version"),
    ("wait", "", "hold back what follows until the search is over"),
    ("help", "", "show this list"),
];

/// What a line says: the parts that make no sense first, then the command, if there is one.
///
/// Words before the first command word are skipped. `received` is when the line was read.
pub(super) fn parse(line: &str, received: Instant) -> Vec<Command> {
    // PowerShell begins a piped text with a byte order mark.
    let line = line.trim_start_matches('\u{feff}').trim();
    let mut rest = line;
    while let Some((word, after)) = split_word(rest) {
        if HELP.iter().any(|(command, ..)| *command == word) {
            let mut errors = Vec::new();
            let command = parse_command(word, after, received, &mut errors);
            return errors.into_iter().map(Command::Malformed).chain(command).collect();
        }
        rest = after;
    }
    if line.is_empty() {
        return Vec::new();
    }
    vec![Command::Malformed(CommandError::Unknown(line.to_owned()))]
}

/// The first word and what follows it, both without white space around them.
pub(super) fn split_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    Some((&text[..end], text[end..].trim_start()))
}

fn parse_command(
    word: &str,
    rest: &str,
    received: Instant,
    errors: &mut Vec<CommandError>,
) -> Option<Command> {
    let parsed = match word {
        "uci" => Ok(Command::Uci),
        "debug" => Ok(Command::Debug(rest.split_whitespace().next() != Some("off"))),
        "isready" => Ok(Command::IsReady),
        "register" => Ok(Command::Register),
        "setoption" => parse_set_option(rest),
        "ucinewgame" => Ok(Command::NewGame),
        "position" => Ok(Command::Position(parse_position(rest))),
        "go" => parse_go(rest, received, errors),
        "stop" => Ok(Command::Stop),
        "ponderhit" => Ok(Command::PonderHit),
        "quit" => Ok(Command::Quit),
        "d" => Ok(Command::Display),
        "eval" => Ok(Command::Eval),
        "fen" => Ok(Command::Fen),
        "moves" => Ok(Command::Moves),
        "flip" => Ok(Command::Flip),
        "perft" => parse_perft("perft", rest),
        "bench" => parse_bench(rest),
        "selftest" => Ok(Command::SelfTest),
        "spsa" => Ok(Command::Spsa),
        "keys" => optional_number("keys", rest.split_whitespace().next()).map(Command::Keys),
        "tb" => Ok(Command::Tablebase),
        "book" => parse_book(rest),
        "datagen" => parse_datagen(rest),
        "genfens" => parse_genfens(rest),
        "compiler" => Ok(Command::Compiler),
        "version" => Ok(Command::Version),
        "wait" => Ok(Command::Wait),
        "help" => Ok(Command::Help),
        _ => Err(CommandError::Unknown(word.to_owned())),
    };
    parsed.map_err(|error| errors.push(error)).ok()
}

/// `name NAME [value VALUE]`: the first `name` and the first `value` count, later ones belong to the value.
fn parse_set_option(rest: &str) -> Result<Command, CommandError> {
    let mut text = rest;
    loop {
        let (word, after) = split_word(text).ok_or(CommandError::NoOptionName)?;
        text = after;
        if word == "name" {
            break;
        }
    }
    let mut name: Vec<&str> = Vec::new();
    let mut value = None;
    while let Some((word, after)) = split_word(text) {
        if word == "value" {
            value = Some(after.to_owned());
            break;
        }
        name.push(word);
        text = after;
    }
    if name.is_empty() {
        return Err(CommandError::NoOptionName);
    }
    Ok(Command::SetOption { name: name.join(" "), value })
}

/// `startpos|fen FEN [moves MOVE …]`. Whether it makes sense is for the engine to say, because a refused position
/// must also stop it from searching the one before.
fn parse_position(rest: &str) -> Position {
    let mut words = rest.split_whitespace();
    let mut before_moves = words.by_ref().take_while(|word| *word != "moves");
    let start = match before_moves.next() {
        Some("startpos") => {
            before_moves.next().map_or(Start::Startpos, |word| Start::Unclear(word.to_owned()))
        }
        Some("fen") => Start::Fen(before_moves.by_ref().collect::<Vec<_>>().join(" ")),
        word => Start::Unclear(word.unwrap_or_default().to_owned()),
    };
    before_moves.for_each(drop);
    Position { start, moves: words.map(str::to_owned).collect() }
}

/// `DEPTH [threads N] [hash MIB]`, or `FILE [DEPTH]` where the file's name may contain blanks.
pub(super) fn parse_perft(command: &'static str, rest: &str) -> Result<Command, CommandError> {
    let rest = rest.trim();
    if rest.is_empty() {
        return Err(CommandError::Missing { command, what: "a depth or a file" });
    }
    let (first, helpers) = split_word(rest).unwrap_or_default();
    if let Some(depth) = parse_number(first) {
        // No deeper count will ever end; the bound is for the stack.
        let depth = depth.clamp(0, MAX_PLY as i64) as u32;
        let (threads, hash) = parse_perft_helpers(helpers)?;
        return Ok(Command::Perft { depth, threads, hash });
    }
    let with_depth = rest.rsplit_once(char::is_whitespace).and_then(|(path, depth)| {
        let depth = depth.parse().ok()?;
        Some((path.trim_end(), Some(depth)))
    });
    let (path, max_depth) = with_depth.unwrap_or((rest, None));
    Ok(Command::PerftSuite { path: PathBuf::from(path), max_depth })
}

/// `threads N` and `hash MIB` in any order.
fn parse_perft_helpers(rest: &str) -> Result<(Option<usize>, Option<usize>), CommandError> {
    const HELPERS: &str = "'threads N' or 'hash MIB' after the depth";
    let (mut threads, mut hash) = (None, None);
    let mut words = rest.split_whitespace();
    while let Some(word) = words.next() {
        let (place, helper) = match word {
            "threads" => ("perft threads", &mut threads),
            "hash" => ("perft hash", &mut hash),
            _ => return Err(CommandError::Missing { command: "perft", what: HELPERS }),
        };
        *helper = optional_number(place, words.next())?;
        helper.ok_or(CommandError::Missing { command: "perft", what: HELPERS })?;
    }
    Ok((threads, hash))
}

fn parse_bench(rest: &str) -> Result<Command, CommandError> {
    let mut words = rest.split_whitespace();
    Ok(Command::Bench {
        depth: optional_number("bench depth", words.next())?,
        threads: optional_number("bench threads", words.next())?,
        hash: optional_number("bench hash", words.next())?,
    })
}

/// `FILE [FEN|startpos]`, where the file's name may contain blanks, with or without quotes around it.
fn parse_book(rest: &str) -> Result<Command, CommandError> {
    let mut path = rest.trim();
    let mut start = None;
    let mut ends = path.match_indices(char::is_whitespace).map(|(at, _)| path[at..].trim_start());
    if let Some((end, found)) = ends.find_map(|end| Some((end, start_of(end)?))) {
        path = path[..path.len() - end.len()].trim_end();
        start = Some(found);
    }
    path = path.strip_prefix('"').and_then(|path| path.strip_suffix('"')).unwrap_or(path);
    if path.is_empty() {
        return Err(CommandError::Missing { command: "book", what: "a file" });
    }
    Ok(Command::Book { path: PathBuf::from(path), start })
}

/// The position that this is, if it looks like one.
fn start_of(text: &str) -> Option<Start> {
    match text {
        "startpos" => Some(Start::Startpos),
        _ => begins_like_fen(text).then(|| Start::Fen(text.to_owned())),
    }
}

/// Whether the first word is eight ranks of pieces and numbers: no path looks like that.
fn begins_like_fen(text: &str) -> bool {
    let word = split_word(text).map_or("", |(word, _)| word);
    let is_rank = |rank: &str| {
        rank.chars().all(|c| c.is_ascii_digit() || Piece::from_letter(c).is_some())
            && !rank.is_empty()
    };
    word.split('/').count() == 8 && word.split('/').all(is_rank)
}

fn optional_number<N: std::str::FromStr>(
    place: &str,
    word: Option<&str>,
) -> Result<Option<N>, CommandError> {
    let not_a_number =
        |word: &str| CommandError::NotANumber { place: place.to_owned(), found: word.to_owned() };
    word.map(|word| word.parse().map_err(|_| not_a_number(word))).transpose()
}

/// The line that is read as this command.
impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uci => f.write_str("uci"),
            Self::Debug(on) => f.write_str(if *on { "debug on" } else { "debug off" }),
            Self::IsReady => f.write_str("isready"),
            Self::Register => f.write_str("register"),
            Self::SetOption { name, value: None } => write!(f, "setoption name {name}"),
            Self::SetOption { name, value: Some(value) } => {
                write!(f, "setoption name {name} value {value}")
            }
            Self::NewGame => f.write_str("ucinewgame"),
            Self::Position(position) => position.fmt(f),
            Self::Go(go) => go.fmt(f),
            Self::Stop => f.write_str("stop"),
            Self::PonderHit => f.write_str("ponderhit"),
            Self::Quit => f.write_str("quit"),
            Self::Display => f.write_str("d"),
            Self::Eval => f.write_str("eval"),
            Self::Fen => f.write_str("fen"),
            Self::Moves => f.write_str("moves"),
            Self::Flip => f.write_str("flip"),
            Self::Perft { depth, threads, hash } => {
                write!(f, "perft {depth}")?;
                threads.iter().try_for_each(|threads| write!(f, " threads {threads}"))?;
                hash.iter().try_for_each(|mib| write!(f, " hash {mib}"))
            }
            Self::PerftSuite { path, max_depth } => {
                write!(f, "perft {}{}", path.display(), Word(max_depth.as_ref()))
            }
            Self::Bench { depth, threads, hash } => {
                let (depth, threads, hash) = (depth.as_ref(), threads.as_ref(), hash.as_ref());
                write!(f, "bench{}{}{}", Word(depth), Word(threads), Word(hash))
            }
            Self::SelfTest => f.write_str("selftest"),
            Self::Spsa => f.write_str("spsa"),
            Self::Keys(positions) => write!(f, "keys{}", Word(positions.as_ref())),
            Self::Tablebase => f.write_str("tb"),
            Self::Book { path, start } => {
                write!(f, "book {}", path.display())?;
                match start {
                    Some(Start::Startpos) => f.write_str(" startpos"),
                    Some(Start::Fen(fen)) => write!(f, " {fen}"),
                    _ => Ok(()),
                }
            }
            Self::Datagen(options) => write_datagen(f, options.as_deref()),
            Self::GenFens(wishes) => write_genfens(f, wishes),
            Self::Compiler => f.write_str("compiler"),
            Self::Version => f.write_str("version"),
            Self::Wait => f.write_str("wait"),
            Self::Help => f.write_str("help"),
            Self::Malformed(error) => write!(f, "({error})"),
        }
    }
}

/// A blank and a word, or nothing.
struct Word<'a, T>(Option<&'a T>);

impl<T: fmt::Display> fmt::Display for Word<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |word| write!(f, " {word}"))
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.start {
            Start::Startpos => f.write_str("position startpos")?,
            Start::Fen(fen) => write!(f, "position fen {fen}")?,
            Start::Unclear(word) => write!(f, "position {word}")?,
            Start::TooLong(_) => f.write_str("position …")?,
        }
        if !self.moves.is_empty() {
            f.write_str(" moves")?;
        }
        self.moves.iter().try_for_each(|mv| write!(f, " {mv}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_now(line: &str) -> Vec<Command> {
        parse(line, Instant::now())
    }

    /// The commands as text again.
    fn echo(line: &str) -> Vec<String> {
        parse_now(line).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn display_is_the_inverse_of_parse() {
        let lines = [
            "uci",
            "debug on",
            "debug off",
            "isready",
            "register",
            "setoption name Clear Hash",
            "setoption name Debug Log File value a name of value 7",
            "ucinewgame",
            "position startpos",
            "position startpos moves e2e4 e7e5",
            "position fen 8/8/8/8/8/8/8/K1k5 w - - 0 1 moves a1a2",
            "go infinite",
            "go ponder wtime 1 btime 2 winc 3 binc 4 movestogo 5",
            "go depth 7 nodes 8 mate 9 movetime 10 searchmoves e2e4 0000",
            "stop",
            "ponderhit",
            "quit",
            "d",
            "eval",
            "fen",
            "moves",
            "flip",
            "perft 5",
            "perft 8 threads 2",
            "perft 8 threads 2 hash 256",
            "perft my suites/a b.epd",
            "perft my suites/a b.epd 4",
            "bench",
            "bench 10 2 64",
            "selftest",
            "spsa",
            "keys",
            "keys 1000",
            "tb",
            "book my books/a b.bin",
            "book my books/a b.bin startpos",
            "book my books/a b.bin 8/8/8/8/8/8/8/K1k5 w - - 0 1",
            "datagen",
            "datagen --help",
            "datagen --games 10 --seed 7 --win-score 2000 --out my-data",
            "datagen --out \"my  data\"",
            "genfens 5 seed 7",
            "genfens 5 seed 7 book \"my books/a b.epd\" plies 3",
            "compiler",
            "version",
            "wait",
            "help",
        ];
        for line in lines {
            assert_eq!(echo(line), [line]);
        }
        assert_eq!(echo("book \"a  b.bin\" startpos"), ["book a  b.bin startpos"]);
    }

    #[test]
    fn every_command_has_a_line_of_help_and_is_parsed() {
        for (word, ..) in HELP {
            for command in parse_now(word) {
                assert!(!matches!(command, Command::Malformed(CommandError::Unknown(_))), "{word}");
            }
        }
    }

    #[test]
    fn white_space_and_unknown_leading_words_do_not_matter() {
        assert_eq!(echo("\u{feff}\t uci \r\n"), ["uci"]);
        assert_eq!(echo("joho debug on"), ["debug on"]);
        assert_eq!(echo("go\tdepth\t 3\r"), ["go depth 3"]);
        assert_eq!(
            echo("position\tfen  8/8/8/8/8/8/8/K1k5   w"),
            ["position fen 8/8/8/8/8/8/8/K1k5 w"]
        );
        assert!(echo(" \t ").is_empty());
        assert!(matches!(parse_now("joho")[..], [Command::Malformed(CommandError::Unknown(_))]));
    }

    #[test]
    fn option_values_keep_their_words() {
        let [Command::SetOption { name, value }] =
            &parse_now("setoption name  Debug   Log File value  C:\\my  value name.txt ")[..]
        else {
            panic!("no setoption");
        };
        assert_eq!(name, "Debug Log File");
        assert_eq!(value.as_deref(), Some("C:\\my  value name.txt"));
        for line in
            ["setoption", "setoption Hash value 3", "setoption name", "setoption name value 3"]
        {
            assert!(
                matches!(parse_now(line)[..], [Command::Malformed(CommandError::NoOptionName)]),
                "{line}"
            );
        }
    }

    #[test]
    fn unclear_positions_are_kept_for_the_engine_to_refuse() {
        for (line, word) in
            [("position", ""), ("position foo", "foo"), ("position startpos e2e4", "e2e4")]
        {
            let [Command::Position(position)] = &parse_now(line)[..] else { panic!("{line}") };
            assert_eq!(position.start, Start::Unclear(word.to_owned()), "{line}");
        }
        let [Command::Position(position)] = &parse_now("position fen moves e2e4")[..] else {
            panic!("no position");
        };
        assert_eq!(position.start, Start::Fen(String::new()));
    }

    #[test]
    fn bad_numbers_of_tools_are_named() {
        for (line, error) in [
            ("perft", "(perft: a depth or a file expected)"),
            ("go perft", "(go perft: a depth or a file expected)"),
            ("perft 5 threads", "(perft: 'threads N' or 'hash MIB' after the depth expected)"),
            ("perft 5 joho", "(perft: 'threads N' or 'hash MIB' after the depth expected)"),
            ("perft 5 hash x", "(perft hash: 'x' is not a number)"),
            ("bench x", "(bench depth: 'x' is not a number)"),
            ("keys -1", "(keys: '-1' is not a number)"),
            ("book", "(book: a file expected)"),
            ("datagen --joho 1", "(datagen: no option '--joho', see datagen --help)"),
            ("datagen --games", "(datagen --games: a number is missing)"),
            ("datagen --chess960 101", "(datagen: --chess960 takes 0 to 100)"),
            ("datagen --out --seed 1", "(datagen: a folder after --out expected)"),
            ("datagen --out \"\"", "(datagen: a folder after --out expected)"),
            ("datagen --out a\u{fffd}", "(datagen: the path 'a\u{fffd}' is not UTF-8)"),
            ("genfens 3", "(genfens: seed and a number expected)"),
            ("genfens x seed 3", "(genfens N: 'x' is not a number)"),
            ("genfens 3 seed 1 plies 31", "(genfens: plies takes 0 to 30)"),
            ("genfens 3 seed 1 joho", "(genfens: no word 'joho')"),
        ] {
            assert_eq!(echo(line), [error]);
        }
        assert_eq!(echo("go perft 3"), ["perft 3"]);
    }
}
