CREATE TABLE accounts (
  name TEXT PRIMARY KEY,
  role TEXT NOT NULL,
  -- The sets that it is limited to, as JSON; NULL for all of them.
  sets TEXT,
  salt BLOB NOT NULL,
  hash BLOB NOT NULL,
  created INTEGER NOT NULL
) STRICT;

-- Only hashes: who has this file can log in as nobody.
CREATE TABLE tokens (
  hash BLOB PRIMARY KEY,
  account TEXT NOT NULL REFERENCES accounts ON DELETE CASCADE,
  label TEXT NOT NULL,
  created INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
  hash BLOB PRIMARY KEY,
  -- NULL for whoever came without an account.
  account TEXT REFERENCES accounts ON DELETE CASCADE,
  role TEXT NOT NULL,
  forms TEXT NOT NULL,
  expires INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE audit (
  number INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  account TEXT NOT NULL,
  action TEXT NOT NULL,
  detail TEXT NOT NULL
) STRICT;

CREATE TABLE jobs (
  id TEXT PRIMARY KEY,
  owner TEXT NOT NULL,
  state TEXT NOT NULL,
  created INTEGER NOT NULL,
  expires INTEGER NOT NULL,
  -- What is to be done, and what it came to, as JSON.
  task TEXT NOT NULL,
  outcome TEXT NOT NULL
) STRICT;

-- What was verified, so that many questions about one text are noticed.
CREATE TABLE questions (
  number INTEGER PRIMARY KEY,
  account TEXT NOT NULL,
  family INTEGER NOT NULL,
  at INTEGER NOT NULL,
  -- One digest in 2^shift.
  shift INTEGER NOT NULL,
  digests BLOB NOT NULL,
  -- The registered documents that have the most of it, as JSON.
  near TEXT NOT NULL
) STRICT;
CREATE INDEX questions_of ON questions (account, at);

CREATE TABLE notes (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
