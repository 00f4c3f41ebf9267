//! Words of the prompt, for its help and for that of the command line.

use std::ffi::OsString;

use crate::uci::help;

/// Word of the prompt.
pub(crate) struct PromptWord {
    /// Names of the word; empty if the row explains something else.
    pub(crate) names: &'static [&'static str],
    /// Word with its arguments.
    pub(crate) usage: &'static str,
    /// Purpose, for the list of all words.
    pub(crate) purpose: &'static str,
    /// Arguments with their explanations, if there are several.
    details: &'static [(&'static str, &'static str)],
    /// Example of a line.
    example: &'static str,
}

const fn row(
    names: &'static [&'static str],
    usage: &'static str,
    purpose: &'static str,
    example: &'static str,
) -> PromptWord {
    PromptWord { names, usage, purpose, details: &[], example }
}

/// Words with which the command line can begin, too: each begins or takes up a game.
const BEGINNINGS: [&str; 3] = ["play", "resume", "load"];

/// Arguments of `play`.
pub(crate) const PLAY: &str = "play [white|black|random] [here|chess960] [level ELO] \
                               [time MIN+SEC] [movetime SEC] [quiet]";

/// All words, in the order of the help, which fits on a screen of 24 rows.
pub(crate) const PROMPT_WORDS: [PromptWord; 20] = [
    PromptWord {
        details: &[
            ("white, black, random", "your side, White without it"),
            ("level ELO", "500 to 3000; 1500 if level, time and movetime are left out"),
            ("time MIN+SEC", "a clock for each side; at full strength without level"),
            ("movetime SEC", "time for each of Tabia's moves"),
            ("here", "begin from the position on the board"),
            ("chess960", "begin from a random start position of Chess960"),
            ("quiet", "no scores beside Tabia's moves"),
        ],
        ..row(
            &["play", "new"],
            PLAY,
            "begin a game, for example 'play black level 1200'",
            "play black level 1200",
        )
    },
    row(&[], "e4, Nf3, O-O, e7e8q", "play a move on the board", "Nf3"),
    row(&["undo", "takeback"], "undo", "take back a move; in a game, yours and the reply", "undo"),
    row(&["hint"], "hint", "show a good move", "hint"),
    row(&["score"], "score", "show how the position is for White", "score"),
    row(&["clock"], "clock", "show the time left", "clock"),
    row(&["level"], "level ELO", "play on at another level", "level 1200"),
    row(&["draw"], "draw", "offer a draw: from move 20 on, or if no pawn can move", "draw"),
    row(&["resign"], "resign", "give up", "resign"),
    row(&["review"], "review", "analyse the game: accuracy, a chart, the bad moves", "review"),
    row(&["resume"], "resume [N]", "take up an unfinished game, or list them", "resume"),
    row(&["save"], "save [FILE]", "add the game to a PGN file, or to tabia.pgn", "save games.pgn"),
    row(&["load"], "load FILE [N]", "load the first or Nth game of a PGN file", "load games.pgn 2"),
    row(&["board"], "board", "show the board; 'd' adds FEN and key", "board"),
    row(&["go"], "go [LIMIT …]", "search at full strength; Enter stops", "go movetime 5000"),
    row(&["explain"], "explain MOVE", "compare a move with the best one, in words", "explain Nf3"),
    row(
        &["help", "?"],
        "help commands",
        "list the commands of UCI, which work here too",
        "help commands",
    ),
    row(&[], "WORD --help", "explain a word or a command, with an example", "go --help"),
    row(&[], "help options", "list the options of setoption", "help options"),
    row(&["quit"], "quit", "leave, as does Ctrl-D; an unfinished game is kept", "quit"),
];

/// Returns the words of a syntax that stand for themselves, which have no capitals.
pub(crate) fn literal_words(syntax: &'static str) -> impl Iterator<Item = &'static str> {
    let is_small = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit();
    let is_literal = move |word: &&str| word.len() > 1 && word.chars().all(is_small);
    syntax.split([' ', '[', ']', '|']).filter(is_literal)
}

/// Returns the list of all words.
pub(crate) fn prompt_list() -> String {
    let mut page = String::new();
    // Its usage is longer than a row.
    let usage = |row: &PromptWord| if row.usage == PLAY { "play [WORD …]" } else { row.usage };
    let rows = PROMPT_WORDS.iter().map(|row| (usage(row), row.purpose));
    help::add_section(&mut page, "Play and analyse", rows);
    page.trim().to_owned()
}

/// Returns all names of words.
pub(crate) fn prompt_names() -> impl Iterator<Item = &'static str> {
    PROMPT_WORDS.iter().flat_map(|row| row.names.iter().copied())
}

/// Returns the help page of a word.
pub(crate) fn prompt_page(name: &str) -> Option<String> {
    let row = find(name)?;
    Some(help::page(row.usage, row.purpose, row.details, row.example))
}

fn find(name: &str) -> Option<&'static PromptWord> {
    PROMPT_WORDS.iter().find(|row| row.names.contains(&name))
}

/// Returns the words with which the command line can begin.
pub(super) fn beginnings() -> impl Iterator<Item = (&'static str, &'static PromptWord)> {
    BEGINNINGS.into_iter().filter_map(|name| find(name).map(|row| (name, row)))
}

/// Joins the arguments of the program to a line of the prompt, if they begin with `play`, `resume`
/// or `load`. Returns `None` for other commands, and with `--help`: a page needs no prompt.
pub fn prompt_line(arguments: &[OsString]) -> Option<String> {
    let words: Vec<_> = arguments.iter().map(|word| word.to_string_lossy()).collect();
    let line = words.join(" ");
    let mut words = line.split_whitespace();
    let is_beginning = words.next().is_some_and(|word| BEGINNINGS.contains(&word));
    let asks_for_help = words.any(|word| matches!(word, "--help" | "-h"));
    (is_beginning && !asks_for_help).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_fits_on_a_screen() {
        let page = prompt_list();
        assert!(page.starts_with("Play and analyse:\n  play [WORD …]"), "{page}");
        assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
        // One more row has the line before it, and one the prompt.
        assert!(page.lines().count() <= 22, "{page}");
    }

    #[test]
    fn every_word_has_a_page() {
        for word in prompt_names() {
            let page = prompt_page(word).expect("a page");
            assert!(page.contains("Usage: ") && page.contains("\n\nExample"), "{page}");
            assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
        }
        assert_eq!(prompt_page("new"), prompt_page("play"));
        assert_eq!(prompt_page("nothing"), None);
        assert_eq!(beginnings().count(), BEGINNINGS.len());
        let arguments: Vec<&str> = literal_words(PLAY).collect();
        assert!(arguments.contains(&"chess960") && !arguments.contains(&"ELO"), "{arguments:?}");
    }

    #[test]
    fn some_words_begin_a_prompt() {
        let line =
            |text: &str| prompt_line(&text.split('|').map(OsString::from).collect::<Vec<_>>());
        assert_eq!(line("play|level|1000").as_deref(), Some("play level 1000"));
        assert_eq!(line("load my games.pgn|2").as_deref(), Some("load my games.pgn 2"));
        assert_eq!(line("play level 1000").as_deref(), Some("play level 1000"));
        assert_eq!([line("play|--help"), line("bench"), line("")], [None, None, None]);
    }
}
