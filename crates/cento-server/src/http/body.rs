//! Bodies that arrive within their limits and not too slowly.

use std::task::Poll;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::Request;
use futures_util::stream::{self, StreamExt as _};
use http_body_util::BodyExt as _;

use crate::problem::Problem;

/// The slowest that a body may arrive on average, in bytes a second, once its patience is used up.
const SLOWEST: f64 = 1024.0;

/// How fast something arrives.
pub(crate) struct Pace {
    started: Instant,
    patience: Duration,
    received: u64,
}

impl Pace {
    pub(crate) fn new(patience: Duration) -> Pace {
        Pace {
            started: Instant::now(),
            patience,
            received: 0,
        }
    }

    /// Waits for the next piece as long as the sender is not too slow.
    pub(crate) async fn next<T>(
        &self,
        piece: impl std::future::Future<Output = T>,
    ) -> Result<T, Problem> {
        let earned = Duration::from_secs_f64(self.received as f64 / SLOWEST);
        let deadline = self.started + self.patience + earned;
        // A sender that was fast must not rest for hours.
        let deadline = deadline.min(Instant::now() + self.patience);
        let next = tokio::time::timeout_at(deadline.into(), piece).await;
        next.map_err(|_| Problem::too_slow("the request arrives too slowly"))
    }

    pub(crate) fn received(&mut self, bytes: usize) {
        self.received += bytes as u64;
    }
}

/// The whole body, if it has at most `limit` bytes.
pub(crate) async fn collect(
    mut body: Body,
    limit: usize,
    patience: Duration,
) -> Result<Vec<u8>, Problem> {
    // Said before it is sent, if its length is.
    if axum::body::HttpBody::size_hint(&body).lower() > limit as u64 {
        return Err(too_large(limit as u64));
    }
    let mut bytes = Vec::new();
    let mut pace = Pace::new(patience);
    while let Some(frame) = pace.next(body.frame()).await? {
        let frame = frame.map_err(|_| Problem::bad_request("the request ended too early"))?;
        let Ok(data) = frame.into_data() else {
            continue;
        };
        pace.received(data.len());
        if bytes.len() + data.len() > limit {
            return Err(too_large(limit as u64));
        }
        bytes.extend_from_slice(&data);
    }
    Ok(bytes)
}

pub(crate) fn too_large(limit: u64) -> Problem {
    let limit = cento_ingest::size(limit);
    Problem::too_large(format!("at most {limit} is allowed here"))
}

/// The same request, whose body comes a piece at a time. The reader of forms takes all that is there
/// before it hands out any of it, so somebody with a fast line would fill the memory.
pub(crate) async fn in_pieces(request: Request) -> Request {
    request.map(|body| {
        let mut pieces = body.into_data_stream();
        let mut rests = false;
        Body::from_stream(stream::poll_fn(move |context| {
            if std::mem::take(&mut rests) {
                context.waker().wake_by_ref();
                return Poll::Pending;
            }
            let next = pieces.poll_next_unpin(context);
            rests = matches!(next, Poll::Ready(Some(_)));
            next
        }))
    })
}

#[cfg(test)]
mod tests {
    use std::task::{Context, Waker};

    use super::*;

    #[test]
    fn one_piece_at_a_time() {
        let pieces = stream::iter((0..3).map(|n| Ok::<_, std::io::Error>(vec![n])));
        let request = Request::new(Body::from_stream(pieces));
        let paced = Box::pin(in_pieces(request));
        let mut context = Context::from_waker(Waker::noop());
        let Poll::Ready(request) = std::pin::pin!(paced).poll(&mut context) else {
            panic!("it waits for nothing");
        };
        let mut body = request.into_body().into_data_stream();
        let polls: Vec<Option<u8>> = (0..6)
            .map(|_| match body.poll_next_unpin(&mut context) {
                Poll::Ready(Some(Ok(piece))) => Some(piece[0]),
                _ => None,
            })
            .collect();
        assert_eq!(polls, [Some(0), None, Some(1), None, Some(2), None]);
    }
}
