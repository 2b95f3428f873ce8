//! A private, throw-away PostgreSQL for the tests of one process.
//!
//! It listens on a Unix socket in its own folder and nowhere else. A small shell script starts it,
//! waits until its standard input ends, and then stops it and removes the folder: the input ends
//! with the test process, however that ends, so nothing is left behind even after a SIGKILL.

use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, Executor as _, postgres::PgConnectOptions};
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::{MetadataExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::str::FromStr as _;
use std::sync::OnceLock;
use uuid::Uuid;

/// A running server.
#[derive(Debug)]
struct Server {
    folder: PathBuf,
    /// Kept open for as long as the server is needed, which is as long as this process lives.
    _input: ChildStdin,
    _script: Child,
}

/// Runs in the server's folder. `$1` is where the programs are; what follows it is put before each
/// of them, to run it as a user who may. No signal that reaches the whole process group, and no
/// reader that is gone, may end the script before it has stopped the server.
const SCRIPT: &str = r#"
trap '' INT TERM HUP PIPE
folder=$(pwd)
programs=$1
shift
"$@" "$programs/initdb" --pgdata=data --username=postgres --auth=trust --encoding=UTF8 --locale=C --no-sync </dev/null >initdb.log 2>&1 &&
"$@" "$programs/pg_ctl" start --wait --timeout=60 --pgdata=data --log=server.log --silent \
    --options="-c listen_addresses= -c unix_socket_directories=$folder -c max_connections=400 -c fsync=off -c full_page_writes=off" </dev/null >start.log 2>&1
status=$?
if [ $status -ne 0 ]; then
    echo "failed: $(tail -n 3 initdb.log start.log server.log 2>/dev/null | tr '\n' ' ')"
else
    echo ready
    read _ || true
    "$@" "$programs/pg_ctl" stop --wait --mode=immediate --pgdata=data --silent </dev/null >/dev/null 2>&1
fi
cd / && rm -rf "$folder"
"#;

/// Makes an empty database on this process's server and gives its URL.
///
/// # Errors
/// Says in words why there is no PostgreSQL. A test must fail with them, never pass without it.
pub async fn fresh_database() -> Result<String, String> {
    static SERVER: OnceLock<Result<Server, String>> = OnceLock::new();
    let server = SERVER.get_or_init(Server::start).as_ref().map_err(Clone::clone)?;
    let name = format!("test_{}", Uuid::now_v7().simple());
    let settings = PgConnectOptions::from_str(&server.url("postgres")).map_err(|error| error.to_string())?;
    let mut connection = settings.connect().await.map_err(|error| format!("PostgreSQL does not answer: {error}"))?;
    let made = connection.execute(AssertSqlSafe(format!("CREATE DATABASE {name}"))).await;
    made.map_err(|error| format!("cannot make a database: {error}"))?;
    connection.close().await.map_err(|error| error.to_string())?;
    Ok(server.url(&name))
}

impl Server {
    fn url(&self, database: &str) -> String {
        format!("postgres://postgres@localhost/{database}?host={}", self.folder.display())
    }

    fn start() -> Result<Self, String> {
        let programs = programs().ok_or("PostgreSQL is not installed: no /usr/lib/postgresql/*/bin/initdb (package postgresql)")?;
        let folder = std::env::temp_dir().join(format!("hallpass-postgres-{}", Uuid::now_v7().simple()));
        std::fs::create_dir(&folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
        let mut script = Command::new("sh")
            .args(["-c", SCRIPT, "postgres-for-tests"])
            .arg(&programs)
            .args(unprivileged(&folder)?)
            .current_dir(&folder)
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("LC_ALL", "C")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("cannot start PostgreSQL: {error}"))?;
        let input = script.stdin.take().ok_or("the script has no input")?;
        let output = script.stdout.take().ok_or("the script has no output")?;
        let mut answer = String::new();
        BufReader::new(output).read_line(&mut answer).map_err(|error| error.to_string())?;
        match answer.trim() {
            "ready" => Ok(Self { folder, _input: input, _script: script }),
            words => Err(format!("PostgreSQL did not start: {words}")),
        }
    }
}

/// The newest installed version's programs.
fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?;
    let folders = versions.filter_map(Result::ok).map(|version| version.path().join("bin"));
    folders.filter(|folder| folder.join("initdb").is_file()).max_by_key(|folder| version_of(folder))
}

fn version_of(folder: &Path) -> u32 {
    let name = folder.parent().and_then(Path::file_name).and_then(|name| name.to_str());
    name.and_then(|name| name.parse().ok()).unwrap_or(0)
}

/// What to put before a command so that it is run as a user who may run PostgreSQL, which refuses
/// root. That user is given the folder.
fn unprivileged(folder: &Path) -> Result<Vec<String>, String> {
    let uid = std::fs::metadata("/proc/self").map_err(|error| error.to_string())?.uid();
    if uid != 0 {
        return Ok(vec!["env".to_owned()]);
    }
    for user in ["postgres", "nobody"] {
        if let (Some(uid), Some(gid)) = (id_of("-u", user), id_of("-g", user)) {
            chown(folder, Some(uid), Some(gid)).map_err(|error| format!("cannot give {} away: {error}", folder.display()))?;
            let words = ["setpriv", &format!("--reuid={uid}"), &format!("--regid={gid}"), "--clear-groups", "--"];
            return Ok(words.map(ToOwned::to_owned).to_vec());
        }
    }
    Err("there is neither a user postgres nor a user nobody to run PostgreSQL as".to_owned())
}

fn id_of(which: &str, user: &str) -> Option<u32> {
    let output = Command::new("id").arg(which).arg(user).output().ok()?;
    String::from_utf8(output.stdout).ok()?.trim().parse().ok()
}
