//! Generated crawls: traps that have to be stopped, sites that must not be.

use std::fmt::Write as _;

use super::*;

/// A generator of words from a seed.
struct Words(u64);

impl Words {
    fn number(&mut self, below: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }

    fn word(&mut self) -> String {
        const SYLLABLES: [&str; 20] = [
            "ka", "lo", "mi", "ren", "tu", "sa", "vel", "no", "pri", "dor", "es", "tan", "bu",
            "che", "fa", "gol", "hin", "ja", "quo", "wy",
        ];
        let length = 1 + self.number(3);
        (0..=length)
            .map(|_| SYLLABLES[usize::try_from(self.number(20)).unwrap()])
            .collect()
    }

    fn sentence(&mut self, words: usize) -> String {
        let words: Vec<String> = (0..words).map(|_| self.word()).collect();
        format!("{}.", words.join(" "))
    }

    fn text(&mut self, words: usize) -> String {
        let sentences: Vec<String> = (0..words.div_ceil(12)).map(|_| self.sentence(12)).collect();
        sentences.join("\n")
    }

    fn id(&mut self) -> String {
        (0..16)
            .map(|_| char::from(b"0123456789abcdef"[usize::try_from(self.number(16)).unwrap()]))
            .collect()
    }
}

/// Which page of a crawl is the first that is stopped, and how many are.
fn crawl(pages: impl IntoIterator<Item = (String, String)>) -> (Option<usize>, usize, Guard) {
    let mut guard = Guard::new(Limits::default());
    let (mut first, mut count) = (None, 0);
    for (at, (url, text)) in pages.into_iter().enumerate() {
        if guard.see(&url, &text).decision == Decision::Stop {
            first.get_or_insert(at + 1);
            count += 1;
        }
    }
    (first, count, guard)
}

#[track_caller]
fn check_stopped(within: usize, pages: impl IntoIterator<Item = (String, String)>) -> Guard {
    let (first, _, guard) = crawl(pages);
    assert!(first.is_some_and(|first| first <= within), "{first:?}");
    guard
}

#[track_caller]
fn check_goes_on(pages: impl IntoIterator<Item = (String, String)>) {
    let mut guard = Guard::new(Limits::default());
    for (at, (url, text)) in pages.into_iter().enumerate() {
        let verdict = guard.see(&url, &text);
        assert_eq!(
            verdict.decision,
            Decision::Go,
            "page {at}, {url}: {}",
            verdict.reason
        );
    }
    assert_eq!(guard.skips(), []);
}

const NAVIGATION: &str = "Home\nAll articles\nAbout us\nContact and imprint\nSearch this site\n";

#[test]
fn growing_paths() {
    let body = Words(1).text(120);
    let pages = (0..2_000_usize).map(|at| {
        let path = "/minutes/agenda".repeat(1 + at % 60);
        let text = format!(
            "{NAVIGATION}{body}\nThis page was modified on {} July 2004 at 10:{}",
            at % 31,
            at % 60
        );
        (format!("http://county.example{path}/{at}.html"), text)
    });
    let (first, count, guard) = crawl(pages);
    assert!(first.is_some_and(|first| first <= 50), "{first:?}");
    assert!(count > 1_900, "{count}");
    assert!(
        guard
            .skips()
            .iter()
            .any(|skip| skip.regex().contains("agenda/"))
    );
}

#[test]
fn the_sixteen_thousand_directories_of_the_paper() {
    let pages = (0..2_000).map(|at| {
        let text = format!(
            "Minutes\nmodified {} of {} at {}:{}",
            at % 31,
            2004 + at / 365,
            at % 24,
            at % 60
        );
        (format!("http://county.example/dir{at}/"), text)
    });
    check_stopped(50, pages);
}

#[test]
fn numbered_pages_with_a_counter_or_one_word_that_changes() {
    let body = Words(2).text(120);
    let mut words = Words(3);
    let pages = (0..200).map(|at| {
        (
            format!("http://trap.example/view/{at}"),
            format!("{body}\nVisit number {}", 48_213 + at * 7),
        )
    });
    check_stopped(50, pages);
    let pages = (0..200).map(|at| {
        (
            format!("http://trap.example/view/{at}"),
            format!("{body}\nThe word of today is {} again", words.word()),
        )
    });
    check_stopped(50, pages);
}

#[test]
fn a_growing_path_with_one_new_sentence_a_page() {
    let body = Words(4).text(200);
    let mut words = Words(5);
    let pages = (1..200_usize).map(|at| {
        let path = "/a/b".repeat(at);
        (
            format!("http://trap.example{path}/"),
            format!("{body}\n{}", words.sentence(12)),
        )
    });
    check_stopped(50, pages);
}

