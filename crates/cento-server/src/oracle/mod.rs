//! Who may ask again and again can find the smallest edit that escapes: each answer says whether the
//! last edit helped (section 3 of the paper on text sifting). So questions about one text count.
//!
//! Whether a question is answered depends on earlier questions alone, never on what is registered:
//! otherwise a refusal would be an answer, too. A question counts for later ones that it is kin to
//! (`sketch.rs`), whoever asked it, for as long as the window is. A refused question counts like any
//! other, and every refusal has the same words and the same delay. The same text again is free: its
//! answer is known.

#[cfg(test)]
mod attacks;
mod memory;
mod sketch;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::config::Budget;
use crate::error::Error;
use crate::store::Store;
use crate::time::{self, Seconds};

use memory::{Memory, Remembered};

pub(crate) use sketch::{Sketch, Sketching};

/// What was asked, and by whom.
pub(crate) struct Oracle {
    memory: Memory,
    budget: Budget,
    /// Many questions at a time would all be the first one.
    turn: Mutex<()>,
}

/// Whether a question is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Answer,
    /// Not before this time has passed without another question about the text.
    Wait(Duration),
}

impl Oracle {
    pub(crate) fn new(store: Arc<Store>, budget: Budget) -> Oracle {
        Oracle {
            memory: Memory::new(store),
            budget,
            turn: Mutex::default(),
        }
    }

    /// Decides about a question, and remembers it.
    pub(crate) fn ask(
        &self,
        account: &str,
        sketch: &Sketch,
        now: Seconds,
    ) -> Result<Verdict, Error> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let since = now - time::seconds(self.budget.window);
        self.memory.forget_until(since)?;
        let wait = Verdict::Wait(self.budget.window);
        if let Some(same) = self.memory.same(sketch)? {
            if same.is_answered {
                return Ok(Verdict::Answer);
            }
            self.memory.renew(&[same.number], now)?;
            return Ok(wait);
        }
        // Comparing costs, so it is not done for those who have had more than their share of it.
        if !self.memory.has_room(account, sketch)? {
            return Ok(wait);
        }
        let kin = self.memory.kin(sketch)?;
        let budget = self.budget.questions as usize;
        let is_answered = kin.len() < budget;
        let own: Vec<i64> = kin
            .iter()
            .filter(|question| question.account == account)
            .map(|question| question.number)
            .collect();
        if is_answered || own.len() < budget {
            self.memory.remember(&Remembered {
                account,
                sketch,
                at: now,
                is_answered,
            })?;
        } else {
            // Remembering more of the same would tell nothing new about the next one.
            self.memory.renew(&own, now)?;
        }
        Ok(if is_answered { Verdict::Answer } else { wait })
    }
}
