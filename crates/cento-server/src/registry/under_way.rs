//! Work of which there is one at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether such work is under way.
#[derive(Clone, Default)]
pub(crate) struct UnderWay(Arc<AtomicBool>);

/// Makes room for the next when it goes, even if that is because of a panic.
pub(crate) struct Running(UnderWay);

impl UnderWay {
    /// Begins it, unless it has begun.
    pub(crate) fn begin(&self) -> Option<Running> {
        let is_under_way = self.0.swap(true, Ordering::AcqRel);
        (!is_under_way).then(|| Running(self.clone()))
    }

    pub(crate) fn now(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.0.store(false, Ordering::Release);
    }
}
