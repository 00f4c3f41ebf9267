//! A tool on a thread of its own, so that the engine stays responsive.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam_channel::{Receiver, Sender};

use super::protocol::Reply;

/// Tool that runs on a thread of its own for a command of the session.
pub(super) struct Job {
    stop: Arc<AtomicBool>,
    end: Receiver<bool>,
}

impl Job {
    /// Starts a tool. The task gets a stop flag and a sink for its replies; it returns whether it
    /// succeeded, or an error message.
    ///
    /// # Errors
    /// If the system cannot start a thread.
    pub(super) fn start<T>(task: T, replies: Sender<Reply>) -> io::Result<Self>
    where
        T: FnOnce(&AtomicBool, &mut dyn FnMut(Reply)) -> Result<bool, String> + Send + 'static,
    {
        let stop = Arc::new(AtomicBool::new(false));
        let (end_sender, end) = crossbeam_channel::bounded(1);
        let flag = Arc::clone(&stop);
        let run = move || {
            // A closed channel means that the program is ending.
            let mut reply = |reply| _ = replies.send(reply);
            let is_success = task(&flag, &mut reply).unwrap_or_else(|error| {
                reply(Reply::Error(error.into()));
                false
            });
            let _ = end_sender.send(is_success);
        };
        thread::Builder::new().name("job".to_owned()).spawn(run)?;
        Ok(Self { stop, end })
    }

    /// Tells the tool to stop.
    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Returns the channel that receives, at the end, whether the tool succeeded.
    pub(super) fn end(&self) -> Receiver<bool> {
        self.end.clone()
    }
}
