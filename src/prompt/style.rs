//! Colours and letters that the terminal can show.

use std::env;

use crate::platform::terminal::supports_ansi;

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Style {
    /// False if `NO_COLOR` is set (<https://no-color.org>), or for a terminal without colours.
    pub(super) has_color: bool,
    pub(super) has_figurines: bool,
}

impl Style {
    #[cfg(test)]
    pub(super) const PLAIN: Self = Self { has_color: false, has_figurines: false };

    pub(super) fn of_environment() -> Self {
        let value = |name| env::var(name).unwrap_or_default();
        let has_color = value("NO_COLOR").is_empty() && value("TERM") != "dumb" && supports_ansi();
        let locales = ["LC_ALL", "LC_CTYPE", "LANG"].map(value);
        let is_utf8 = locales.iter().find(|locale| !locale.is_empty()).is_some_and(|locale| {
            let upper = locale.to_ascii_uppercase();
            upper.contains("UTF-8") || upper.contains("UTF8")
        });
        // The Windows Terminal sets no locale.
        Self { has_color, has_figurines: is_utf8 || !value("WT_SESSION").is_empty() }
    }

    pub(super) fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    pub(super) fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }

    pub(super) fn error(self, text: &str) -> String {
        self.paint("31", text)
    }

    /// Paints the text with ANSI SGR parameters; without colours it stays plain.
    pub(super) fn paint(self, parameters: &str, text: &str) -> String {
        if self.has_color { format!("\x1b[{parameters}m{text}\x1b[0m") } else { text.to_owned() }
    }
}