#[test]
fn a_path_that_grows_with_ever_new_names() {
    let body = Words(6).text(150);
    let mut words = Words(7);
    let mut path = String::new();
    let pages = (0..200).map(|_| {
        path.push('/');
        path.push_str(&words.word());
        (
            format!("http://trap.example{path}/"),
            format!("{NAVIGATION}{body}"),
        )
    });
    check_stopped(50, pages);
}

#[test]
fn calendars() {
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let grid: Vec<String> = (1..=31).map(|day| day.to_string()).collect();
    let month = |at: usize| {
        let (year, month) = (2004 + at / 12, at % 12);
        let title = format!(
            "{} {year}\nprevious: {}\n",
            MONTHS[month],
            MONTHS[(month + 11) % 12]
        );
        (
            year,
            month + 1,
            format!(
                "{NAVIGATION}{title}Mo Tu We Th Fr Sa Su\n{}\nNo events",
                grid.join("\t")
            ),
        )
    };
    let months = (0..2_000).map(|at| {
        let (year, month, text) = month(at);
        (format!("http://club.example/cal/{year}/{month:02}"), text)
    });
    let guard = check_stopped(100, months);
    assert_eq!(guard.skips()[0].to_string(), "/cal/*/*");
    let queries = (0..2_000).map(|at| {
        let (year, month, text) = month(at);
        (
            format!("http://club.example/cal.php?month={month}&year={year}"),
            text,
        )
    });
    check_stopped(100, queries);
    let days = (0..2_000).map(|at| {
        let day = [
            "Monday",
            "Tuesday",
            "Wednesday",
            "Thursday",
            "Friday",
            "Saturday",
            "Sunday",
        ][at % 7];
        let (year, month, date) = (2004 + at / 360, at / 30 % 12, at % 30 + 1);
        let text = format!(
            "{NAVIGATION}{day}, {date} {} {year}\nNothing planned on this day",
            MONTHS[month]
        );
        (
            format!("http://club.example/day/{year}-{:02}-{date:02}", month + 1),
            text,
        )
    });
    check_stopped(100, days);
}

#[test]
fn ids_of_visits() {
    let mut words = Words(8);
    let bodies: Vec<String> = (0..20).map(|_| words.text(100)).collect();
    let visits = |form: fn(usize, &str) -> String| {
        let mut words = Words(9);
        let bodies = bodies.clone();
        (0..400).map(move |at| {
            let id = words.id();
            let page = at % bodies.len();
            (
                form(page, &id),
                format!("{NAVIGATION}{}\nYour visit is {id}", bodies[page]),
            )
        })
    };
    let guard = check_stopped(
        50,
        visits(|page, id| format!("http://shop.example/p{page}?sid={id}")),
    );
    assert_eq!(guard.skips()[0].to_string(), "*sid=*");
    check_stopped(
        50,
        visits(|page, id| format!("http://shop.example/p{page};jsessionid={id}?x=1")),
    );
    check_stopped(
        50,
        visits(|page, id| format!("http://shop.example/{id}/p{page}.html")),
    );
    check_stopped(
        100,
        visits(|_, id| format!("http://shop.example/welcome?visit={id}"))
            .map(|(url, _)| (url, "Welcome to our shop".to_owned())),
    );
}

#[test]
fn lists_without_end() {
    let mut words = Words(10);
    let items: Vec<String> = (0..300).map(|_| words.sentence(6)).collect();
    let pages = (1..400_usize).map(|page| {
        let shown = items
            .chunks(20)
            .nth(page - 1)
            .map_or("No more results".to_owned(), |items| items.join("\n"));
        (
            format!("http://shop.example/list?page={page}"),
            format!("{NAVIGATION}{shown}"),
        )
    });
    check_stopped(15 + 50, pages);
    let colours = ["red", "blue", "green", "black", "white"];
    let sizes = ["s", "m", "l", "xl"];
    let orders = ["name", "price", "age"];
    let mut random = Words(11);
    let pages = (0..2_000).map(|_| {
        let mut pick = |from: &[&'static str]| {
            from[usize::try_from(random.number(from.len() as u64)).unwrap()]
        };
        let url = format!(
            "http://shop.example/list?colour={}&size={}&order={}&with={}",
            pick(&colours),
            pick(&sizes),
            pick(&orders),
            pick(&colours)
        );
        let start = usize::try_from(random.number(100)).unwrap();
        (
            url,
            format!("{NAVIGATION}{}", items[start..start + 20].join("\n")),
        )
    });
    check_stopped(200, pages);
}

