//! The server of the page: who is served what, and what is refused.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::protocol::{Message, Role, WebSocket};

use crate::session::{Session, program};

const KEY: &str = "dGhlIHNhbXBsZSBub25jZQ==";

/// A running `tabia web`, which ends when it is dropped.
struct Served {
    _session: Session,
    port: String,
    token: String,
}

impl Served {
    fn start() -> Self {
        let mut command = program();
        command.arg("web");
        let mut session = Session::start_from(command);
        let address = session.expect("http://127.0.0.1:").pop().expect("a line");
        let (start, token) = address.split_once("/#").expect("a token");
        let port = start.rsplit(':').next().expect("a port").to_owned();
        assert_eq!(token.len(), 32, "{address}");
        Self { _session: session, port, token: token.to_owned() }
    }

    fn connect(&self) -> TcpStream {
        let stream =
            TcpStream::connect(format!("127.0.0.1:{}", self.port)).expect("the port is open");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
        stream
    }

    /// Sends a request and returns the status and the body.
    fn send(&self, request: &[u8]) -> (u16, String) {
        let mut stream = self.connect();
        // The server may refuse before it has read all.
        let _ = stream.write_all(request);
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        let (header, body) = answer.split_once("\r\n\r\n").expect("a header");
        let status = header.split(' ').nth(1).expect("a status");
        (status.parse().expect("a number"), body.to_owned())
    }

    /// Sends a request with these lines after the first, of which `@` is the host of the server.
    fn request(&self, first: &str, lines: &[&str], body: &str) -> (u16, String) {
        let host = format!("127.0.0.1:{}", self.port);
        let lines: String = lines.iter().map(|line| line.replace('@', &host) + "\r\n").collect();
        self.send(format!("{first} HTTP/1.1\r\n{lines}\r\n{body}").as_bytes())
    }

    fn ask(&self, question: &Value) -> Value {
        let body = question.to_string();
        let (token, length) =
            (format!("X-Token: {}", self.token), format!("Content-Length: {}", body.len()));
        let lines = ["Host: @", "Origin: http://@", &token, &length];
        let (status, answer) = self.request("POST /ask", &lines, &body);
        assert_eq!(status, 200, "{answer}");
        serde_json::from_str(&answer).expect("JSON")
    }

    /// Opens the engine as a page does.
    fn engine(&self) -> Engine {
        let mut stream = self.connect();
        let (port, token) = (&self.port, &self.token);
        let request = format!(
            "GET /engine?token={token} HTTP/1.1\r\nHost: localhost:{port}\r\n\
             Origin: http://localhost:{port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {KEY}\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).expect("the server reads");
        let mut header = Vec::new();
        while !header.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).expect("a header");
            header.extend(byte);
        }
        let header = String::from_utf8(header).expect("text");
        // The answer to this key is an example of RFC 6455.
        assert!(
            header.starts_with("HTTP/1.1 101 ") && header.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        );
        Engine(WebSocket::from_raw_socket(stream, Role::Client, None))
    }
}

struct Engine(WebSocket<TcpStream>);

impl Engine {
    fn send(&mut self, line: &str) {
        self.0.send(Message::text(line)).expect("the server reads");
    }

    /// Returns the next line with this beginning; panics if the server closes.
    fn expect(&mut self, start: &str) -> String {
        loop {
            match self.0.read().expect("a message") {
                Message::Text(line) if line.starts_with(start) => return line.to_string(),
                Message::Close(frame) => panic!("closed: {frame:?}"),
                _ => {}
            }
        }
    }

    /// Returns the reason with which the server closes.
    fn reason(&mut self) -> String {
        loop {
            match self.0.read() {
                Ok(Message::Close(frame)) => return frame.expect("a reason").reason.to_string(),
                Ok(_) => {}
                Err(error) => return error.to_string(),
            }
        }
    }
}

#[test]
fn the_page_is_served_and_its_rules_answer() {
    let served = Served::start();
    for (path, start) in
        [("/", "<!doctype html>"), ("/page/page.js", "// The page"), ("/style.css", ":root")]
    {
        let (status, body) = served.request(&format!("GET {path}"), &["Host: @"], "");
        assert_eq!(status, 200, "{path}");
        assert!(body.starts_with(start), "{path}: {body}");
    }
    // Every file that another one imports is there.
    let mut paths = vec!["/page/page.js".to_owned()];
    let mut seen = 0;
    while let Some(path) = paths.get(seen).cloned() {
        let (status, script) = served.request(&format!("GET {path}"), &["Host: @"], "");
        assert_eq!(status, 200, "{path}");
        let (folder, _) = path.rsplit_once('/').expect("a path");
        for name in script.split(" from '").skip(1).filter_map(|rest| rest.split('\'').next()) {
            let name = match name.strip_prefix("./") {
                Some(name) => format!("{folder}/{name}"),
                None => name.trim_start_matches("..").to_owned(),
            };
            if !paths.contains(&name) {
                paths.push(name);
            }
        }
        seen += 1;
    }
    assert!(seen > 20, "{paths:?}");
    let game = served.ask(&json!({ "ask": "game", "moves": ["e2e4", "c7c5"] }));
    assert_eq!(game["opening"]["name"], "Sicilian Defense");
    assert_eq!(
        served.ask(&json!({ "ask": "joho" }))["error"].as_str().map(|text| text.is_empty()),
        Some(false)
    );
}

