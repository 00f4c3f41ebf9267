//! Completion of a line by the Tab key: words of the prompt, moves, options, names of files.

use rustyline::completion::Completer;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::Validator;
use rustyline::{Context, Helper};

use crate::cli;
use crate::engine::options::OPTIONS;
use crate::uci::commands;
use crate::uci::limits::argument_words;

use super::paths;

/// Completes lines in the position on the board.
#[derive(Clone, Default)]
pub(super) struct Completion {
    /// Legal moves in SAN.
    pub(super) moves: Vec<String>,
}

impl Helper for Completion {}
impl Highlighter for Completion {}
impl Validator for Completion {}

impl Hinter for Completion {
    type Hint = String;
}

impl Completer for Completion {
    type Candidate = String;

    /// Returns where the word at the cursor begins, and what may stand there.
    fn complete(
        &self,
        line: &str,
        cursor: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = &line[..cursor];
        let path = ["load ", "save "].iter().find_map(|word| typed.trim_start().strip_prefix(word));
        Ok(match path.map(str::trim_start) {
            Some(path) => {
                let (start, names) = paths::completions(path);
                (cursor - path.len() + start, names)
            }
            None => self.words(typed),
        })
    }
}

impl Completion {
    fn words(&self, typed: &str) -> (usize, Vec<String>) {
        let start = typed.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        let known: Vec<&str> = typed[..start].split_whitespace().collect();
        let own = |words: &[&'static str]| words.iter().map(|word| (*word).to_owned()).collect();
        let all = || cli::prompt_names().chain(commands::all().map(|spec| spec.word));
        let candidates: Vec<String> = match known[..] {
            [] => all().map(str::to_owned).chain(self.moves.iter().cloned()).collect(),
            ["play" | "new", ..] => cli::literal_words(cli::PLAY).map(str::to_owned).collect(),
            ["explain"] => self.moves.clone(),
            ["help"] => all().map(str::to_owned).chain(own(&["commands", "options"])).collect(),
            ["go", ..] => argument_words().map(str::to_owned).collect(),
            ["position"] => own(&["startpos", "fen"]),
            ["position", "startpos"] => own(&["moves"]),
            ["setoption"] => own(&["name"]),
            ["setoption", "name", ..] => return option_names(typed),
            _ => Vec::new(),
        };
        let mut candidates: Vec<String> =
            candidates.into_iter().filter(|word| word.starts_with(&typed[start..])).collect();
        candidates.sort();
        candidates.dedup();
        // The next word can be typed at once.
        (start, candidates.into_iter().map(|word| word + " ").collect())
    }
}

/// Completes the name of an option, which may have blanks.
fn option_names(typed: &str) -> (usize, Vec<String>) {
    let start = typed.find("name ").map_or(typed.len(), |at| at + "name ".len());
    let begun = typed[start..].to_lowercase();
    let names = OPTIONS.iter().map(|option| option.name);
    let found = names.filter(|name| name.to_lowercase().starts_with(&begun));
    (start, found.map(|name| format!("{name} ")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_moves_and_options_are_completed() {
        let completion = Completion { moves: vec!["Nf3".to_owned(), "Nc3".to_owned()] };
        for (line, start, expected) in [
            ("expl", 0, &["explain "][..]),
            ("N", 0, &["Nc3 ", "Nf3 "]),
            ("play bl", 5, &["black "]),
            ("play black mo", 11, &["movetime "]),
            ("help resi", 5, &["resign "]),
            ("explain Nf", 8, &["Nf3 "]),
            ("go movet", 3, &["movetime "]),
            ("position st", 9, &["startpos "]),
            ("setoption name mu", 15, &["MultiPV "]),
            ("setoption name clear h", 15, &["Clear Hash "]),
            ("undo x", 5, &[]),
        ] {
            assert_eq!(
                completion.words(line),
                (start, expected.iter().map(|&word| word.to_owned()).collect())
            );
        }
        let (start, all) = completion.words("");
        assert!(
            start == 0 && all.contains(&"play ".to_owned()) && all.contains(&"Nf3 ".to_owned())
        );
    }
}
