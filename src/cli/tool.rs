//! Definition of the command line: the tools and the pages made from it.

use std::ffi::OsString;
use std::iter;

use clap::{Command, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use clap_complete::Shell;

use crate::engine::about;
use crate::tools::selftest;
use crate::uci::commands;
use crate::uci::help;

use super::analyse::Analyse;
use super::arguments::{STOP, Sink, ToolError};
use super::book::BookMoves;
use super::datagen::Datagen;
use super::epd::Epd;
use super::eval::Eval;
use super::explain::Explain;
use super::manual;
use super::mate::Mate;
use super::perft::Perft;
use super::prompt_words::{beginnings, literal_words};
use super::speedtest::Speedtest;
use super::tb::Tb;
use super::web::Web;

const NAME: &str = "tabia";
const TOOL_TEMPLATE: &str =
    "{usage-heading} {usage}\n\n{about-with-newline}\n{before-help}{all-args}{after-help}";
const USAGE: &str = "tabia                        play and analyse; without a terminal, by UCI
       tabia COMMAND [ARGUMENT …]   run one command or tool and exit
       tabia \"LINE\" \"LINE\" …        run lines of input and exit
       tabia COMMAND --help         explain a command, with an example
       tabia --help | --version";

/// Chess engine
#[derive(Parser)]
#[command(
    name = NAME,
    version = about::VERSION,
    disable_help_subcommand = true,
    override_usage = USAGE,
    before_help = "Tabia plays chess and analyses games. Chess programs use it by the UCI protocol \
                   on standard input and output. At a terminal it has a prompt: type help there. \
                   With arguments it runs one command, or several lines of input, and ends.",
    help_template = "{usage-heading} {usage}\n\nTools:\n{subcommands}{after-help}",
    max_term_width = 80
)]
struct CommandLine {
    #[command(subcommand)]
    tool: Tool,
}

#[derive(Subcommand)]
pub(super) enum Tool {
    Analyse(Analyse),
    Epd(Epd),
    Mate(Mate),
    Explain(Explain),
    Eval(Eval),
    Tb(Tb),
    Perft(Perft),
    /// Checks that this build works on this machine
    #[command(after_help = "Example:\n  tabia selftest")]
    Selftest,
    Datagen(Datagen),
    Book(BookMoves),
    Speedtest(Speedtest),
    Web(Web),
    /// Prints the manual page, in roff
    #[command(after_help = "Example:\n  tabia man")]
    Man,
    /// Prints the completions for a shell
    #[command(after_help = "Example:\n  tabia completions bash")]
    Completions {
        /// Shell that reads them
        shell: Shell,
    },
}

impl Tool {
    /// Parses the words of the command line. An error may also be a page that was asked for.
    pub(super) fn parse(words: &[OsString]) -> Result<Self, clap::Error> {
        let program = iter::once(OsString::from(NAME));
        let matches = command().try_get_matches_from(program.chain(words.iter().cloned()))?;
        CommandLine::from_arg_matches(&matches).map(|line| line.tool)
    }

    /// Runs the tool. Returns whether it succeeded.
    pub(super) fn run(self, sink: Sink<'_>) -> Result<bool, ToolError> {
        match self {
            Self::Analyse(tool) => tool.run(sink),
            Self::Epd(tool) => tool.run(sink),
            Self::Mate(tool) => tool.run(sink),
            Self::Explain(tool) => tool.run(sink),
            Self::Eval(tool) => tool.run(sink),
            Self::Tb(tool) => tool.run(sink),
            Self::Perft(tool) => tool.run(sink),
            Self::Selftest => Ok(selftest::run(&STOP, sink)),
            Self::Datagen(tool) => tool.run(sink),
            Self::Book(tool) => tool.run(sink),
            Self::Speedtest(tool) => tool.run(sink),
            Self::Web(tool) => tool.run(sink),
            Self::Man => {
                sink(&manual::page(command()));
                Ok(true)
            }
            Self::Completions { shell } => {
                sink(&completions(shell));
                Ok(true)
            }
        }
    }
}

/// Returns the definition of the command line.
fn command() -> Command {
    CommandLine::command().mut_subcommands(|tool| tool.help_template(TOOL_TEMPLATE))
}

/// Returns the words of all tools.
pub(super) fn words() -> Vec<String> {
    command().get_subcommands().map(|tool| tool.get_name().to_owned()).collect()
}

/// Returns the list of all tools and commands.
pub(crate) fn help_list() -> String {
    let mut prompt = String::new();
    let rows = beginnings().map(|(_, row)| (row.usage, row.purpose));
    help::add_section(&mut prompt, "At a terminal", rows);
    let lists = format!("{}\n{}", prompt.trim_start(), help::list());
    let page = command().after_help(lists).render_help();
    page.to_string().trim_end().to_owned()
}

/// Returns the help page of a tool.
pub(crate) fn help_of(word: &str) -> Option<String> {
    let mut command = command();
    command.build();
    let page = command.find_subcommand_mut(word)?.render_help();
    Some(page.to_string().trim_end().to_owned())
}

