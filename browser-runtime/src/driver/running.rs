//! Browser programs found and ended by process id, never by name.
//!
//! A process id may have been given to another program in the meantime. So a program is pinned by a
//! process descriptor (pidfd_open(2)) first, then recognised by the profile directory on its command
//! line, and only then signalled through the descriptor.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A browser program that is known to be ours. Dropping it kills it.
#[derive(Debug)]
pub struct Running {
    pid: u32,
    descriptor: OwnedFd,
}

impl Running {
    /// Pins the program `pid` if it is a browser on `profile_dir`.
    #[must_use]
    pub fn of_browser(pid: u32, profile_dir: &Path) -> Option<Self> {
        let wanted = format!("--user-data-dir={}", profile_dir.display());
        Self::matching(pid, |argument| argument == wanted)
    }

    fn matching(pid: u32, wanted: impl Fn(&str) -> bool) -> Option<Self> {
        let raw = i32::try_from(pid).ok().and_then(Pid::from_raw)?;
        let descriptor = pidfd_open(raw, PidfdFlags::empty()).ok()?;
        // Looked at after it was pinned, and made into a value only if it is ours: such a value
        // kills its program when it is dropped.
        if !arguments_of(pid).iter().any(|argument| wanted(argument)) {
            return None;
        }
        Some(Self { pid, descriptor })
    }

    /// The process id.
    #[must_use]
    pub const fn pid(&self) -> u32 {
        self.pid
    }

    /// Its command line; empty when it is gone.
    #[must_use]
    pub fn arguments(&self) -> Vec<String> {
        arguments_of(self.pid)
    }

    /// Asks it to end, kills it after `limit`, and returns when it is gone.
    pub async fn end(self, limit: Duration) {
        self.signal(Signal::TERM);
        if !self.gone_within(limit).await {
            self.signal(Signal::KILL);
            self.gone_within(limit).await;
        }
    }

    /// Kills it and returns when it is gone, or after `limit`.
    pub async fn kill(self, limit: Duration) {
        self.signal(Signal::KILL);
        self.gone_within(limit).await;
    }

    fn signal(&self, signal: Signal) {
        // The only failure is that it is gone, which is what the signal is for.
        let _ = pidfd_send_signal(&self.descriptor, signal);
    }

    /// A process descriptor becomes readable when its program ends (pidfd_open(2)).
    async fn gone_within(&self, limit: Duration) -> bool {
        let Ok(descriptor) = self.descriptor.try_clone() else { return false };
        let wait = tokio::task::spawn_blocking(move || {
            let limit = Timespec { tv_sec: limit.as_secs().try_into().unwrap_or(i64::MAX), tv_nsec: limit.subsec_nanos().into() };
            poll(&mut [PollFd::new(&descriptor, PollFlags::IN)], Some(&limit))
        });
        matches!(wait.await, Ok(Ok(ended)) if ended > 0)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.signal(Signal::KILL);
    }
}

/// Kills, when dropped, whatever browser runs on a profile: for the time between asking the driver
/// for a browser and knowing its process id.
#[derive(Debug)]
pub(super) struct Sweep {
    profile_dir: Option<PathBuf>,
}

impl Sweep {
    pub(super) fn new(profile_dir: &Path) -> Self {
        Self { profile_dir: Some(profile_dir.to_owned()) }
    }

    pub(super) fn defuse(mut self) {
        self.profile_dir = None;
    }
}

impl Drop for Sweep {
    fn drop(&mut self) {
        if let Some(profile_dir) = &self.profile_dir {
            drop(on_profile(profile_dir));
        }
    }
}

/// Every program that has the argument `--user-data-dir` with this directory.
#[must_use]
pub fn on_profile(profile_dir: &Path) -> Vec<Running> {
    with_argument(&format!("--user-data-dir={}", profile_dir.display()))
}

/// Every program with this argument.
#[must_use]
pub fn with_argument(wanted: &str) -> Vec<Running> {
    matching(|argument| argument == wanted)
}

/// Every program that is told to work in this directory: the browser and its crash reporters, which
/// would otherwise outlive it and make the directory anew.
#[must_use]
pub fn working_in(dir: &Path) -> Vec<Running> {
    matching(|argument| argument.split_once('=').is_some_and(|(_, value)| Path::new(value).starts_with(dir)))
}

fn matching(wanted: impl Fn(&str) -> bool) -> Vec<Running> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()));
    pids.filter_map(|pid| Running::matching(pid, &wanted)).collect()
}

fn arguments_of(pid: u32) -> Vec<String> {
    let bytes = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    // Chromium writes its title over the arguments of some of its programs, with blanks between.
    let blank_separated = bytes.iter().filter(|byte| **byte == 0).count() <= 1;
    let separator = |byte: &u8| *byte == 0 || (blank_separated && *byte == b' ');
    bytes.split(separator).filter(|part| !part.is_empty()).map(|part| String::from_utf8_lossy(part).into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::{on_profile, working_in};
    use std::io::Read;
    use std::path::Path;
    use std::process::{Child, Command, Stdio};
    use std::time::Duration;

    /// A program that waits for its standard input, with an argument of its own. It has said a word
    /// already: before that its command line may not be there yet.
    fn waiting(argument: &str) -> Child {
        let script = "echo here; read line";
        let mut command = Command::new("sh");
        command.args(["-c", script, "sh", argument]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut word = [0_u8; 5];
        child.stdout.as_mut().unwrap().read_exact(&mut word).unwrap();
        child
    }

    /// RUN-2: clearing up ends what works in the lease's directory, and nothing else. Being looked at
    /// harms no program.
    #[tokio::test]
    async fn only_the_recognised_program_is_ended() {
        let dir = tempfile::tempdir().unwrap();
        let profile = dir.path().join("profile");
        let mut ours = waiting(&format!("--user-data-dir={}", profile.display()));
        let mut other = waiting(&format!("--user-data-dir={}-2", profile.display()));
        let found = on_profile(&profile);
        assert_eq!(found.iter().map(super::Running::pid).collect::<Vec<_>>(), [ours.id()]);
        assert_eq!(working_in(dir.path()).len(), 2);
        drop(found);
        assert!(!ours.wait().unwrap().success(), "it was ended by a signal");
        // Both were recognised as working in the directory a moment ago, so `other` is gone as well;
        // a stranger with neither argument is not.
        drop(other.wait());
        let mut stranger = waiting("--user-data-dir=/nowhere");
        assert!(on_profile(Path::new("/somewhere/else")).is_empty());
        assert!(working_in(&dir.path().join("deeper")).is_empty());
        assert!(stranger.try_wait().unwrap().is_none(), "a stranger was ended");
        drop(stranger.stdin.take());
        assert_eq!(stranger.wait().unwrap().code(), Some(1), "it ended by itself, at the end of its input");
    }

    /// RUN-2: a program is waited for until it is gone.
    #[tokio::test]
    async fn killing_waits_for_the_end() {
        let dir = tempfile::tempdir().unwrap();
        let mut ours = waiting(&format!("--user-data-dir={}", dir.path().display()));
        for program in on_profile(dir.path()) {
            program.kill(Duration::from_secs(5)).await;
        }
        assert!(ours.try_wait().unwrap().is_some());
    }
}
