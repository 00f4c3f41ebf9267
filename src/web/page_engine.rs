//! The engine of the page: a process of this program that speaks UCI, behind a WebSocket.
//!
//! A process of its own ends with the page, whatever it searches, and its standard error is the
//! server's.

use std::env;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::{Shutdown, TcpStream};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use tungstenite::Error;
use tungstenite::handshake::derive_accept_key;
use tungstenite::protocol::frame::CloseFrame;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::protocol::{Message, Role, WebSocket, WebSocketConfig};

use super::http_response::drop_rest;

/// Longest message in bytes.
const MAX_MESSAGE: usize = 1 << 20;

/// Time for the engine of a page to end that is loaded again, and between two looks at it.
const PATIENCE: Duration = Duration::from_secs(2);
const INTERVAL: Duration = Duration::from_millis(20);

/// Runs an engine for a page until one of the two ends. A second page gets a message that
/// there is one.
pub(super) fn serve(mut stream: &TcpStream, key: &str, is_taken: &AtomicBool) -> io::Result<()> {
    let answer = derive_accept_key(key.as_bytes());
    write!(
        stream,
        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Accept: {answer}\r\n\r\n"
    )?;
    stream.set_read_timeout(None)?;
    stream.set_write_timeout(None)?;
    stream.set_nodelay(true)?;
    let deadline = Instant::now() + PATIENCE;
    while is_taken.swap(true, Ordering::Relaxed) {
        if Instant::now() > deadline {
            return close(stream, "another page has the engine: close it, then reload this one");
        }
        thread::sleep(INTERVAL);
    }
    let result = run(stream);
    is_taken.store(false, Ordering::Relaxed);
    result
}

fn socket(stream: &TcpStream) -> io::Result<WebSocket<TcpStream>> {
    let config = WebSocketConfig::default()
        .max_message_size(Some(MAX_MESSAGE))
        .max_frame_size(Some(MAX_MESSAGE));
    Ok(WebSocket::from_raw_socket(stream.try_clone()?, Role::Server, Some(config)))
}

fn close(stream: &TcpStream, reason: &str) -> io::Result<()> {
    let mut socket = socket(stream)?;
    let frame = CloseFrame { code: CloseCode::Policy, reason: reason.into() };
    // The client may have gone.
    let _ = socket.close(Some(frame));
    let _ = socket.flush();
    Ok(())
}

fn run(stream: &TcpStream) -> io::Result<()> {
    let mut engine =
        Command::new(env::current_exe()?).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let output = engine.stdout.take().expect("a pipe");
    let writing = stream.try_clone()?;
    let refusal = Arc::new(OnceLock::new());
    let reason = Arc::clone(&refusal);
    let writer = thread::spawn(move || write_lines(output, &writing, &reason));
    if read_lines(&mut engine, socket(stream)?).is_err() {
        refusal.get_or_init(|| format!("a message has more than {MAX_MESSAGE} bytes"));
        // The client may have gone.
        let _ = drop_rest(stream);
    }
    // The page is gone, or the engine.
    engine.kill()?;
    engine.wait()?;
    let _ = writer.join();
    Ok(())
}

/// Message that is too long.
struct TooLong;

/// Sends the engine what the page sends, until one of them ends.
fn read_lines(engine: &mut Child, mut socket: WebSocket<TcpStream>) -> Result<(), TooLong> {
    let mut input = engine.stdin.take().expect("a pipe");
    loop {
        let sent = match socket.read() {
            Ok(Message::Text(text)) => writeln!(input, "{text}"),
            Err(Error::Capacity(_)) => return Err(TooLong),
            Ok(Message::Close(_)) | Err(_) => return Ok(()),
            Ok(_) => Ok(()),
        };
        if sent.is_err() {
            return Ok(());
        }
    }
}

/// Sends the page what the engine prints, and at its end why. Another socket reads from the page,
/// whose pongs and closes are whole frames too; browsers send no pings.
fn write_lines(output: ChildStdout, stream: &TcpStream, refusal: &OnceLock<String>) {
    let Ok(mut socket) = socket(stream) else { return };
    for line in BufReader::new(output).lines() {
        let Ok(line) = line else { break };
        if socket.send(Message::text(line)).is_err() {
            return;
        }
    }
    let _ = close(stream, refusal.get().map_or("the engine has ended", String::as_str));
    // Ends the reader too.
    let _ = stream.shutdown(Shutdown::Both);
}