#[test]
fn requests_of_others_and_wrong_ones_are_refused() {
    let served = Served::start();
    let token = format!("X-Token: {}", served.token);
    let own = ["Host: @", "Origin: http://@", &token];
    let with = |line: &'static str| [own.as_slice(), &[line]].concat();
    for (first, lines, expected) in [
        ("GET /", vec![], 403),
        ("GET /", vec!["Host: example.org"], 403),
        ("GET /", vec!["Host: @", "Host: @"], 400),
        ("GET /none", vec!["Host: @"], 404),
        ("GET /../Cargo.toml", vec!["Host: @"], 404),
        ("DELETE /", vec!["Host: @"], 405),
        ("POST /none", own.to_vec(), 405),
        ("GET /", [&["Host: @"][..], &["A: b"; 64]].concat(), 400),
        ("POST /ask", vec!["Host: @", &token], 403),
        ("POST /ask", vec!["Host: @", "Origin: http://example.org", &token], 403),
        ("POST /ask", vec!["Host: @", "Origin: http://@"], 403),
        ("POST /ask", vec!["Host: @", "Origin: http://@", "X-Token: 0"], 403),
        ("POST /ask", own.to_vec(), 411),
        ("POST /ask", with("Content-Length: x"), 400),
        ("POST /ask", with("Content-Length: 1048577"), 413),
        ("GET /engine", own.to_vec(), 403),
        ("GET /engine?token=0", own.to_vec(), 403),
    ] {
        let (status, body) = served.request(first, &lines, "");
        assert_eq!(status, expected, "{first} {lines:?}: {body}");
        assert!(body.len() > 3, "{first}: a reason");
    }
    let engine = format!("GET /engine?token={}", served.token);
    assert_eq!(served.request(&engine, &own, "").0, 426);
    assert_eq!(served.send(b"nonsense\r\n\r\n").0, 400);
    let half = served.connect();
    (&half).write_all(b"GET / HTTP/1.1\r\n").expect("the server reads");
    half.shutdown(Shutdown::Write).expect("a connection");
    let mut answer = String::new();
    (&half).read_to_string(&mut answer).expect("an answer");
    assert!(
        answer.starts_with("HTTP/1.1 400 ") && answer.ends_with("ends too early\n"),
        "{answer}"
    );
    let long = format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", "x".repeat(70_000));
    assert_eq!(served.send(long.as_bytes()).0, 431);
}

#[test]
fn a_request_that_never_ends_is_given_up() {
    let served = Served::start();
    let mut empty = served.connect();
    let start = Instant::now();
    let (status, _) = served.send(b"GET / HTTP/1.1\r\nHost: ");
    assert_eq!(status, 408);
    assert!(start.elapsed() > Duration::from_secs(9), "{:?}", start.elapsed());
    // A browser would take an answer for that to its next request.
    let mut answer = String::new();
    empty.read_to_string(&mut answer).expect("the server closes");
    assert_eq!(answer, "");
}

#[test]
fn one_page_has_the_engine() {
    let served = Served::start();
    let mut engine = served.engine();
    engine.send("uci");
    engine.expect("uciok");
    engine.send("go infinite");
    engine.expect("info depth 3 ");
    assert!(served.engine().reason().starts_with("another page has the engine"));
    engine.send("stop");
    engine.expect("bestmove");
    // A page that is closed ends its search, and the next one has the engine.
    engine.send("go infinite");
    engine.expect("info depth 3 ");
    drop(engine);
    let mut next = served.engine();
    next.send("isready");
    next.expect("readyok");
    // A message may have 1 MiB. A longer one ends the connection.
    next.send(&"x".repeat(1 << 20));
    next.send("isready");
    next.expect("readyok");
    next.send(&"x".repeat((1 << 20) + 1));
    assert_eq!(next.reason(), "a message has more than 1048576 bytes");
}

#[test]
fn the_engine_keeps_its_time_beside_a_thousand_connections() {
    let served = Served::start();
    let mut engine = served.engine();
    engine.send("isready");
    engine.expect("readyok");
    let mut idle: Vec<TcpStream> = (0..1000).map(|_| served.connect()).collect();
    let start = Instant::now();
    engine.send("go movetime 500");
    engine.expect("bestmove");
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    // Those beyond the limit were refused at once.
    let mut answer = String::new();
    idle.last_mut().expect("connections").read_to_string(&mut answer).expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 503 "), "{answer}");
}

#[test]
fn a_taken_port_is_an_error() {
    let served = Served::start();
    let output =
        program().args(["web", "--port", &served.port]).output().expect("the program runs");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    let start = format!("error: web: cannot open port {}: ", served.port);
    assert!(message.starts_with(&start), "{message}");
}
