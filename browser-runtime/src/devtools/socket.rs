//! The WebSocket under the link (RFC 6455): one task reads, one writes, and either end ends both.

use super::{Link, LinkError};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

/// Largest single message in bytes. An observation is bounded far below; more is a fault.
const MESSAGE_BYTES_MAX: usize = 32 * 1024 * 1024;

/// How long the socket of a link that was given up stays open.
const HOLD: Duration = Duration::from_secs(10);

type Socket = WebSocketStream<TcpStream>;

/// Connects and starts the two tasks.
pub(super) async fn open(port: u16, path: &str, link: Link, outgoing: mpsc::Receiver<String>) -> Result<(), LinkError> {
    let stream = TcpStream::connect(("127.0.0.1", port)).await.map_err(|_| LinkError::Lost)?;
    stream.set_nodelay(true).map_err(|_| LinkError::Lost)?;
    let config = WebSocketConfig::default().max_message_size(Some(MESSAGE_BYTES_MAX)).max_frame_size(Some(MESSAGE_BYTES_MAX));
    let url = format!("ws://127.0.0.1:{port}{path}");
    let (socket, _) = tokio_tungstenite::client_async_with_config(url, stream, Some(config)).await.map_err(|_| LinkError::Lost)?;
    let (sink, incoming) = socket.split();
    tokio::spawn(write(sink, outgoing, link.clone()));
    tokio::spawn(read(incoming, link));
    Ok(())
}

async fn read(mut incoming: SplitStream<Socket>, link: Link) {
    loop {
        let message = tokio::select! {
            message = incoming.next() => message,
            () = link.lost() => None,
        };
        match message {
            Some(Ok(Message::Text(text))) => link.take(text.as_str()),
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
            _ => break,
        }
    }
    link.give_up();
}

async fn write(mut sink: SplitSink<Socket, Message>, mut outgoing: mpsc::Receiver<String>, link: Link) {
    loop {
        let message = tokio::select! {
            message = outgoing.recv() => message,
            () = link.lost() => None,
        };
        let Some(message) = message else { break };
        if sink.send(Message::text(message)).await.is_err() {
            break;
        }
    }
    link.give_up();
    // While the socket stands, what the fence held stays held. The browser is killed in this time.
    tokio::time::sleep(HOLD).await;
    drop(sink.close().await);
}
