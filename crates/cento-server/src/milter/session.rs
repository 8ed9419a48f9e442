//! One connection of a mail server: commands in, replies out.

use super::packet::{Command, Reply};

const VERSION: u32 = 6;

/// What a filter may do, of which we do these: add fields, change fields.
const ADD_FIELDS: u32 = 0x01;
const CHANGE_FIELDS: u32 = 0x10;

/// Steps that we need not hear of: connection, greeting, sender, recipients, unknown commands, the beginning
/// of the message.
const NOT_SENT: u32 = 0x01 | 0x02 | 0x04 | 0x08 | 0x100 | 0x200;
/// Steps that are sent without waiting for an answer.
const NO_REPLY_TO_FIELDS: u32 = 0x80;
const NO_REPLY_TO_END_OF_FIELDS: u32 = 0x4_0000;
const NO_REPLY_TO_BODY: u32 = 0x8_0000;

/// What is known of a message so far.
pub(super) struct Session {
    name: &'static str,
    /// Bytes of a message; of a longer one nothing is said.
    longest: usize,
    /// What was agreed not to be answered.
    unanswered: u32,
    can_change: bool,
    message: Vec<u8>,
    is_body: bool,
    is_too_long: bool,
    /// How many fields of our name came with it.
    forged: u32,
}

/// What a command leads to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Send these.
    Reply(Vec<Reply>),
    Close,
}

/// A message as it came, or that it is too long.
#[derive(Clone, Copy)]
pub(super) enum Given<'m> {
    Message(&'m [u8]),
    TooLong,
}

impl Session {
    /// A session that writes fields of a name.
    pub(super) fn new(name: &'static str, longest: usize) -> Session {
        Session {
            name,
            longest,
            unanswered: 0,
            can_change: false,
            message: Vec::new(),
            is_body: false,
            is_too_long: false,
            forged: 0,
        }
    }

