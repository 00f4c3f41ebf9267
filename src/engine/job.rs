//! Jobs: commands that take time, such as perft and bench. Each runs on a thread of its own, so
//! that the engine stays responsive, or on the engine's thread if the host has no others.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam_channel::{Receiver, Sender};

use crate::platform::HAS_THREADS;
use crate::search::STACK_BYTES;

use super::protocol::Reply;

/// Work of a job. It calls its argument, the *pulse*, after each reply: then the engine reads new
/// commands, if the job runs on its thread.
pub(super) type Task = Box<dyn FnOnce(&mut dyn FnMut()) + Send>;

pub(super) struct Job {
    stop: Arc<AtomicBool>,
    end: Receiver<bool>,
    /// Work for the engine's thread; `None` if the job has its own.
    task: Option<Task>,
}

impl Job {
    /// Starts a job. Its task gets a stop flag and a sink for replies, and returns whether it
    /// succeeded.
    pub(super) fn start<T>(task: T, replies: Sender<Reply>) -> io::Result<Self>
    where
        T: FnOnce(&AtomicBool, &mut dyn FnMut(Reply)) -> Result<bool, String> + Send + 'static,
    {
        let stop = Arc::new(AtomicBool::new(false));
        let (end_sender, end) = crossbeam_channel::bounded(1);
        let flag = Arc::clone(&stop);
        let run = move |pulse: &mut dyn FnMut()| {
            let mut reply = |reply| {
                // The channel is closed when the program ends.
                let _ = replies.send(reply);
                pulse();
            };
            let is_success = task(&flag, &mut reply).unwrap_or_else(|error| {
                reply(Reply::Error(error.into()));
                false
            });
            let _ = end_sender.send(is_success);
        };
        let mut job = Self { stop, end, task: None };
        if HAS_THREADS {
            // `genfens` searches on this thread.
            let thread = thread::Builder::new().name("job".to_owned()).stack_size(STACK_BYTES);
            thread.spawn(move || run(&mut || {}))?;
        } else {
            job.task = Some(Box::new(run));
        }
        Ok(job)
    }

    /// Takes the work that the engine's thread has to do.
    pub(super) fn take_task(&mut self) -> Option<Task> {
        self.task.take()
    }

    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Returns the channel that receives at the end whether the job succeeded.
    pub(super) fn end(&self) -> Receiver<bool> {
        self.end.clone()
    }
}
