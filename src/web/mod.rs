//! The page of `web/`, served by the program: its engine is the native one.
//!
//! | file | contents |
//! |---|---|
//! | `mod.rs` | the server: its address, and a thread for each connection |
//! | `http_request.rs` | requests: limits, who may ask |
//! | `http_response.rs` | responses, and the files of the page |
//! | `page_engine.rs` | the engine of the page: a process behind a WebSocket |
//!
//! The page is that of browsers, but for two modules: `/tabia.js` sends the lines of UCI to
//! `/engine`, and `/rules.js` asks `/ask`. The server listens to this machine alone. Other pages of
//! the same browser could reach it too, so it checks the host, the origin and a token, which only
//! the address that it prints contains.

#![forbid(unsafe_code)]

mod http_request;
mod http_response;
mod page_engine;

use std::io;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use crate::engine::random_seed;
use crate::rules;

use http_request::Request;
use http_response::Response;

/// Connections at a time.
const MAX_CONNECTIONS: usize = 64;

/// Server of the page.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    shared: Arc<Shared>,
}

/// State that all connections share.
#[derive(Debug)]
struct Shared {
    port: u16,
    token: String,
    connections: AtomicUsize,
    /// True while a page has the engine.
    is_taken: AtomicBool,
}

impl Server {
    /// Opens a port of this machine; 0 for a free one.
    ///
    /// # Errors
    /// If the port is taken.
    pub fn open(port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let shared = Shared {
            port: listener.local_addr()?.port(),
            token: format!("{:016x}{:016x}", random_seed(), random_seed()),
            connections: AtomicUsize::new(0),
            is_taken: AtomicBool::new(false),
        };
        Ok(Self { listener, shared: Arc::new(shared) })
    }

    /// Returns the address of the page, with the token.
    pub fn address(&self) -> String {
        let Shared { port, token, .. } = &*self.shared;
        format!("http://{}:{port}/#{token}", Ipv4Addr::LOCALHOST)
    }

    /// Answers requests for ever.
    ///
    /// # Errors
    /// If the port fails.
    pub fn run(&self) -> io::Result<()> {
        for stream in self.listener.incoming() {
            // A client may be gone before it is served.
            let Ok(stream) = stream else { continue };
            let connection = Connection::new(stream, Arc::clone(&self.shared));
            // An error is that of a client that has gone.
            let serve = move || _ = connection.serve();
            // Without a thread the connection is closed.
            let _ = thread::Builder::new().name("connection".to_owned()).spawn(serve);
        }
        Ok(())
    }
}

/// Connection of a client, counted while it exists.
struct Connection {
    stream: TcpStream,
    shared: Arc<Shared>,
    has_room: bool,
}

impl Connection {
    fn new(stream: TcpStream, shared: Arc<Shared>) -> Self {
        let others = shared.connections.fetch_add(1, Ordering::Relaxed);
        Self { stream, shared, has_room: others < MAX_CONNECTIONS }
    }

    fn serve(&self) -> io::Result<()> {
        let Self { stream, shared, has_room } = self;
        if !has_room {
            return Response::error(503, "too many connections").send(stream);
        }
        match Request::read(stream, shared.port, &shared.token) {
            Ok(Request::File(path)) => http_response::file(&path).send(stream),
            Ok(Request::Ask(question)) => Response::json(rules::answer(&question)).send(stream),
            Ok(Request::Engine { key }) => page_engine::serve(stream, &key, &shared.is_taken),
            Ok(Request::Nothing) => Ok(()),
            Err(refusal) => refusal.send(stream),
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.shared.connections.fetch_sub(1, Ordering::Relaxed);
    }
}
