//! The tool `web`.

use clap::Args;

use crate::web::Server;

use super::arguments::{Sink, ToolError};

/// Serves a page to play, analyse and review games on
#[derive(Args)]
#[command(
    before_help = "Prints the address of the page: open it in a browser of this machine. The page has \
                   this engine with all its threads, and nobody else can reach it. Ctrl-C ends it.",
    after_help = "Example:\n  tabia web --port 8000"
)]
pub(super) struct Web {
    /// Port; a free one without this
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    port: u16,
}

impl Web {
    pub(super) fn run(self, sink: Sink<'_>) -> Result<bool, ToolError> {
        let port = self.port;
        let server = Server::open(port).map_err(|error| {
            ToolError::failure(format_args!("cannot open port {port}: {error}"))
        })?;
        sink(&server.address());
        server.run().map(|()| true).map_err(ToolError::failure)
    }
}