/// A site of articles, lists of them and pages that show them again, in the order of a crawl.
fn site(articles: usize) -> Vec<(String, String)> {
    let mut words = Words(12);
    let texts: Vec<(String, String)> = (0..articles)
        .map(|_| (words.sentence(6), words.text(150)))
        .collect();
    let mut pages = vec![("http://site.example/".to_owned(), NAVIGATION.to_owned())];
    for (at, (title, text)) in texts.iter().enumerate() {
        let url = format!("http://site.example/article/{at}");
        pages.push((
            url,
            format!("{NAVIGATION}{title}\n{text}\nRead more of this kind"),
        ));
    }
    // Lists come last, when all that they show is known.
    for (at, shown) in texts.chunks(20).enumerate() {
        let titles: Vec<&str> = shown.iter().map(|(title, _)| title.as_str()).collect();
        let text = format!("{NAVIGATION}All articles, page {at}\n{}", titles.join("\n"));
        pages.push((
            format!("http://site.example/articles?page={at}"),
            text.clone(),
        ));
        pages.push((
            format!("http://site.example/sorted?by=title&page={at}"),
            text,
        ));
    }
    for (at, (title, text)) in texts.iter().enumerate() {
        pages.push((
            format!("http://site.example/article/{at}/print"),
            format!("{title}\n{text}"),
        ));
    }
    pages
}

#[test]
fn a_site_with_navigation_lists_and_print_versions_goes_on() {
    check_goes_on(site(600));
}

#[test]
fn products_with_nine_tenths_in_common_go_on() {
    let mut words = Words(13);
    let template = words.text(180);
    let thin = words.text(300);
    let pages = (0..1_000).map(|at| {
        let name = words.sentence(3);
        (
            format!("http://shop.example/product/{at}"),
            format!("{NAVIGATION}{name}\n{template}\n{}", words.sentence(17)),
        )
    });
    check_goes_on(pages);
    let mut words = Words(14);
    let pages = (0..1_000).map(|at| {
        let name = format!("{} {}", words.word(), words.word());
        (
            format!("http://shop.example/product/{at}"),
            format!("{name} - the shop\n{thin}\n{name}\nPrice 12"),
        )
    });
    check_goes_on(pages);
}

#[test]
fn forums_dated_archives_and_tables_go_on() {
    let mut words = Words(15);
    let forum = (0..100).flat_map(|topic| (1..=10).map(move |page| (topic, page)));
    let pages = forum.map(|(topic, page)| {
        let posts: Vec<String> = (0..5)
            .map(|_| {
                format!(
                    "user wrote on 3 May 2004:\n{}\nQuote Reply",
                    words.sentence(20)
                )
            })
            .collect();
        (
            format!("http://forum.example/topic.php?id={topic}&page={page}"),
            format!("{NAVIGATION}{}", posts.join("\n")),
        )
    });
    check_goes_on(pages);
    let mut words = Words(16);
    let pages = (0..1_000).map(|at| {
        let (year, month, day) = (2000 + at / 360, at / 30 % 12 + 1, at % 30 + 1);
        (
            format!("http://news.example/{year}/{month:02}/{day:02}/"),
            format!("{NAVIGATION}News of the day\n{}", words.text(60)),
        )
    });
    check_goes_on(pages);
    let mut words = Words(17);
    let pages = (0..1_000).map(|at| {
        let mut rows = String::new();
        for hour in 0..24 {
            let _ = writeln!(
                rows,
                "{hour}:00\ttemperature {}.{}\tpressure {}",
                words.number(30),
                words.number(10),
                950 + words.number(100)
            );
        }
        (
            format!("http://weather.example/station?day={at}"),
            format!("{NAVIGATION}{rows}"),
        )
    });
    check_goes_on(pages);
}

#[test]
fn random_pages_are_new_until_the_budget_is_spent() {
    let limits = Limits {
        pages_per_host: NonZeroU64::new(500),
        ..Limits::default()
    };
    let mut guard = Guard::new(limits);
    let mut words = Words(18);
    for at in 0..600_usize {
        let url = format!("http://trap.example{}", "/a".repeat(at % 90 + 1));
        let verdict = guard.see(&format!("{url}/{at}"), &words.text(100));
        let is_spent = verdict.reason == Reason::Budget { pages: 500 };
        assert_eq!(verdict.decision == Decision::Stop, at >= 500, "{at}");
        assert_eq!(is_spent, at >= 500);
    }
}

#[test]
fn pages_without_words_go_on_and_count_for_the_budget() {
    check_goes_on((0..300).map(|at| (format!("http://photos.example/{at}"), String::new())));
    let limits = Limits {
        pages_per_host: NonZeroU64::new(1),
        ..Limits::default()
    };
    let mut guard = Guard::new(limits);
    assert_eq!(guard.see("http://a.example/1", "").reason, Reason::NoText);
    assert_eq!(guard.see("http://a.example/2", "").decision, Decision::Stop);
    let grid = |at| {
        (
            format!("http://club.example/cal/{at}"),
            "1\t2\t3\n4\t5".to_owned(),
        )
    };
    check_stopped(50, (2000..2100).map(grid));
}

