//! A message is known again under every disguise, read from the file that the disguise makes.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on stops where it is"
)]

use cento::eval::attack::mail::{Disguise, Message};
use cento::message::{Likeness, Sameness};
use cento::{Digest, Key, NoCollection, Recipe};
use cento_ingest::Extract;

/// Messages that we wrote, about different things.
const MESSAGES: [(&str, &str); 6] = [
    (
        "The new gate",
        "The harbour opens its new gate on Monday. Everybody who wants to see it is asked to come \
         before noon, since the ferries leave at one o'clock.\n\nBring bread, cheese and a warm \
         coat! The council thanks all who helped to build it during nine long years of rain.\n",
    ),
    (
        "Books that are due",
        "Three books are due next week. You can bring them back to the desk at the entrance, or \
         have them for another month if nobody else has asked for them.\n\nThe reading room stays \
         closed on Thursday while the roof is being mended, and the maps have moved upstairs.\n",
    ),
    (
        "Your parcel is waiting",
        "A parcel could not be delivered because nobody answered the door. Please choose another \
         day below, or collect it from the kiosk beside the station within ten days.\n\nAfter that \
         it goes back to whoever sent it, and we keep a fee for our trouble.\n",
    ),
    (
        "Cheap watches",
        "Only this weekend our finest watches cost half of what you would pay in any shop! Gold, \
         silver and steel, waterproof down to fifty metres, sent in a plain box.\n\nClick the link \
         and tell us where you live; the first hundred buyers get a leather strap as a present.\n",
    ),
    (
        "Minutes of the choir",
        "Eleven singers were present and four had excused themselves. We agreed to sing the mass in \
         autumn instead of spring, because two of the tenors are travelling until June.\n\nThe \
         treasurer reported that the piano must be tuned, and that somebody has lost an umbrella.\n",
    ),
    (
        "Rehearsal cancelled",
        "The rehearsal tonight is cancelled, the conductor has a cold.\n",
    ),
];

fn vocabulary() -> Vec<String> {
    let words = "apple river lantern quick yellow seven garden window paper silver castle monkey \
                 thunder orange pencil village mirror bottle dragon ladder carpet engine";
    words.split_whitespace().map(str::to_owned).collect()
}

fn fingerprint(eml: &str) -> Vec<Digest> {
    let text = cento_ingest::message(eml.as_bytes(), &Extract::default()).unwrap();
    let recipe = Recipe::named("mail").unwrap();
    let key = Key::new([7; 16]);
    let fingerprint = recipe.fingerprint(&text.content, &key, &NoCollection);
    assert!(fingerprint.digests().len() <= 256);
    fingerprint.digests().to_vec()
}

fn are_same(left: &[Digest], right: &[Digest]) -> bool {
    Sameness::MAIL.holds(Likeness::of(left, right))
}

#[test]
fn every_disguise() {
    let messages = MESSAGES.map(|(subject, body)| Message::new(subject, body));
    let originals = messages.clone().map(|message| fingerprint(&message.eml()));
    for disguise in Disguise::ALL {
        for seed in 0..3 {
            for (number, message) in messages.iter().enumerate() {
                let copy = message.disguised(&[disguise], None, &vocabulary(), seed);
                let copy = fingerprint(&copy.eml());
                for (other, original) in originals.iter().enumerate() {
                    assert_eq!(
                        are_same(original, &copy),
                        number == other,
                        "{disguise}, message {number}, seed {seed}, beside {other}"
                    );
                }
            }
        }
    }
}

#[test]
fn three_at_once() {
    let message = Message::new(MESSAGES[0].0, MESSAGES[0].1);
    let original = fingerprint(&message.eml());
    for disguises in [
        [Disguise::Leet, Disguise::Hidden, Disguise::HashBuster],
        [Disguise::Words, Disguise::LookAlikes, Disguise::Greeting],
        [Disguise::Replace, Disguise::Marks, Disguise::Transport],
        [Disguise::Comments, Disguise::Shuffle, Disguise::Tracking],
        [Disguise::ZeroWidth, Disguise::Typos, Disguise::Quoted],
    ] {
        let copy = message.disguised(&disguises, None, &vocabulary(), 5);
        let likeness = Likeness::of(&original, &fingerprint(&copy.eml()));
        assert!(Sameness::MAIL.holds(likeness), "{disguises:?} {likeness:?}");
    }
}

#[test]
fn what_is_hidden_is_not_read() {
    let message = Message::new(MESSAGES[0].0, MESSAGES[0].1);
    let hidden = message.disguised(&[Disguise::Hidden], Some(1.0), &vocabulary(), 1);
    let text = cento_ingest::message(hidden.eml().as_bytes(), &Extract::default()).unwrap();
    let plain = cento_ingest::message(message.eml().as_bytes(), &Extract::default()).unwrap();
    let words = |text: &str| {
        text.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(words(&text.content), words(&plain.content));
    assert!(!text.concealed.is_empty());
}

/// Messages of people, each with the same text below, which is not what they say.
fn with_below(below: &str, head: &str) -> Vec<Vec<Digest>> {
    let said = [
        ("Files", "Use join, it does just that."),
        (
            "Tuesday",
            "I have to work late, so what time are we talking about?",
        ),
        (
            "Minutes",
            "Please send them to the printer before Thursday.",
        ),
        ("The key", "It hangs in the kitchen behind the blue coat."),
    ];
    let message = |(subject, body): &(&str, &str)| {
        format!("From: a@example.org\nSubject: {subject}\n{head}\n{body}\n{below}")
    };
    said.iter()
        .map(|said| fingerprint(&message(said)))
        .collect()
}

#[test]
fn what_stands_below_makes_no_messages_the_same() {
    let signature = "\n-- \nAnna Miller\nHead of Something\nPort Office of the Town\n1 Quay Street\n\
                     Tel. +49 30 123456\nwww.port.example\n";
    let list = "\n_______________________________________________\nPort mailing list\n\
                port@lists.town.example\nhttp://lists.town.example/mailman/listinfo/port\n";
    let notice = "\nThis e-mail and any files with it are confidential and intended solely for the person \
                  to whom it is addressed.\nIf it has reached you in error, please notify the sender and \
                  delete it. Any disclosure, copying or other use of\nwhat it says is prohibited. We accept \
                  no liability for viruses.\n";
    let reply =
        "\nFrom: Bob <bob@example.org>\nSent: Monday, 3 March\nTo: Anna\nSubject: Minutes\n\n";
    let long = MESSAGES[1].1;
    for (below, head) in [
        (signature.to_owned(), ""),
        (signature.replace("-- ", "Best regards"), ""),
        (list.to_owned(), "List-Id: Port <port.lists.town.example>\n"),
        (notice.to_owned(), ""),
        (format!("{signature}{notice}"), ""),
        (
            format!("{notice}{list}"),
            "List-Id: Port <port.lists.town.example>\n",
        ),
    ] {
        let all = with_below(&below, head);
        for (number, left) in all.iter().enumerate() {
            for right in &all[..number] {
                assert!(!are_same(left, right), "{below}");
            }
        }
    }
    // What somebody says at length is not lost under what all of them quote.
    let own = MESSAGES.map(|(subject, body)| {
        fingerprint(&format!(
            "Subject: Re: {subject}\n\n{body}\n{reply}{long}{long}"
        ))
    });
    assert!(!are_same(&own[0], &own[2]) && !are_same(&own[3], &own[4]));
}
