-- What was verified, so that many questions about one text are noticed: `oracle/` says what of it.
DROP TABLE questions;
CREATE TABLE questions (
  number INTEGER PRIMARY KEY,
  account TEXT NOT NULL,
  at INTEGER NOT NULL,
  is_answered INTEGER NOT NULL,
  -- The keyed hash of the whole text.
  same BLOB NOT NULL UNIQUE,
  -- Keyed hashes of pairs of words, eight bytes each.
  pairs BLOB NOT NULL
) STRICT;
CREATE INDEX questions_at ON questions (at);
CREATE INDEX questions_of ON questions (account);

-- Some of the pairs, by which earlier questions are found.
CREATE TABLE question_marks (
  mark INTEGER NOT NULL,
  question INTEGER NOT NULL REFERENCES questions ON DELETE CASCADE,
  PRIMARY KEY (mark, question)
) STRICT, WITHOUT ROWID;
CREATE INDEX question_marks_of ON question_marks (question);

-- From where people have logged in: guesses of others do not keep them out there.
CREATE TABLE known_addresses (
  account TEXT NOT NULL REFERENCES accounts ON DELETE CASCADE,
  -- An address, or the first 64 bits of one of version 6.
  network TEXT NOT NULL,
  seen INTEGER NOT NULL,
  PRIMARY KEY (account, network)
) STRICT, WITHOUT ROWID;

-- Accounts that nobody can use for now.
CREATE TABLE disabled (
  account TEXT PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
  since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