#[test]
fn other_paths_of_a_host_still_go() {
    let body = Words(19).text(100);
    let mut words = Words(20);
    let mut guard = Guard::new(Limits::default());
    for at in 1..60_usize {
        guard.see(&format!("http://a.example{}", "/x/y".repeat(at)), &body);
    }
    let stopped = guard.see(&format!("http://a.example{}", "/x/y".repeat(70)), &body);
    assert_eq!(stopped.decision, Decision::Stop);
    assert!(
        stopped
            .reason
            .to_string()
            .starts_with("a path that goes round in circles: ")
    );
    for at in 0..100 {
        let verdict = guard.see(&format!("http://a.example/news/{at}"), &words.text(80));
        assert_eq!(verdict.reason, Reason::New);
    }
    // New text under a pattern that was stopped is news, and the pattern is none to skip.
    assert!(!guard.skips().is_empty());
    let new = guard.see(
        &format!("http://a.example{}", "/x/y".repeat(71)),
        &words.text(200),
    );
    assert_eq!(new.decision, Decision::Go);
    assert!(
        !guard
            .skips()
            .iter()
            .any(|skip| skip.to_string().contains("*/x/*/x/*")),
        "{:?}",
        guard.skips()
    );
}

#[test]
fn one_page_under_several_schemes_is_noted_and_goes() {
    let mut guard = Guard::new(Limits::default());
    let text = Words(21).text(50);
    assert_eq!(
        guard.see("http://a.example/page", &text).reason,
        Reason::New
    );
    for url in [
        "https://a.example/page",
        "http://www.a.example/page",
        "https://www.a.example/page#top",
    ] {
        let verdict = guard.see(url, &text);
        assert_eq!(
            (verdict.decision, verdict.reason),
            (Decision::Go, Reason::SameAddress)
        );
    }
    assert_eq!(guard.see("dns:a.example", "").reason, Reason::NoAddress);
}

#[test]
fn memory_is_bounded() {
    let limits = Limits {
        hosts: NonZeroUsize::new(64).unwrap(),
        ..Limits::default()
    };
    let mut guard = Guard::new(limits);
    let mut words = Words(22);
    for at in 0..100_000 {
        guard.see(
            &format!("http://host{at}.example/page"),
            "a few words of a page",
        );
        if at % 5_000 == 0 {
            // One that comes again and again stays, however much there is on it.
            for page in 0..40 {
                guard.see(
                    &format!(
                        "http://large.example/{}/{page}/{}?q={page}&x=1",
                        words.word(),
                        words.word()
                    ),
                    &words.text(300),
                );
            }
        }
    }
    assert_eq!(guard.hosts(), 64);
    assert!(
        guard.bytes() <= 64 * (Guard::BYTES_PER_HOST + 2 * 253),
        "{}",
        guard.bytes()
    );
    // What the documentation says.
    const { assert!(Guard::BYTES_PER_HOST <= 80 << 10) };
    let again = guard.see("http://host99999.example/page", "a few words of a page");
    assert_eq!(again.reason, Reason::SameAddress);
    let forgotten = guard.see("http://host5.example/page", "a few words of a page");
    assert_eq!(forgotten.reason, Reason::New);
}

#[test]
fn a_full_host_keeps_to_its_bytes() {
    let mut guard = Guard::new(Limits::default());
    let mut words = Words(23);
    for at in 0..500 {
        let url = format!(
            "http://large.example/{}/{}/{at}?{}={at}&y={}",
            words.word(),
            words.word(),
            words.word(),
            words.word()
        );
        guard.see(&url, &words.text(200));
    }
    assert!(
        guard.bytes() <= Guard::BYTES_PER_HOST + 2 * 253,
        "{}",
        guard.bytes()
    );
}

#[test]
fn the_rule_of_the_paper() {
    let limits = Limits {
        method: Method::Plagiarex,
        ..Limits::default()
    };
    let mut guard = Guard::new(limits.clone());
    let first = (0..16_000).find(|at| {
        let text = format!("Minutes modified {at} of {} at {at}", 2004 + at);
        guard
            .see(&format!("http://county.example/dir{at}/"), &text)
            .decision
            == Decision::Stop
    });
    assert_eq!(first, Some(39));
    // It stops a shop whose template has the longest words, too, which is why there is another rule.
    let mut guard = Guard::new(limits);
    let mut words = Words(24);
    let template =
        "characteristically incomprehensible telecommunications responsibilities acknowledgements";
    let stopped = (0..100).filter(|at| {
        let text = format!("{template} {}", words.text(40));
        guard
            .see(&format!("http://shop.example/product/{at}"), &text)
            .decision
            == Decision::Stop
    });
    assert_eq!(stopped.count(), 61);
}
