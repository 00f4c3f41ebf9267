//! Tools on threads of their own, so that the engine stays responsive.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam_channel::{Receiver, Sender};

use super::protocol::Reply;

pub(super) struct Job {
    stop: Arc<AtomicBool>,
    end: Receiver<bool>,
}

impl Job {
    /// Starts a task with a stop flag and a sink for replies. It returns whether it succeeded.
    pub(super) fn start<T>(task: T, replies: Sender<Reply>) -> io::Result<Self>
    where
        T: FnOnce(&AtomicBool, &mut dyn FnMut(Reply)) -> Result<bool, String> + Send + 'static,
    {
        let stop = Arc::new(AtomicBool::new(false));
        let (end_sender, end) = crossbeam_channel::bounded(1);
        let flag = Arc::clone(&stop);
        let run = move || {
            // The channel is closed when the program ends.
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

    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Returns the channel that receives at the end whether the tool succeeded.
    pub(super) fn end(&self) -> Receiver<bool> {
        self.end.clone()
    }
}
