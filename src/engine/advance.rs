//! Execution on the caller's thread, for hosts without threads.

use crossbeam_channel::Receiver;

use super::actor::{Activity, Engine};
use super::protocol::Command;

impl Engine {
    /// Executes all commands received so far, with their searches and jobs, and returns false
    /// after `quit`. For a host without threads, instead of [`run`](Self::run).
    ///
    /// `pulse` is called at least every 512 nodes of a search and after each reply of a job. It
    /// may send commands, such as `stop`. A search that only a command can end stays open until
    /// then.
    pub fn advance(&mut self, commands: &Receiver<Command>, pulse: &mut dyn FnMut()) -> bool {
        loop {
            self.receive_all(commands);
            if !self.process_queue() {
                return false;
            }
            match &mut self.activity {
                Activity::Idle | Activity::Held { .. } => return true,
                Activity::Search { handle, .. } => {
                    let handle = handle.clone();
                    handle.search_here(&mut || self.pulse(commands, pulse));
                    self.handle_events();
                    if !self.is_idle() {
                        return true;
                    }
                }
                Activity::Job(job) => {
                    let (task, end) = (job.take_task(), job.end());
                    if let Some(task) = task {
                        task(&mut || self.pulse(commands, pulse));
                    }
                    self.become_idle();
                    self.is_successful &= end.recv() == Ok(true);
                }
            }
        }
    }

    fn pulse(&mut self, commands: &Receiver<Command>, pulse: &mut dyn FnMut()) {
        self.handle_events();
        pulse();
        self.receive_all(commands);
        if self.must_end_search() {
            self.end_search();
        }
    }

    fn receive_all(&mut self, commands: &Receiver<Command>) {
        while let Ok(command) = commands.try_recv() {
            self.receive(command);
        }
    }

    fn handle_events(&mut self) {
        while let Ok((generation, event)) = self.events.try_recv() {
            self.handle_event(generation, event);
        }
    }
}
