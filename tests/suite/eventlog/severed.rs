//! A connection to PostgreSQL that breaks while a command is being committed.
//!
//! Between the log and the server sits a relay that waits for the commit and then cuts the wire, on
//! either side of the moment at which the commit takes effect.

use super::places::{Place, in_time, options};
use super::works::{Append, assert_contiguous, command, everything, message, owner, session, tenant};
use eventlog::{Log, Options, Performed, StoreError, WorkError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{UnixListener, UnixStream};

const RELAYING: u8 = 0;
/// The next commit does not reach the server.
const CUT_BEFORE: u8 = 1;
/// The next commit reaches the server, its answer does not come back.
const CUT_AFTER: u8 = 2;
/// As [`CUT_AFTER`], and then nobody gets through any more.
const CUT_FOR_GOOD: u8 = 3;
const CLOSED: u8 = 4;

/// The name of PostgreSQL's socket inside its folder.
const SOCKET: &str = ".s.PGSQL.5432";

struct Relay {
    mode: Arc<AtomicU8>,
    url: String,
    _folder: TempDir,
}

impl Relay {
    fn start(url: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (address, server) = url.split_once("?host=").expect("the URL names a folder");
        let server = Path::new(server).join(SOCKET);
        let listener = UnixListener::bind(folder.path().join(SOCKET)).unwrap();
        let mode = Arc::new(AtomicU8::new(RELAYING));
        tokio::spawn(accept(listener, server, Arc::clone(&mode)));
        Self { mode, url: format!("{address}?host={}", folder.path().display()), _folder: folder }
    }

    fn set(&self, mode: u8) {
        self.mode.store(mode, Ordering::SeqCst);
    }
}

async fn accept(listener: UnixListener, server: PathBuf, mode: Arc<AtomicU8>) {
    while let Ok((client, _)) = listener.accept().await {
        if mode.load(Ordering::SeqCst) != CLOSED {
            tokio::spawn(relay(client, server.clone(), Arc::clone(&mode)));
        }
    }
}

/// Passes bytes on until one side ends, or until the commit that is waited for. An error is an end.
async fn relay(mut client: UnixStream, server: PathBuf, mode: Arc<AtomicU8>) -> std::io::Result<()> {
    let mut server = UnixStream::connect(server).await?;
    let (mut asked, mut answered) = (vec![0; 65_536], vec![0; 65_536]);
    loop {
        tokio::select! {
            count = client.read(&mut asked) => {
                let request = &asked[..count?];
                if request.is_empty() {
                    return Ok(());
                }
                let current = mode.load(Ordering::SeqCst);
                if current != RELAYING && request.windows(7).any(|window| window == b"COMMIT\0") {
                    return cut(current, request, server, &mode).await;
                }
                server.write_all(request).await?;
            }
            count = server.read(&mut answered) => {
                let answer = &answered[..count?];
                if answer.is_empty() {
                    return Ok(());
                }
                client.write_all(answer).await?;
            }
        }
    }
}

async fn cut(mode: u8, request: &[u8], mut server: UnixStream, current: &AtomicU8) -> std::io::Result<()> {
    if mode != CUT_BEFORE {
        server.write_all(request).await?;
        let mut answer = [0; 64];
        assert!(server.read(&mut answer).await? > 0, "the server answers the commit");
    }
    current.store(if mode == CUT_FOR_GOOD { CLOSED } else { RELAYING }, Ordering::SeqCst);
    Ok(())
}

async fn open() -> (Relay, Log, Log) {
    let place = Place::postgres().await;
    let relay = Relay::start(&place.url);
    let patient = Options { busy_wait: Duration::from_millis(500), ..options() };
    let through = Log::open(&relay.url, patient).await.unwrap();
    (relay, through, place.open().await)
}

/// EVT-2: a commit whose answer was lost is looked up and answered as what it is: done.
#[tokio::test(flavor = "multi_thread")]
async fn a_lost_answer_to_a_commit_is_looked_up() {
    let (relay, log, direct) = open().await;
    let work = Append::of(vec![message(session(), "kept")]);
    let id = command();
    relay.set(CUT_AFTER);
    let done = in_time(log.perform(&tenant(), &owner(), id, &work)).await.unwrap();
    assert!(matches!(done, Performed::Done { first_position: 1, count: 1, .. }), "{done:?}");
    assert_eq!(work.runs.load(Ordering::Relaxed), 1);
    let again = in_time(log.perform(&tenant(), &owner(), id, &work)).await.unwrap();
    assert!(matches!(again, Performed::Already { first_position: 1, count: 1 }), "{again:?}");
    assert_contiguous(&everything(&direct, &tenant()).await, 1);
}

/// EVT-2: a commit that did not reach the server left nothing, and the same command may be sent
/// again.
#[tokio::test(flavor = "multi_thread")]
async fn a_commit_that_was_lost_is_an_error_and_leaves_nothing() {
    let (relay, log, direct) = open().await;
    let work = Append::of(vec![message(session(), "second try")]);
    let id = command();
    relay.set(CUT_BEFORE);
    let error = in_time(log.perform(&tenant(), &owner(), id, &work)).await.unwrap_err();
    assert!(matches!(error, WorkError::Store(StoreError::Unreachable(_))), "{error:?}");
    assert_eq!(everything(&direct, &tenant()).await, []);
    let done = in_time(log.perform(&tenant(), &owner(), id, &work)).await.unwrap();
    assert!(matches!(done, Performed::Done { first_position: 1, count: 1, .. }), "{done:?}");
    assert_contiguous(&everything(&direct, &tenant()).await, 1);
}

/// EVT-2: when nobody can be asked, the caller is told that it is not known, never that it failed;
/// the same command sent again gets the answer.
#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_commit_is_called_unknown() {
    let (relay, log, direct) = open().await;
    let work = Append::of(vec![message(session(), "kept")]);
    let id = command();
    relay.set(CUT_FOR_GOOD);
    let error = in_time(log.perform(&tenant(), &owner(), id, &work)).await.unwrap_err();
    assert!(matches!(error, WorkError::Store(StoreError::CommitUnknown { command }) if command == id), "{error:?}");
    relay.set(RELAYING);
    let again = in_time(log.perform(&tenant(), &owner(), id, &work)).await.unwrap();
    assert!(matches!(again, Performed::Already { first_position: 1, count: 1 }), "{again:?}");
    assert_contiguous(&everything(&direct, &tenant()).await, 1);
}