    /// Does what a command says. At the end of a message `verdict` is asked for the value of its field; there
    /// may be none.
    pub(super) fn step(
        &mut self,
        command: Command,
        verdict: impl FnOnce(Given<'_>) -> Option<String>,
    ) -> Step {
        let mut replies = Vec::new();
        match command {
            Command::Negotiate([version, actions, steps]) => {
                replies.push(self.negotiate(version, actions, steps));
            }
            Command::Header { name, value } => {
                self.field(&name, &value);
                self.unless_agreed(NO_REPLY_TO_FIELDS, &mut replies);
            }
            Command::Body(piece) => {
                self.body(&piece);
                self.unless_agreed(NO_REPLY_TO_BODY, &mut replies);
            }
            Command::End(piece) => {
                self.body(&piece);
                self.end(verdict, &mut replies);
                self.forget();
                replies.push(Reply::Continue);
            }
            Command::Abort | Command::QuitAndGoOn => self.forget(),
            Command::Quit => return Step::Close,
            Command::Macro => {}
            Command::EndOfHeader => self.unless_agreed(NO_REPLY_TO_END_OF_FIELDS, &mut replies),
            Command::Other => replies.push(Reply::Continue),
        }
        Step::Reply(replies)
    }

    fn negotiate(&mut self, version: u32, actions: u32, steps: u32) -> Reply {
        let wanted = ADD_FIELDS | CHANGE_FIELDS;
        self.can_change = actions & wanted == wanted;
        let silent = NO_REPLY_TO_FIELDS | NO_REPLY_TO_END_OF_FIELDS | NO_REPLY_TO_BODY;
        self.unanswered = steps & silent;
        let steps = steps & (NOT_SENT | silent);
        Reply::Negotiate([version.min(VERSION), actions & wanted, steps])
    }

    fn unless_agreed(&self, silent: u32, replies: &mut Vec<Reply>) {
        if self.unanswered & silent == 0 {
            replies.push(Reply::Continue);
        }
    }

    fn field(&mut self, name: &[u8], value: &[u8]) {
        if name.trim_ascii().eq_ignore_ascii_case(self.name.as_bytes()) {
            self.forged = self.forged.saturating_add(1);
            return;
        }
        for part in [name, b": ", value, b"\r\n"] {
            self.take(part);
        }
    }

    fn body(&mut self, piece: &[u8]) {
        if !self.is_body {
            self.is_body = true;
            self.take(b"\r\n");
        }
        self.take(piece);
    }

    fn take(&mut self, bytes: &[u8]) {
        if self.message.len() + bytes.len() > self.longest {
            self.is_too_long = true;
            self.message = Vec::new();
        }
        if !self.is_too_long {
            self.message.extend_from_slice(bytes);
        }
    }

    fn end(&mut self, verdict: impl FnOnce(Given<'_>) -> Option<String>, replies: &mut Vec<Reply>) {
        let given = if self.is_too_long {
            Given::TooLong
        } else {
            Given::Message(&self.message)
        };
        let value = verdict(given);
        if !self.can_change {
            return;
        }
        let name = self.name;
        // From the last one on, so that the others keep their places.
        let places = (1..=self.forged).rev();
        replies.extend(places.map(|place| Reply::Delete { name, place }));
        replies.extend(value.map(|value| Reply::Add { name, value }));
    }

    fn forget(&mut self) {
        let agreed = (self.unanswered, self.can_change);
        *self = Session::new(self.name, self.longest);
        (self.unanswered, self.can_change) = agreed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POSTFIX: Command = Command::Negotiate([6, 0x1ff, 0x001f_ffff]);

    fn field(name: &str, value: &str) -> Command {
        Command::Header {
            name: name.as_bytes().to_vec(),
            value: value.as_bytes().to_vec(),
        }
    }

    fn verdict(given: Given<'_>) -> Option<String> {
        match given {
            Given::Message(message) => Some(format!("{} bytes", message.len())),
            Given::TooLong => None,
        }
    }

    fn steps(session: &mut Session, commands: Vec<Command>) -> Vec<Reply> {
        let mut all = Vec::new();
        for command in commands {
            match session.step(command, verdict) {
                Step::Reply(replies) => all.extend(replies),
                Step::Close => break,
            }
        }
        all
    }

    #[test]
    fn a_message_gets_its_field_and_loses_forged_ones() {
        let mut session = Session::new("X-Own", 1000);
        let replies = steps(
            &mut session,
            vec![
                POSTFIX,
                Command::Macro,
                field("To", "a"),
                field("x-own", "forged"),
                field("X-OWN", "again"),
                Command::EndOfHeader,
                Command::Body(b"text\r\n".to_vec()),
                Command::End(b"more\r\n".to_vec()),
            ],
        );
        let name = "X-Own";
        let expected = [
            Reply::Negotiate([6, 0x11, 0xc_038f]),
            Reply::Delete { name, place: 2 },
            Reply::Delete { name, place: 1 },
            Reply::Add {
                name,
                // To: a, an empty line, text, more
                value: "21 bytes".to_owned(),
            },
            Reply::Continue,
        ];
        assert_eq!(replies, expected);
        // The next message through the same connection has nothing of the first.
        let replies = steps(&mut session, vec![Command::End(Vec::new())]);
        let value = "2 bytes".to_owned();
        assert_eq!(replies, [Reply::Add { name, value }, Reply::Continue]);
    }

    #[test]
    fn an_old_mail_server_is_answered_at_every_step() {
        let mut session = Session::new("X-Own", 1000);
        let old = Command::Negotiate([2, 0x3f, 0x7f]);
        let replies = steps(
            &mut session,
            vec![
                old,
                field("To", "a"),
                Command::Other,
                Command::Body(Vec::new()),
            ],
        );
        let [first, rest @ ..] = replies.as_slice() else {
            panic!("no reply");
        };
        assert_eq!(*first, Reply::Negotiate([2, 0x11, 0x0f]));
        assert_eq!(rest, [Reply::Continue, Reply::Continue, Reply::Continue]);
    }

    #[test]
    fn a_message_that_is_too_long_or_aborted_gets_none() {
        let mut session = Session::new("X-Own", 10);
        let long = vec![
            POSTFIX,
            field("X-Own", "forged"),
            Command::Body(vec![b'a'; 20]),
            Command::End(Vec::new()),
        ];
        let replies = steps(&mut session, long);
        assert_eq!(replies.len(), 3);
        assert!(matches!(replies[1], Reply::Delete { place: 1, .. }));
        let aborted = vec![
            Command::Body(vec![b'a'; 20]),
            Command::Abort,
            Command::End(b"b".to_vec()),
        ];
        assert_eq!(steps(&mut session, aborted).len(), 2);
    }
}
