//! Completions for shells, from the table of commands and tools.

use std::fmt::Write as _;

use crate::uci::help::HelpPage;

/// Shells with completions.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Shell {
    Bash,
    Zsh,
    Fish,
    Pwsh,
}

impl Shell {
    pub(super) const ALL: [(&str, Shell); 4] = [
        ("bash", Shell::Bash),
        ("zsh", Shell::Zsh),
        ("fish", Shell::Fish),
        ("powershell", Shell::Pwsh),
    ];
}

/// A command with what may follow it.
pub(super) struct Completion {
    word: String,
    help: String,
    /// Literal words of its arguments.
    words: Vec<String>,
    flags: Vec<Flag>,
}

struct Flag {
    /// Name with its dashes.
    name: String,
    /// Placeholder of its value; empty if it takes none.
    value: String,
    help: String,
}

impl Completion {
    /// Returns what the help page of a command offers.
    pub(super) fn new(page: &HelpPage) -> Self {
        let split = |text: &str| {
            let (first, rest) = text.trim_end().split_once(' ').unwrap_or((text.trim_end(), ""));
            (first.to_owned(), rest.to_owned())
        };
        let word = page.usages.first().map(|usage| split(usage).0).unwrap_or_default();
        let mut words: Vec<String> = Vec::new();
        for usage in &page.usages {
            // Literal words of a usage are in lower case.
            for found in split(usage).1.split([' ', '[', ']', '|']) {
                if is_literal(found) && !words.iter().any(|known| known == found) {
                    words.push(found.to_owned());
                }
            }
        }
        words.extend(page.arguments.iter().map(|(usage, _)| split(usage).0));
        let flags = page.options.iter().map(|(usage, help)| {
            let (name, value) = split(usage);
            Flag { name, value, help: help.clone() }
        });
        let help = Flag {
            name: "--help".to_owned(),
            value: String::new(),
            help: "explain the command".to_owned(),
        };
        let flags = flags.chain([help]).collect();
        Self { word, help: page.purposes.join("; "), words, flags }
    }

    fn all_words(&self) -> String {
        let flags = self.flags.iter().map(|flag| flag.name.as_str());
        self.words.iter().map(String::as_str).chain(flags).collect::<Vec<_>>().join(" ")
    }
}

fn is_literal(word: &str) -> bool {
    word.len() > 1 && word.chars().all(|letter| letter.is_ascii_lowercase())
}

impl Flag {
    fn takes_path(&self) -> bool {
        self.value.starts_with("FILE") || self.value.starts_with("FOLDER")
    }
}

