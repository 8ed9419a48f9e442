//! Words replaced by synonyms from a short list of our own.

use std::borrow::Cow;

use super::pieces::Pieces;

/// English words that often stand for one another, each word in one pair only.
const PAIRS: &str = "
about roughly|above over|additionally moreover|aid assistance|allow permit|almost nearly
also likewise|amount quantity|answer reply|anyway regardless|area region|ask inquire
attempt effort|begin start|believe think|big large|brief short|build construct
business firm|but yet|buy purchase|called named|car automobile|careful cautious
cause reason|change alter|cheap inexpensive|choose select|clear obvious|close shut
collect gather|common frequent|company corporation|complete finish|consider regard|cost price
country nation|create produce|current present|danger risk|decline decrease|difficult hard
discover find|doubt uncertainty|during throughout|early premature|easy simple|emphasize stress
end conclusion|enough sufficient|entire whole|error mistake|especially particularly|evident plain
expect anticipate|explain clarify|famous renowned|fast quick|fight battle|forbid prohibit
frequently often|fully completely|get obtain|give provide|goal aim|gift donation
good fine|government administration|grow expand|happen occur|happy glad|help assist
however nevertheless|huge enormous|idea notion|important significant|improve enhance|increase rise
job occupation|join connect|keep retain|lately recently|law statute|lead guide
leave depart|like resembling|limit restrict|little small|look glance|mainly chiefly
make manufacture|many numerous|maybe perhaps|meeting conference|method procedure|money cash
mostly largely|need require|new novel|now currently|old ancient|only merely
opponent rival|path route|people persons|place location|possible feasible|previous earlier
problem difficulty|proof evidence|quiet silent|quite rather|rapidly swiftly|record document
repair mend|report account|result outcome|rich wealthy|rule regulation|sad unhappy
said stated|say declare|see observe|several various|show demonstrate|since because
speak talk|spending expenditure|strange odd|strong powerful|sure certain|task duty
tell inform|therefore thus|told informed|total sum|town city|try endeavour
under beneath|understand comprehend|use employ|usually generally|view opinion|want wish
weak feeble|while whereas|wide broad|workers labourers|world globe|wrong incorrect";

/// Replaces every word that the list has, in either direction.
pub(super) fn replace(pieces: &mut Pieces<'_>) {
    let mut list: Vec<(&str, &str)> = pairs().flat_map(|(a, b)| [(a, b), (b, a)]).collect();
    list.sort_unstable();
    for word in &mut pieces.words {
        let plain = word.text.to_lowercase();
        if let Ok(found) = list.binary_search_by(|(entry, _)| (*entry).cmp(&plain)) {
            word.text = Cow::Owned(in_case_of(&word.text, list[found].1));
        }
    }
}

fn pairs() -> impl Iterator<Item = (&'static str, &'static str)> {
    PAIRS
        .split(['|', '\n'])
        .filter_map(|pair| pair.split_once(' '))
}

/// A word of ASCII letters in the case of another one: all upper, first upper, or lower.
fn in_case_of(model: &str, word: &str) -> String {
    let is_upper = |c: char| c.is_uppercase();
    if model.len() > 1 && model.chars().all(is_upper) {
        return word.to_uppercase();
    }
    let mut word = word.to_owned();
    if model.starts_with(is_upper) {
        word[..1].make_ascii_uppercase();
    }
    word
}

#[cfg(test)]
mod tests {
    use super::super::Attack;
    use super::*;

    #[test]
    fn every_word_stands_in_one_pair() {
        let mut words: Vec<&str> = pairs().flat_map(|(a, b)| [a, b]).collect();
        assert!(words.len() >= 240, "{}", words.len());
        assert!(
            words
                .iter()
                .all(|word| word.bytes().all(|b| b.is_ascii_lowercase()))
        );
        words.sort_unstable();
        let repeated: Vec<&[&str]> = words.windows(2).filter(|pair| pair[0] == pair[1]).collect();
        assert!(repeated.is_empty(), "{repeated:?}");
    }

    #[test]
    fn in_both_directions_and_any_case() {
        let attacked = Attack::Synonym.apply("The BIG town; Large city.", &[], 0);
        assert_eq!(attacked, "The LARGE city; Big town.");
    }
}
