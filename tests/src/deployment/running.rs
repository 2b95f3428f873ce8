//! One control plane on its own threads.

use api::app::App;
use api::serve::Server;
use api::settings::Settings;
use eventlog::Options;
use std::fmt;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// Longest wait for the threads of one that was ended.
const END_SECS_MAX: Duration = Duration::from_secs(20);

/// The running control plane. Dropped, it is killed.
pub struct Running {
    server: Option<Server>,
    threads: Option<Runtime>,
    address: SocketAddr,
}

impl fmt::Debug for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Running").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Running {
    /// Starts one.
    ///
    /// # Errors
    /// Says why it does not start.
    pub async fn start(settings: &Settings, options: Options) -> Result<Self, String> {
        let threads = Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(|error| error.to_string())?;
        let settings = settings.clone();
        let starting = threads.spawn(async move { Server::start_with(&settings, options).await });
        let started = starting.await.map_err(|error| error.to_string()).and_then(|started| started.map_err(|error| error.to_string()));
        match started {
            Ok(server) => Ok(Self { address: server.address, server: Some(server), threads: Some(threads) }),
            Err(error) => {
                threads.shutdown_background();
                Err(error)
            }
        }
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Does something with its state, on its threads.
    ///
    /// # Panics
    /// When it was ended, or what is done panics.
    #[expect(clippy::expect_used, reason = "a test asks while it runs")]
    pub async fn inside<T, F>(&self, what: impl FnOnce(App) -> F) -> T
    where
        T: Send + 'static,
        F: Future<Output = T> + Send + 'static,
    {
        let app = self.server.as_ref().expect("a server").app.clone();
        self.threads.as_ref().expect("threads").spawn(what(app)).await.expect("an answer")
    }

    /// Stops it in order.
    pub async fn stop(mut self) {
        if let (Some(server), Some(threads)) = (self.server.take(), self.threads.take()) {
            let _ = threads.spawn(server.stop()).await;
            end(threads).await;
        }
    }

    /// Drops all that it does where it stands.
    pub async fn kill(mut self) {
        self.server = None;
        if let Some(threads) = self.threads.take() {
            end(threads).await;
        }
    }
}

async fn end(threads: Runtime) {
    let _ = tokio::task::spawn_blocking(move || threads.shutdown_timeout(END_SECS_MAX)).await;
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(threads) = self.threads.take() {
            threads.shutdown_background();
        }
    }
}
