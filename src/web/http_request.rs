//! Requests: their limits, and who may ask.

use std::io::{self, Read as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use super::http_response::Response;

/// Longest header in bytes.
const MAX_HEADER: usize = 64 << 10;
/// Longest question in bytes: a PGN of some thousand games.
const MAX_QUESTION: usize = 1 << 20;
/// Time in which a request has to arrive.
const MAX_TIME: Duration = Duration::from_secs(10);
const MAX_HEADERS: usize = 64;

/// Request that is allowed.
pub(super) enum Request {
    /// A file of the page.
    File(String),
    /// A question to the rules.
    Ask(String),
    /// The engine; the key is the client's of the WebSocket.
    Engine { key: String },
    /// No byte in time. Browsers open connections ahead, and would take an answer on one for that
    /// to a later request.
    Nothing,
}

/// Bytes that arrive until a deadline.
struct Arrival<'a> {
    stream: &'a TcpStream,
    deadline: Instant,
    bytes: Vec<u8>,
}

impl Arrival<'_> {
    /// Waits for more bytes.
    fn receive(&mut self) -> Result<(), Response> {
        let late = || Response::error(408, "the request takes too long");
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() || self.stream.set_read_timeout(Some(left)).is_err() {
            return Err(late());
        }
        let mut buffer = [0; 4096];
        let mut stream = self.stream;
        match stream.read(&mut buffer) {
            Ok(0) => Err(Response::error(400, "the request ends too early")),
            Ok(count) => {
                self.bytes.extend_from_slice(&buffer[..count]);
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(()),
            Err(_) => Err(late()),
        }
    }
}

/// Headers that matter.
#[derive(Default)]
struct Headers {
    method: String,
    path: String,
    host: Option<String>,
    origin: Option<String>,
    token: Option<String>,
    length: Option<usize>,
    key: Option<String>,
    /// Bytes of the header.
    size: usize,
}

impl Headers {
    /// Parses a header; `None` if it is not complete.
    fn parse(bytes: &[u8]) -> Result<Option<Self>, Response> {
        let mut fields = [httparse::EMPTY_HEADER; MAX_HEADERS];
        let mut parsed = httparse::Request::new(&mut fields);
        let status = parsed.parse(bytes);
        let size = match status.map_err(|error| Response::error(400, &error.to_string()))? {
            httparse::Status::Complete(size) => size,
            httparse::Status::Partial => return Ok(None),
        };
        let mut headers = Self {
            method: parsed.method.unwrap_or_default().to_owned(),
            path: parsed.path.unwrap_or_default().to_owned(),
            size,
            ..Self::default()
        };
        for field in parsed.headers {
            let value = String::from_utf8_lossy(field.value).into_owned();
            match field.name.to_ascii_lowercase().as_str() {
                // A second host would be another one for other readers.
                "host" if headers.host.is_some() => {
                    return Err(Response::error(400, "there are two hosts"));
                }
                "host" => headers.host = Some(value),
                "origin" => headers.origin = Some(value),
                "x-token" => headers.token = Some(value),
                "content-length" => {
                    let length = value.parse();
                    headers.length =
                        Some(length.map_err(|_| Response::error(400, "the length is no number"))?);
                }
                "sec-websocket-key" => headers.key = Some(value),
                _ => {}
            }
        }
        Ok(Some(headers))
    }
}

impl Request {
    /// Reads a request. An error is the response that refuses it.
    pub(super) fn read(stream: &TcpStream, port: u16, token: &str) -> Result<Self, Response> {
        let deadline = Instant::now() + MAX_TIME;
        let mut arrival = Arrival { stream, deadline, bytes: Vec::new() };
        let headers = loop {
            if let Err(refusal) = arrival.receive() {
                return if arrival.bytes.is_empty() { Ok(Self::Nothing) } else { Err(refusal) };
            }
            if let Some(headers) = Headers::parse(&arrival.bytes)? {
                break headers;
            }
            if arrival.bytes.len() > MAX_HEADER {
                return Err(Response::error(431, "the header is too long"));
            }
        };
        let hosts = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{port}"));
        if !headers.host.as_ref().is_some_and(|host| hosts.contains(host)) {
            return Err(Response::error(403, "this is the server of another host"));
        }
        let (path, query) = headers.path.split_once('?').unwrap_or((headers.path.as_str(), ""));
        let is_engine = path == "/engine";
        if is_engine || path == "/ask" {
            let origins = hosts.map(|host| format!("http://{host}"));
            if !headers.origin.as_ref().is_some_and(|origin| origins.contains(origin)) {
                return Err(Response::error(403, "this is not the page of this server"));
            }
            let given =
                if is_engine { query.strip_prefix("token=") } else { headers.token.as_deref() };
            if given != Some(token) {
                return Err(Response::error(
                    403,
                    "the token is wrong: open the address that was printed",
                ));
            }
        }
        match (headers.method.as_str(), path) {
            ("GET", "/engine") => {
                let key = headers.key.ok_or_else(|| Response::error(426, "this is a WebSocket"))?;
                Ok(Self::Engine { key })
            }
            ("POST", "/ask") => {
                let length =
                    headers.length.ok_or_else(|| Response::error(411, "the length is missing"))?;
                if length > MAX_QUESTION {
                    let reason = format!("{length} bytes are more than {MAX_QUESTION}");
                    return Err(Response::error(413, &reason));
                }
                let end = headers.size + length;
                while arrival.bytes.len() < end {
                    arrival.receive()?;
                }
                let question = &arrival.bytes[headers.size..end];
                Ok(Self::Ask(String::from_utf8_lossy(question).into_owned()))
            }
            ("GET", path) => Ok(Self::File(path.to_owned())),
            _ => Err(Response::error(405, "the method is not known")),
        }
    }
}
