//! Connections: how many, how slow, and how they end.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Extension;
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::proxies::is_trusted;
use super::{Peer, network};
use crate::config::Config;
use crate::log;

/// How many connections each address has.
#[derive(Clone, Default)]
struct Crowds(Arc<Mutex<HashMap<IpAddr, usize>>>);

/// A connection of an address, for as long as it lasts.
struct OneOf {
    crowds: Crowds,
    network: IpAddr,
}

impl Crowds {
    /// Counts one more, unless there are as many as there may be.
    fn enter(&self, network: IpAddr, most: usize) -> Option<OneOf> {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(network).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        let crowds = self.clone();
        Some(OneOf { crowds, network })
    }
}

impl Drop for OneOf {
    fn drop(&mut self) {
        let mut counts = self.crowds.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.network) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.network);
            }
        }
    }
}

/// How long connections that wait are still taken when the server stops,
const LATECOMERS: Duration = Duration::from_millis(500);
/// if they come after one another within this time.
const PAUSE: Duration = Duration::from_millis(10);

/// Answers connections until `stop` is done; then lets the answers under way come to their end.
pub(crate) async fn listen(
    listener: TcpListener,
    router: Router,
    config: &Config,
    stop: impl Future<Output = ()>,
) {
    let limits = &config.limits;
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(limits.patience)
        // Pieces of bodies go through the same buffer as heads.
        .max_buf_size(limits.head.max(8 << 10));
    let places = Arc::new(Semaphore::new(limits.connections));
    let crowds = Crowds::default();
    let graceful = GracefulShutdown::new();
    let serve = |(stream, peer): (TcpStream, SocketAddr), place: OwnedSemaphorePermit| {
        // One address that holds all connections would keep everybody else out.
        let is_proxy = is_trusted(&config.proxies, peer.ip());
        let most = if is_proxy {
            usize::MAX
        } else {
            limits.connections_of_one
        };
        let Some(one) = crowds.enter(network(peer.ip()), most) else {
            return;
        };
        let _ = stream.set_nodelay(true);
        let service = router.clone().layer(Extension(Peer(peer)));
        let service = TowerToHyperService::new(service);
        let connection = builder.serve_connection(TokioIo::new(stream), service);
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            // What a client does wrong with its connection is its own affair.
            let _ = connection.await;
            drop((place, one));
        });
    };
    tokio::pin!(stop);
    loop {
        let place = tokio::select! {
            place = Arc::clone(&places).acquire_owned() => place.expect("it is never closed"),
            () = &mut stop => break,
        };
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        match accepted {
            Ok(accepted) => serve(accepted, place),
            Err(error) => {
                // Out of files, most likely: others have to end first.
                log::fault("accepting a connection", &error);
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
    // Those who had come by then would be cut off.
    let end = Instant::now() + LATECOMERS;
    while Instant::now() < end
        && let Ok(place) = Arc::clone(&places).try_acquire_owned()
        && let Ok(Ok(accepted)) = timeout(PAUSE, listener.accept()).await
    {
        serve(accepted, place);
    }
    drop(listener);
    let farewell = limits.farewell;
    if timeout(farewell, graceful.shutdown()).await.is_err() {
        log::event(
            "stopping",
            serde_json::json!({"left": "connections that did not end"}),
        );
    }
}
