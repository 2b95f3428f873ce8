//! TLS on a loopback port under a certificate made at start.

use super::LessonSiteError;
use axum::serve::Listener;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::ServerConfig;
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

/// Time for one TLS handshake: generous on loopback, and a silent client holds nothing for long.
const HANDSHAKE_SECS_MAX: u64 = 10;
/// Connections that have shaken hands and wait to be served.
const WAITING_MAX: usize = 64;
/// Pause after a failed accept, so that a lack of file descriptors does not spin.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Listens on 127.0.0.1 with a self-signed certificate for that address and `localhost`.
///
/// Each handshake runs as a task of its own: one slow client does not keep others waiting.
#[derive(Debug)]
pub struct TlsListener {
    address: SocketAddr,
    certificate: CertificateDer<'static>,
    ready: mpsc::Receiver<(TlsStream<TcpStream>, SocketAddr)>,
    accepting: JoinHandle<()>,
}

impl TlsListener {
    /// Binds the port; 0 takes a free one.
    ///
    /// # Errors
    /// As told by [`LessonSiteError`].
    pub async fn bind(port: u16) -> Result<Self, LessonSiteError> {
        let (config, certificate) = config()?;
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let refused = |cause| LessonSiteError::Listen { port, cause };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        let (made, ready) = mpsc::channel(WAITING_MAX);
        let accepting = tokio::spawn(accept_all(listener, acceptor, made));
        Ok(Self { address, certificate, ready, accepting })
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// The certificate made at start.
    #[must_use]
    pub const fn certificate(&self) -> &CertificateDer<'static> {
        &self.certificate
    }

    /// The next connection that has shaken hands.
    pub async fn connection(&mut self) -> (TlsStream<TcpStream>, SocketAddr) {
        match self.ready.recv().await {
            Some(connection) => connection,
            // The accepting task ends only with this listener.
            None => std::future::pending().await,
        }
    }
}

impl Drop for TlsListener {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

impl Listener for TlsListener {
    type Io = TlsStream<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        self.connection().await
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        Ok(self.address)
    }
}

fn config() -> Result<(ServerConfig, CertificateDer<'static>), LessonSiteError> {
    let names = vec![Ipv4Addr::LOCALHOST.to_string(), "localhost".to_owned()];
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(names)?;
    let key = PrivatePkcs8KeyDer::from(signing_key.serialize_der());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], key.into())?;
    Ok((config, cert.der().clone()))
}

async fn accept_all(listener: TcpListener, acceptor: TlsAcceptor, made: mpsc::Sender<(TlsStream<TcpStream>, SocketAddr)>) {
    loop {
        let Ok((stream, peer)) = listener.accept().await else {
            tokio::time::sleep(ACCEPT_PAUSE).await;
            continue;
        };
        let (acceptor, made) = (acceptor.clone(), made.clone());
        tokio::spawn(async move {
            let handshake = tokio::time::timeout(Duration::from_secs(HANDSHAKE_SECS_MAX), acceptor.accept(stream));
            // A failed handshake is the client's own loss: browsers open spare connections.
            if let Ok(Ok(stream)) = handshake.await {
                let _ = made.send((stream, peer)).await;
            }
        });
    }
}