/// Names of the flags that take a value, of all commands.
fn value_flags(commands: &[Completion]) -> Vec<&str> {
    let flags = commands.iter().flat_map(|command| &command.flags);
    let mut names: Vec<&str> =
        flags.filter(|flag| !flag.value.is_empty()).map(|flag| flag.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Returns the script for a shell.
pub(super) fn script(shell: Shell, commands: &[Completion]) -> String {
    match shell {
        Shell::Bash => bash(commands),
        Shell::Zsh => zsh(commands),
        Shell::Fish => fish(commands),
        Shell::Pwsh => powershell(commands),
    }
}

fn bash(commands: &[Completion]) -> String {
    let words: Vec<&str> = commands.iter().map(|command| command.word.as_str()).collect();
    let mut text = String::from("# Made by 'tabia completions bash'.\n_tabia() {\n");
    let _ = write!(
        text,
        "    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} words=\n    \
             if ((COMP_CWORD == 1)); then\n        words='{} --help --version'\n    else\n        \
                 case $before in\n        {}) ;;\n        *)\n            case ${{COMP_WORDS[1]}} in\n",
        words.join(" "),
        value_flags(commands).join(" | "),
    );
    for command in commands {
        let Completion { word, .. } = command;
        let _ = writeln!(text, "            {word}) words='{}' ;;", command.all_words());
    }
    // Without a word that fits, bash completes the names of files.
    text.push_str(
        "            esac\n            ;;\n        esac\n    fi\n    \
             mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n}\n\
         complete -o default -F _tabia tabia",
    );
    text
}

fn zsh(commands: &[Completion]) -> String {
    let item = |word: &str, help: &str| quoted(&format!("{}:{help}", word.replace(':', "\\:")));
    let mut text = String::from(
        "#compdef tabia\n# Made by 'tabia completions zsh'.\n_tabia() {\n    \
             local -a commands=(\n",
    );
    for command in commands {
        let _ = writeln!(text, "        {}", item(&command.word, &command.help));
    }
    text.push_str(
        "    )\n    local -a flags=()\n    local -a literals=()\n    \
             if ((CURRENT == 2)); then\n        _describe command commands\n        return\n    \
             fi\n    case ${words[CURRENT-1]} in\n",
    );
    let flags = || commands.iter().flat_map(|command| &command.flags);
    let mut paths: Vec<&str> =
        flags().filter(|flag| flag.takes_path()).map(|flag| flag.name.as_str()).collect();
    paths.sort_unstable();
    paths.dedup();
    let mut others = value_flags(commands);
    others.retain(|name| !paths.contains(name));
    let _ = write!(
        text,
        "    {}) _files; return ;;\n    {}) _message value; return ;;\n    esac\n    \
             case ${{words[2]}} in\n",
        paths.join(" | "),
        others.join(" | "),
    );
    for command in commands {
        let _ = writeln!(text, "    {})", command.word);
        let flags = command.flags.iter().map(|flag| item(&flag.name, &flag.help));
        let _ = writeln!(text, "        flags=({})", flags.collect::<Vec<_>>().join(" "));
        let words = command.words.iter().map(|word| quoted(word)).collect::<Vec<_>>();
        if !words.is_empty() {
            let _ = writeln!(text, "        literals=({})", words.join(" "));
        }
        text.push_str("        ;;\n");
    }
    text.push_str(
        "    esac\n    _describe -o option flags\n    _describe word literals\n    _files\n}\n\
         if [[ ${funcstack[1]} == _tabia ]]; then\n    _tabia \"$@\"\nelse\n    \
             compdef _tabia tabia\nfi",
    );
    text
}

fn fish(commands: &[Completion]) -> String {
    let mut text = String::from("# Made by 'tabia completions fish'.\n");
    for Completion { word, help, .. } in commands {
        let help = fish_quoted(help);
        let _ = writeln!(text, "complete -c tabia -f -n __fish_use_subcommand -a {word} -d {help}");
    }
    for command in commands {
        let start = format!("complete -c tabia -n '__fish_seen_subcommand_from {}'", command.word);
        for flag in &command.flags {
            let value = match flag.value.as_str() {
                "" => "",
                _ if flag.takes_path() => " -r -F",
                _ => " -x",
            };
            let name = flag.name.trim_start_matches("--");
            let _ = writeln!(text, "{start} -l {name}{value} -d {}", fish_quoted(&flag.help));
        }
        if !command.words.is_empty() {
            let _ = writeln!(text, "{start} -a '{}'", command.words.join(" "));
        }
    }
    text.trim_end().to_owned()
}

fn powershell(commands: &[Completion]) -> String {
    let quoted = |text: &str| format!("'{}'", text.replace('\'', "''"));
    let mut text = String::from(
        "# Made by 'tabia completions powershell'.\n\
         Register-ArgumentCompleter -Native -CommandName tabia -ScriptBlock {\n    \
             param($word, $line, $position)\n    $following = [ordered]@{\n",
    );
    for command in commands {
        let words = quoted(&command.all_words());
        let _ = writeln!(text, "        {} = {words}", quoted(&command.word));
    }
    text.push_str(
        "    }\n    $given = @($line.CommandElements | ForEach-Object { $_.ToString() })\n    \
             $isFirst = $given.Count -le 1 -or ($given.Count -eq 2 -and $word)\n    \
             $words = if ($isFirst) { @($following.Keys) } else \
             { @(-split [string]$following[$given[1]]) }\n    \
             $words | Where-Object { $_ -like \"$word*\" } | ForEach-Object {\n        \
                 [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)\n    \
             }\n}",
    );
    text
}

/// Quotes a word for bash and zsh.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

fn fish_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', r"\\").replace('\'', r"\'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_flags_come_from_the_help_page() {
        let page = HelpPage {
            usages: vec!["genfens N seed S [book None|FILE]".to_owned(), "genfens on|off".into()],
            purposes: vec!["make openings"],
            arguments: &[("more N", "a number")],
            options: vec![
                ("--out FILE".to_owned(), "the user's file".to_owned()),
                ("--json ".to_owned(), "print JSON".to_owned()),
            ],
            ..HelpPage::default()
        };
        let completion = Completion::new(&page);
        assert_eq!(completion.word, "genfens");
        assert_eq!(completion.all_words(), "seed book on off more --out --json --help");
        let commands = [completion];
        assert_eq!(value_flags(&commands), ["--out"]);
        for (shell, expected) in [
            (Shell::Bash, "genfens) words='seed book on off more --out --json --help' ;;"),
            (Shell::Zsh, r"flags=('--out:the user'\''s file' '--json:print JSON'"),
            (Shell::Fish, r"-l out -r -F -d 'the user\'s file'"),
            (Shell::Pwsh, "'genfens' = 'seed book on off more --out --json --help'"),
        ] {
            let script = script(shell, &commands);
            assert!(script.contains(expected), "{script}");
        }
    }
}