/// Returns the completions, which also have the commands of a session and the words of their
/// arguments.
fn completions(shell: Shell) -> String {
    let mut command = command();
    for spec in commands::all() {
        if command.find_subcommand(spec.word).is_none() {
            command = command.subcommand(Command::new(spec.word).about(spec.help));
        }
        let details = spec.details.iter().filter_map(|(usage, _)| usage.split(' ').next());
        let words = literal_words(spec.arguments).chain(details).map(Command::new);
        command = command.mut_subcommand(spec.word, |command| command.subcommands(words));
    }
    for (name, row) in beginnings() {
        let words = literal_words(row.usage).skip(1).map(Command::new);
        command = command.subcommand(Command::new(name).about(row.purpose).subcommands(words));
    }
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, NAME, &mut script);
    String::from_utf8_lossy(&script).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::ValueEnum as _;

    use super::*;
    use crate::board::Board;
    use crate::engine::options::OPTIONS;

    /// Splits a line at blanks as a shell does; double quotes keep words together.
    fn parse(line: &str) -> Result<Tool, clap::Error> {
        let parts = line.split('"').enumerate();
        let words = parts.flat_map(|(index, part)| match index % 2 {
            0 => part.split_whitespace().collect(),
            _ => vec![part],
        });
        Tool::parse(&words.map(OsString::from).collect::<Vec<_>>())
    }

    fn known_words() -> BTreeSet<String> {
        let commands = commands::all().map(|spec| spec.word.to_owned());
        let beginnings = beginnings().map(|(word, _)| word.to_owned());
        commands.chain(words()).chain(beginnings).collect()
    }

    #[test]
    fn the_definition_of_the_command_line_is_consistent() {
        command().debug_assert();
    }

    #[test]
    fn every_tool_has_a_page_in_80_columns_with_examples_that_are_understood() {
        let fits = |page: &str| page.lines().all(|line| line.chars().count() <= 80);
        assert!(fits(&help_list()), "{}", help_list());
        for word in words() {
            let page = help_of(&word).expect("a page");
            assert!(page.starts_with(&format!("Usage: tabia {word}")) && fits(&page), "{page}");
            let (_, examples) = page.split_once("\nExample").expect("an example");
            let examples: Vec<&str> =
                examples.lines().filter_map(|line| line.strip_prefix("  tabia ")).collect();
            assert!(!examples.is_empty(), "{page}");
            for example in examples {
                let command = example.split(" > ").next().unwrap_or_default();
                assert!(command.starts_with(&word) && parse(command).is_ok(), "{command}");
                // What is quoted is a position.
                for fen in command.split('"').skip(1).step_by(2) {
                    assert!(Board::from_fen(fen).is_ok(), "{command}");
                }
            }
        }
        assert_eq!(help_of("joho"), None);
    }

    #[test]
    fn errors_name_the_argument() {
        for (line, message) in [
            ("epd a.epd b.epd", "unexpected argument 'b.epd' found"),
            ("analyse a.pgn --nods 1", "a similar argument exists: '--nodes'"),
            ("analyse a.pgn --out", "a value is required for '--out <FILE>'"),
            ("analyse a.pgn --out --json", "a value is required for '--out <FILE>'"),
            ("analyse a.pgn --json=1", "unexpected value '1' for '--json' found"),
            ("analyse a.pgn --json --json", "the argument '--json' cannot be used multiple times"),
            ("analyse a.pgn --nodes x", "invalid value 'x' for '--nodes <N>'"),
            ("analyse a.pgn --depth 0", "'--depth <D>': 0 is not in 1..=246"),
            ("analyse a.pgn --threads 1025", "'--threads <N>': 1025 is not in 1..=1024"),
            ("datagen --chess960 101", "'--chess960 <N>': 101 is not in 0..=100"),
            ("datagen joho", "unexpected argument 'joho' found"),
            ("speedtest 0", "'[THREADS]': 0 is not in 1..=1024"),
            ("mate", "the following required arguments were not provided:\n  <FEN>..."),
            ("completions joho", "[possible values: bash, elvish, fish, powershell, zsh]"),
        ] {
            let error = parse(line).err().expect("an error").to_string();
            assert!(error.contains(message), "{error}");
        }
    }

    #[test]
    fn the_manual_and_the_completions_have_every_word() {
        let manual = manual::page(command());
        assert!(manual.is_ascii(), "{manual}");
        let scripts = Shell::value_variants().iter().map(|&shell| completions(shell));
        for text in scripts.chain([manual.replace("\\fB", "")]) {
            let words = || text.split(|letter: char| !letter.is_alphanumeric());
            for known in known_words() {
                assert!(words().any(|word| word == known), "{known}: {text}");
            }
        }
        assert!(OPTIONS.iter().all(|option| manual.contains(option.name)), "{manual}");
    }

    #[test]
    fn the_readme_lists_all_commands() {
        let readme = include_str!("../../README.md");
        let (_, section) = readme.split_once("\n## Commands\n").expect("the heading");
        let section = section.split("\n## ").next().expect("at least one piece");
        let rows = section.lines().filter(|line| line.starts_with("| `"));
        let cells = rows.filter_map(|line| line.split('|').nth(1));
        let usages = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
        let words = usages.filter_map(|usage| usage.split(' ').next());
        let listed: BTreeSet<String> = words.map(str::to_owned).collect();
        assert_eq!(listed, known_words());
    }
}
