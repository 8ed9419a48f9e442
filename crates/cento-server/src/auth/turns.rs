//! Turns at hashing passwords, which costs much of a core and of memory each time: few at once, few
//! more wait, and addresses take turns. However many one of them sends, others wait for one of its
//! passwords, not for all of them.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;

use crate::problem::Problem;

/// Hands out turns.
#[derive(Clone)]
pub(crate) struct Turns(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    most: Most,
}

/// How many there may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Most {
    /// Hashes at a time.
    pub(crate) running: usize,
    /// Those that wait.
    pub(crate) waiting: usize,
    /// Those of one address that wait.
    pub(crate) waiting_of_one: usize,
}

#[derive(Default)]
struct State {
    running: usize,
    waiting: usize,
    /// The addresses that wait, in the order of their turns; none has an empty queue.
    queues: VecDeque<(IpAddr, VecDeque<oneshot::Sender<Turn>>)>,
}

/// Leave to hash one password; the next has it when this goes.
pub(crate) struct Turn(Turns);

impl Turns {
    pub(crate) fn new(most: Most) -> Turns {
        let state = Mutex::default();
        Turns(Arc::new(Shared { state, most }))
    }

    /// Waits for a turn; refuses at once if too many wait.
    pub(crate) async fn take(&self, address: IpAddr) -> Result<Turn, Problem> {
        match self.enter(address)? {
            Entered::Now(turn) => Ok(turn),
            // Those who are sent away to make room for others hear it by the end of the channel.
            Entered::Later(turn) => turn.await.map_err(|_| refused()),
        }
    }

    fn enter(&self, address: IpAddr) -> Result<Entered, Problem> {
        let most = self.0.most;
        let mut state = self.lock();
        if state.running < most.running {
            state.running += 1;
            return Ok(Entered::Now(Turn(self.clone())));
        }
        let own = state.queues.iter().position(|(of, _)| *of == address);
        let own_length = own.map_or(0, |own| state.queues[own].1.len());
        if own_length >= most.waiting_of_one {
            return Err(refused());
        }
        if state.waiting >= most.waiting && !state.send_one_away(own_length) {
            return Err(refused());
        }
        let (sender, receiver) = oneshot::channel();
        state.waiting += 1;
        match own {
            Some(own) => state.queues[own].1.push_back(sender),
            None => state.queues.push_back((address, VecDeque::from([sender]))),
        }
        Ok(Entered::Later(receiver))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

enum Entered {
    Now(Turn),
    Later(oneshot::Receiver<Turn>),
}

impl State {
    /// Makes room for an address of which `own` wait: the last of whoever has the most waiting goes, if
    /// that is more. False if nobody has.
    fn send_one_away(&mut self, own: usize) -> bool {
        let longest = self.queues.iter_mut().max_by_key(|(_, queue)| queue.len());
        let Some((_, queue)) = longest.filter(|(_, queue)| queue.len() > own + 1) else {
            return false;
        };
        queue.pop_back();
        self.waiting -= 1;
        true
    }

    /// Who is next: the first of the address whose turn it is.
    fn next(&mut self) -> Option<oneshot::Sender<Turn>> {
        let (address, mut queue) = self.queues.pop_front()?;
        let next = queue.pop_front()?;
        self.waiting -= 1;
        if !queue.is_empty() {
            self.queues.push_back((address, queue));
        }
        Some(next)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        let Some(next) = state.next() else {
            state.running -= 1;
            return;
        };
        drop(state);
        // Nobody may wait there any more; then the turn comes back, goes, and the next has it.
        let _ = next.send(Turn(self.0.clone()));
    }
}

fn refused() -> Problem {
    let wait = Duration::from_secs(2);
    Problem::busy_for("many people log in just now; try again in a moment", wait)
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1));
    const B: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 2));
    const C: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 3));

    fn turns() -> Turns {
        Turns::new(Most {
            running: 1,
            waiting: 4,
            waiting_of_one: 3,
        })
    }

    fn later(turns: &Turns, address: IpAddr) -> oneshot::Receiver<Turn> {
        match turns.enter(address) {
            Ok(Entered::Later(receiver)) => receiver,
            Ok(Entered::Now(_)) => panic!("it has a turn at once"),
            Err(problem) => panic!("{problem:?}"),
        }
    }

    fn now(turns: &Turns, address: IpAddr) -> Turn {
        match turns.enter(address) {
            Ok(Entered::Now(turn)) => turn,
            _ => panic!("it has to wait"),
        }
    }

    #[test]
    fn addresses_take_turns() {
        let turns = turns();
        let first = now(&turns, A);
        let mut flood: Vec<_> = (0..3).map(|_| later(&turns, A)).collect();
        assert!(turns.enter(A).is_err(), "no more of one address wait");
        let mut other = later(&turns, B);
        drop(first);
        let second = flood[0].try_recv().unwrap();
        assert!(other.try_recv().is_err());
        drop(second);
        let third = other.try_recv().unwrap();
        assert!(flood[1].try_recv().is_err());
        drop(third);
        drop(flood[1].try_recv().unwrap());
        drop(flood[2].try_recv().unwrap());
        let state = turns.lock();
        assert_eq!(
            (state.running, state.waiting, state.queues.len()),
            (0, 0, 0)
        );
    }

    #[test]
    fn who_has_many_waiting_makes_room() {
        let turns = turns();
        let _first = now(&turns, A);
        let mut flood: Vec<_> = (0..3).map(|_| later(&turns, A)).collect();
        let mut others = vec![later(&turns, B)];
        others.push(later(&turns, C));
        assert!(matches!(
            flood[2].try_recv(),
            Err(oneshot::error::TryRecvError::Closed)
        ));
        assert!(
            flood[1]
                .try_recv()
                .is_err_and(|error| error == oneshot::error::TryRecvError::Empty)
        );
        assert!(turns.enter(B).is_err(), "nobody has more waiting than that");
        assert_eq!(turns.lock().waiting, 4);
    }

    #[test]
    fn those_who_left_are_passed_over() {
        let turns = turns();
        let first = now(&turns, A);
        let gone: Vec<_> = (0..2).map(|_| later(&turns, B)).collect();
        let mut stays = later(&turns, C);
        drop(gone);
        drop(first);
        let turn = stays.try_recv().unwrap();
        drop(turn);
        drop(now(&turns, A));
        assert_eq!(turns.lock().running, 0);
    }
}
