//! What is remembered of a host, and what that says about its next page.

use super::address::{Address, Parameter};
use super::page::{Page, Run, mixed};
use super::seen::{PARTS, Seen};
use super::shape::{Kind, Shape, facets, part, shapes};
use super::skip::Skip;
use super::{Decision, Limits, Reason, Verdict};
use crate::digest::word_hash;

pub(super) struct Host {
    pages: u64,
    seen: Seen,
    /// The parts of the host that pages came from, as bits.
    parts: u32,
    patterns: Vec<Pattern>,
}

/// Addresses of one shape, and how many pages without news came from them in a row.
struct Pattern {
    kind: Kind,
    template: String,
    in_a_row: u32,
    last: u64,
    /// Of the last pages, the newest first.
    recent: Vec<Sketch>,
    is_stopped: bool,
}

/// The lowest numbers of the runs of a page that are not navigation.
#[derive(Clone, Copy, Default)]
struct Sketch {
    numbers: [u32; SKETCH],
    length: usize,
}

const SKETCH: usize = 16;
const RECENT: usize = 4;
/// So many patterns of a host are remembered.
const PATTERNS: usize = 24;
/// No template is longer; see [`shapes`].
const LONGEST_TEMPLATE: usize = 200;
/// One changed word makes so many new runs.
const RUNS_OF_A_WORD: u32 = 3;
/// A page must have so many runs before one new word counts for nothing.
const LONG: usize = 60;

/// What a page has that its host did not.
struct News {
    runs: usize,
    /// Runs that are new here.
    new: usize,
    /// Runs that are not navigation.
    own: usize,
    new_figures: usize,
    is_one_word: bool,
    sketch: Sketch,
}

impl Host {
    /// Bytes of memory that a host takes at most.
    pub(super) const BYTES: usize = Seen::BYTES
        + size_of::<Host>()
        + PATTERNS * (size_of::<Pattern>() + LONGEST_TEMPLATE + RECENT * size_of::<Sketch>());

    pub(super) fn new() -> Host {
        Host {
            pages: 0,
            seen: Seen::new(),
            parts: 0,
            patterns: Vec::with_capacity(PATTERNS),
        }
    }

    /// Bytes of memory that it takes.
    pub(super) fn bytes(&self) -> usize {
        let of_pattern = |pattern: &Pattern| {
            pattern.template.capacity() + pattern.recent.capacity() * size_of::<Sketch>()
        };
        Seen::BYTES
            + size_of::<Host>()
            + self.patterns.capacity() * size_of::<Pattern>()
            + self.patterns.iter().map(of_pattern).sum::<usize>()
    }

    /// The patterns that have been stopped and brought nothing new since.
    pub(super) fn skips(&self, host: &str) -> Vec<Skip> {
        let stopped = self.patterns.iter().filter(|pattern| pattern.is_stopped);
        let skips = stopped.filter_map(|one| Skip::new(host, one.kind, &one.template));
        skips.collect()
    }

    /// Counts a page; the verdict if there are too many.
    pub(super) fn count(&mut self, limits: &Limits) -> Option<Verdict> {
        self.pages += 1;
        let most = limits.pages_per_host?.get();
        (self.pages > most).then(|| Verdict::stop(Reason::Budget { pages: most }))
    }

    pub(super) fn see(&mut self, address: &Address, page: &Page, limits: &Limits) -> Verdict {
        let name = mixed(ADDRESS, address.name());
        if self.seen.has(name) {
            self.seen.add(name, 0);
            return Verdict::go(Reason::SameAddress);
        }
        if !page.has_words {
            // What a picture shows, nobody knows.
            self.seen.add(name, 0);
            return Verdict::go(Reason::NoText);
        }
        let part = u32::try_from(part(address) % u64::from(PARTS)).unwrap_or(0);
        self.parts |= 1 << part;
        let news = self.news(page);
        let are_parts_known = self.know_parts(address);
        let mut stopped: Option<Reason> = None;
        for shape in shapes(address) {
            let is_stripped_known = shape.stripped.map(|name| self.know(STRIPPED, &shape, name));
            let pattern = self.pattern(&shape);
            let is_alike = pattern.is_like(&news.sketch);
            pattern.remember(news.sketch);
            let before = Before {
                is_alike,
                is_stripped_known,
                are_parts_known,
            };
            let repeats = news.repeats(&shape, before);
            match repeats {
                Some(true) => pattern.in_a_row += 1,
                Some(false) => (pattern.in_a_row, pattern.is_stopped) = (0, false),
                None => continue,
            }
            if repeats == Some(true) && pattern.in_a_row >= shape.kind.patience(limits) {
                pattern.is_stopped = true;
                stopped.get_or_insert_with(|| Reason::of(&shape, pattern.in_a_row));
            }
        }
        self.learn(page, part);
        self.seen.add(name, 0);
        match stopped {
            Some(reason) => Verdict::stop(reason),
            None if news.is_nothing() => Verdict::go(Reason::NothingNew),
            None => Verdict::go(Reason::New),
        }
    }

