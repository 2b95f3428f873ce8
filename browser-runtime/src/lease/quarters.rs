//! Where a lease lives on disk, what it leaves on record while it runs, and how the next start
//! clears up after a runtime that was killed.
//!
//! A record is held with a file lock for as long as its runtime lives (flock(2) ends with the
//! program, however it ends). A record that can be locked is therefore a leftover.

use super::ProfileKey;
use crate::driver::{self, running};
use domain::id::LeaseId;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

/// Start of every scratch directory's name. Short: a browser's socket path has to fit 108 bytes.
const SCRATCH_PREFIX: &str = "hp-";
/// Longest wait for one leftover program to be gone once killed.
const REAP_SECS_MAX: u64 = 3;

/// The directories of one lease. Dropping them removes what is not meant to stay.
#[derive(Debug)]
pub struct Quarters {
    scratch: TempDir,
    profile_dir: PathBuf,
    record_path: PathBuf,
    /// Locked for as long as the lease lives.
    _record: File,
    _profile: Option<File>,
}

/// Why a lease got no quarters.
#[derive(Debug, thiserror::Error)]
pub enum QuartersError {
    /// Another lease works on the profile, here or in another runtime.
    #[error("the profile is in use")]
    ProfileInUse,
    /// The disk does not let us.
    #[error("the state directory cannot be used")]
    Disk(#[from] io::Error),
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    scratch_dir: PathBuf,
    profile_dir: PathBuf,
}

/// Makes the state directory, for its owner alone.
///
/// # Errors
/// When it cannot be made, or belongs to somebody else.
pub fn prepare(state_dir: &Path) -> io::Result<()> {
    for dir in [state_dir.to_owned(), state_dir.join("leases"), state_dir.join("profiles")] {
        private_dir(&dir)?;
        let found = std::fs::metadata(&dir)?;
        if found.uid() != rustix::process::geteuid().as_raw() || found.mode() & 0o022 != 0 {
            return Err(io::Error::other("it must belong to this user and be writable by nobody else (chmod 700)"));
        }
    }
    Ok(())
}

impl Quarters {
    /// Takes quarters for a lease, exclusively for its profile if it has one.
    ///
    /// # Errors
    /// See [`QuartersError`].
    pub fn take(state_dir: &Path, lease: LeaseId, profile: Option<&ProfileKey>) -> Result<Self, QuartersError> {
        let scratch = tempfile::Builder::new().prefix(SCRATCH_PREFIX).tempdir()?;
        let (profile_dir, held) = match profile {
            Some(key) => {
                let (dir, lock) = keep(state_dir, key)?;
                (dir, Some(lock))
            }
            None => (scratch.path().join("profile"), None),
        };
        private_dir(&profile_dir)?;
        // A file of an earlier browser would be taken for the new one's.
        drop(std::fs::remove_file(profile_dir.join("DevToolsActivePort")));
        let record_path = state_dir.join("leases").join(format!("{lease}.json"));
        let mut record = private_file(&record_path)?;
        record.try_lock().map_err(io::Error::from)?;
        let written = Record { scratch_dir: scratch.path().to_owned(), profile_dir: profile_dir.clone() };
        record.write_all(&serde_json::to_vec(&written).map_err(io::Error::other)?)?;
        Ok(Self { scratch, profile_dir, record_path, _record: record, _profile: held })
    }

    /// The directory for temporary files, gone with the lease.
    #[must_use]
    pub fn scratch_dir(&self) -> &Path {
        self.scratch.path()
    }

