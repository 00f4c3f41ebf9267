//! Responses, and the files of the page.

use std::io::{self, Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use miniz_oxide::inflate::decompress_to_vec;
use tungstenite::http::StatusCode;

/// Time in which a client has to take a response.
const MAX_TIME: Duration = Duration::from_secs(10);

/// The rest of a request that is refused: bytes, and time between two of them.
const MAX_REST: u64 = 4 << 20;
const REST_TIME: Duration = Duration::from_millis(500);

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// Includes a file of the folder `web`, compressed by `build.rs`.
macro_rules! web {
    ($name:literal) => {
        include_bytes!(concat!(env!("OUT_DIR"), "/web/", $name))
    };
}

/// Path, type and compressed text of each file. Two modules take the place of those for browsers;
/// the rules for browsers are below `/web`, as those of the program extend them.
const FILES: [(&str, &str, &[u8]); 25] = [
    ("/", HTML, web!("index.html")),
    ("/style.css", CSS, web!("style.css")),
    ("/tabia.js", SCRIPT, web!("native/tabia.js")),
    ("/rules.js", SCRIPT, web!("native/rules.js")),
    ("/web/rules.js", SCRIPT, web!("rules.js")),
    ("/web/module.js", SCRIPT, web!("module.js")),
    ("/page/actions.js", SCRIPT, web!("page/actions.js")),
    ("/page/board.js", SCRIPT, web!("page/board.js")),
    ("/page/clock.js", SCRIPT, web!("page/clock.js")),
    ("/page/controls.js", SCRIPT, web!("page/controls.js")),
    ("/page/dom.js", SCRIPT, web!("page/dom.js")),
    ("/page/engine.js", SCRIPT, web!("page/engine.js")),
    ("/page/files.js", SCRIPT, web!("page/files.js")),
    ("/page/game.js", SCRIPT, web!("page/game.js")),
    ("/page/moves.js", SCRIPT, web!("page/moves.js")),
    ("/page/new_game.js", SCRIPT, web!("page/new_game.js")),
    ("/page/open.js", SCRIPT, web!("page/open.js")),
    ("/page/page.js", SCRIPT, web!("page/page.js")),
    ("/page/pieces.js", SCRIPT, web!("page/pieces.js")),
    ("/page/play.js", SCRIPT, web!("page/play.js")),
    ("/page/review.js", SCRIPT, web!("page/review.js")),
    ("/page/score.js", SCRIPT, web!("page/score.js")),
    ("/page/show.js", SCRIPT, web!("page/show.js")),
    ("/page/state.js", SCRIPT, web!("page/state.js")),
    ("/page/think.js", SCRIPT, web!("page/think.js")),
];

pub(super) struct Response {
    status: u16,
    content: &'static str,
    body: String,
}

/// Returns a file of the page.
pub(super) fn file(path: &str) -> Response {
    match FILES.iter().find(|(name, ..)| *name == path) {
        Some(&(_, content, packed)) => Response { status: 200, content, body: unpacked(packed) },
        None => Response::error(404, "there is no such file"),
    }
}

fn unpacked(packed: &[u8]) -> String {
    let bytes = decompress_to_vec(packed).expect("build.rs compressed the file");
    String::from_utf8(bytes).expect("the files are text")
}

impl Response {
    /// Makes a response to a request that is refused.
    pub(super) fn error(status: u16, reason: &str) -> Self {
        Self { status, content: "text/plain; charset=utf-8", body: format!("{reason}\n") }
    }

    pub(super) fn json(body: String) -> Self {
        Self { status: 200, content: "application/json", body }
    }

    pub(super) fn send(&self, mut stream: &TcpStream) -> io::Result<()> {
        let Self { status, content, body } = self;
        let status = StatusCode::from_u16(*status).map_err(io::Error::other)?;
        stream.set_write_timeout(Some(MAX_TIME))?;
        write!(
            stream,
            "HTTP/1.1 {status}\r\nContent-Type: {content}\r\nContent-Length: {}\r\n\
             Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n\
             {body}",
            body.len()
        )?;
        stream.shutdown(Shutdown::Write)?;
        drop_rest(stream)
    }
}

/// Reads the rest of a request that is refused. Without that, the system would drop the response.
pub(super) fn drop_rest(stream: &TcpStream) -> io::Result<()> {
    stream.set_read_timeout(Some(REST_TIME))?;
    io::copy(&mut stream.take(MAX_REST), &mut io::sink())?;
    Ok(())
}