    fn news(&self, page: &Page) -> News {
        let parts = self.parts.count_ones();
        let most = (parts.div_ceil(2)).max(LEAST_PARTS);
        let is_navigation = |run: &Run| self.seen.places(run.number).count_ones() >= most;
        let compared: Vec<Run> = page.compared().collect();
        let new = compared.iter().filter(|run| !self.seen.has(run.number));
        let new: Vec<u32> = new.map(|run| run.at).collect();
        let (first, last) = (new.iter().min(), new.iter().max());
        let own: Vec<Run> = compared
            .iter()
            .copied()
            .filter(|run| !is_navigation(run))
            .collect();
        let figures = page.figures.iter();
        News {
            runs: compared.len(),
            new: new.len(),
            own: own.len(),
            new_figures: figures.filter(|figure| !self.seen.has(**figure)).count(),
            is_one_word: match (first, last) {
                (Some(first), Some(last)) => last - first < RUNS_OF_A_WORD,
                _ => true,
            },
            sketch: Sketch::of(&own),
        }
    }

    /// Whether each parameter was there with its value before; they are known from now on.
    fn know_parts(&mut self, address: &Address) -> bool {
        let folder = word_hash(address.segments.join("/").as_bytes());
        let number = |Parameter { name, value, .. }: &Parameter| {
            mixed(folder, word_hash(format!("{name}={value}").as_bytes()))
        };
        let numbers: Vec<u64> = facets(address).map(number).collect();
        let are_known = numbers.iter().all(|number| self.seen.has(*number));
        for number in numbers {
            self.seen.add(number, 0);
        }
        are_known
    }

    /// Whether an address without an id was there before; it is known from now on.
    fn know(&mut self, purpose: u64, shape: &Shape, name: u64) -> bool {
        let number = mixed(mixed(purpose, word_hash(shape.template.as_bytes())), name);
        let is_known = self.seen.has(number);
        self.seen.add(number, 0);
        is_known
    }

    fn learn(&mut self, page: &Page, part: u32) {
        for run in &page.runs {
            self.seen.add(run.number, part);
        }
        for figure in &page.figures {
            self.seen.add(*figure, part);
        }
    }

    /// The pattern of a shape. The one that was not used for the longest time gives way, one that
    /// was stopped only to others that were.
    fn pattern(&mut self, shape: &Shape) -> &mut Pattern {
        let is_it = |one: &Pattern| one.kind == shape.kind && one.template == shape.template;
        let at = self.patterns.iter().position(is_it).unwrap_or_else(|| {
            if self.patterns.len() == PATTERNS {
                let last = |at: &usize| (self.patterns[*at].is_stopped, self.patterns[*at].last);
                let oldest = (0..PATTERNS).min_by_key(last).unwrap_or(0);
                self.patterns.swap_remove(oldest);
            }
            self.patterns.push(Pattern::new(shape));
            self.patterns.len() - 1
        });
        let pattern = &mut self.patterns[at];
        pattern.last = self.pages;
        pattern
    }
}

/// What the numbers of addresses are mixed with, so that they are none of runs.
const ADDRESS: u64 = 2;
const STRIPPED: u64 = 3;
/// A segment that is there so often is a loop.
const CERTAIN: usize = 5;
/// Navigation is in at least so many parts of a host.
const LEAST_PARTS: u32 = 3;