    /// The browser's user data directory.
    #[must_use]
    pub fn profile_dir(&self) -> &Path {
        &self.profile_dir
    }
}

impl Drop for Quarters {
    fn drop(&mut self) {
        // The scratch directory goes with its own drop. A record that stays is read as a leftover
        // with nothing left over.
        drop(std::fs::remove_file(&self.record_path));
    }
}

/// Ends what a killed predecessor left running on this state directory. Gives how many leases that were.
///
/// # Errors
/// When the records cannot be listed.
pub async fn reap(state_dir: &Path) -> io::Result<usize> {
    let mut reaped = 0;
    for entry in std::fs::read_dir(state_dir.join("leases"))?.flatten() {
        let Some(record) = leftover(&entry.path()) else { continue };
        end_programs(&record).await;
        if is_scratch(&record.scratch_dir) {
            drop(std::fs::remove_dir_all(&record.scratch_dir));
        }
        drop(std::fs::remove_file(entry.path()));
        reaped += 1;
    }
    Ok(reaped)
}

async fn end_programs(record: &Record) {
    let limit = Duration::from_secs(REAP_SECS_MAX);
    let mark = driver::mark(&record.scratch_dir, &record.profile_dir);
    // The driver first, so that it starts nothing more.
    for program in running::with_argument(&mark) {
        program.kill(limit).await;
    }
    for program in running::on_profile(&record.profile_dir) {
        program.kill(limit).await;
    }
    if is_scratch(&record.scratch_dir) {
        for program in running::working_in(&record.scratch_dir) {
            program.kill(limit).await;
        }
    }
}

/// The record at `path` if the runtime that wrote it is gone.
fn leftover(path: &Path) -> Option<Record> {
    let mut file = File::open(path).ok()?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock | TryLockError::Error(_)) => return None,
    }
    let mut text = String::new();
    file.read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}

fn is_scratch(dir: &Path) -> bool {
    let name = dir.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.starts_with(SCRATCH_PREFIX) && dir.parent() == Some(&std::env::temp_dir())
}

/// The kept directory of a profile, and the lock that makes it this lease's alone.
fn keep(state_dir: &Path, key: &ProfileKey) -> Result<(PathBuf, File), QuartersError> {
    let digest: [u8; 32] = Sha256::digest(key.tenant.as_str().as_bytes()).into();
    let tenant: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    let home = state_dir.join("profiles").join(tenant);
    private_dir(&home)?;
    let lock = private_file(&home.join(format!("{}.lock", key.id)))?;
    match lock.try_lock() {
        Ok(()) => Ok((home.join(key.id.to_string()), lock)),
        Err(TryLockError::WouldBlock) => Err(QuartersError::ProfileInUse),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}

fn private_dir(dir: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(dir)
}

fn private_file(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).write(true).read(true).truncate(false).mode(0o600).open(path)
}

#[cfg(test)]
mod tests {
    use super::{Quarters, QuartersError, prepare, reap};
    use crate::lease::ProfileKey;
    use domain::id::{LeaseId, ProfileId};
    use uuid::Uuid;

    fn key(tenant: &str, profile: u128) -> ProfileKey {
        ProfileKey { tenant: tenant.parse().unwrap(), id: ProfileId::from_uuid(Uuid::from_u128(profile)), generation: 1 }
    }

    fn lease(number: u128) -> LeaseId {
        LeaseId::from_uuid(Uuid::from_u128(number))
    }

    /// RUN-2: one lease a profile; another tenant's profile of the same id is another one.
    #[test]
    fn a_profile_is_exclusive_and_of_one_tenant() {
        let state = tempfile::tempdir().unwrap();
        prepare(state.path()).unwrap();
        let first = Quarters::take(state.path(), lease(1), Some(&key("a", 7))).unwrap();
        assert!(matches!(Quarters::take(state.path(), lease(2), Some(&key("a", 7))), Err(QuartersError::ProfileInUse)));
        let other = Quarters::take(state.path(), lease(3), Some(&key("b", 7))).unwrap();
        assert_ne!(first.profile_dir(), other.profile_dir());
        let kept = first.profile_dir().to_owned();
        drop(first);
        let again = Quarters::take(state.path(), lease(4), Some(&key("a", 7))).unwrap();
        assert_eq!(again.profile_dir(), kept);
    }

    /// RUN-2: what was ephemeral is gone with the lease; a running lease's record is no leftover.
    #[tokio::test]
    async fn only_leftovers_are_reaped() {
        let state = tempfile::tempdir().unwrap();
        prepare(state.path()).unwrap();
        let running = Quarters::take(state.path(), lease(1), None).unwrap();
        let scratch = running.scratch_dir().to_owned();
        assert_eq!(reap(state.path()).await.unwrap(), 0);
        assert!(scratch.exists());
        drop(running);
        assert!(!scratch.exists());
        let record = serde_json::json!({ "scratch_dir": "/nowhere/hp-x", "profile_dir": "/nowhere/profile" });
        std::fs::write(state.path().join("leases/left.json"), record.to_string()).unwrap();
        assert_eq!(reap(state.path()).await.unwrap(), 1);
        assert_eq!(reap(state.path()).await.unwrap(), 0);
    }
}