/// What is known of a page from those before it.
#[derive(Clone, Copy)]
struct Before {
    /// One of the last pages of the pattern was like it.
    is_alike: bool,
    /// Its address without an id was there before.
    is_stripped_known: Option<bool>,
    /// Every parameter was there with its value before.
    are_parts_known: bool,
}

impl News {
    /// Whether a page is more of the same for its shape; `None` if it says nothing about that.
    fn repeats(&self, shape: &Shape, before: Before) -> Option<bool> {
        match shape.kind {
            Kind::Loop if shape.times >= CERTAIN => Some(self.is_little(5, self.runs)),
            Kind::Loop => Some(self.is_little(5, self.own)),
            Kind::Deep => Some(self.is_little(20, self.own)),
            Kind::Dates => Some(self.is_nothing()),
            Kind::Session if before.is_stripped_known == Some(true) => {
                Some(self.is_little(5, self.own))
            }
            Kind::Session => self.is_nothing().then_some(true),
            Kind::Ids if shape.times > 0 => {
                let is_known = before.is_stripped_known == Some(true);
                is_known.then(|| self.is_nothing())
            }
            Kind::Ids | Kind::Last | Kind::Numbers | Kind::Host => {
                Some(self.is_nothing() && before.is_alike)
            }
            Kind::Facets => Some(self.is_nothing() && before.are_parts_known),
        }
    }

    /// At most a part of the runs is new.
    fn is_little(&self, part: usize, of: usize) -> bool {
        self.new * part <= of
    }

    /// Nothing is new, or one word of a long page is.
    fn is_nothing(&self) -> bool {
        (self.new == 0 || self.is_one_word && self.runs >= LONG) && self.has_few_figures()
    }

    fn has_few_figures(&self) -> bool {
        self.new_figures * 20 <= self.runs
    }
}

impl Pattern {
    fn new(shape: &Shape) -> Pattern {
        Pattern {
            kind: shape.kind,
            template: shape.template.clone(),
            in_a_row: 0,
            last: 0,
            recent: Vec::with_capacity(RECENT),
            is_stopped: false,
        }
    }

    fn is_like(&self, sketch: &Sketch) -> bool {
        self.recent.iter().any(|other| other.is_like(sketch))
    }

    fn remember(&mut self, sketch: Sketch) {
        if self.recent.len() == RECENT {
            self.recent.pop();
        }
        self.recent.insert(0, sketch);
    }
}

impl Sketch {
    fn of(runs: &[Run]) -> Sketch {
        let number = |run: &Run| u32::try_from(run.number >> 32).unwrap_or(0);
        let mut all: Vec<u32> = runs.iter().map(number).collect();
        all.sort_unstable();
        let mut sketch = Sketch {
            length: all.len().min(SKETCH),
            ..Sketch::default()
        };
        sketch.numbers[..sketch.length].copy_from_slice(&all[..sketch.length]);
        sketch
    }

    fn numbers(&self) -> &[u32] {
        &self.numbers[..self.length]
    }

    /// Half of the numbers are the same.
    fn is_like(&self, other: &Sketch) -> bool {
        let shared = self
            .numbers()
            .iter()
            .filter(|number| other.numbers().contains(number));
        2 * shared.count() >= self.length.max(other.length)
    }
}

impl Kind {
    /// After how many pages in a row it is enough: sooner where the addresses are odd.
    fn patience(self, limits: &Limits) -> u32 {
        let whole = limits.patience.get();
        let part = match self {
            Kind::Session => whole / 8,
            Kind::Loop => whole / 5,
            Kind::Deep | Kind::Dates | Kind::Ids => whole / 2,
            Kind::Last => whole / 4 * 3,
            Kind::Numbers | Kind::Facets => whole,
            Kind::Host => whole.saturating_add(whole / 8),
        };
        part.max(1)
    }
}

impl Verdict {
    fn go(reason: Reason) -> Verdict {
        Verdict {
            decision: Decision::Go,
            reason,
        }
    }

    pub(super) fn stop(reason: Reason) -> Verdict {
        Verdict {
            decision: Decision::Stop,
            reason,
        }
    }
}
