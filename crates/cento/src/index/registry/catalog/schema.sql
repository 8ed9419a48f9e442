-- The catalogue of a registry, version 1. docs/format.md says what everything means.
-- SQLite does not notice a bit that a disk has turned, so every row has a checksum of its own.
CREATE TABLE settings (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE documents (
  number     INTEGER PRIMARY KEY AUTOINCREMENT,
  id         TEXT NOT NULL,
  version    INTEGER NOT NULL,
  label      TEXT,
  submitter  TEXT,
  set_name   TEXT,
  date       TEXT,
  expires    TEXT,
  registered TEXT NOT NULL,
  words      INTEGER NOT NULL,
  digests    INTEGER NOT NULL,
  ignored    INTEGER NOT NULL,
  content    BLOB NOT NULL,
  file       BLOB,
  extractor  TEXT,
  checksum   INTEGER NOT NULL,
  UNIQUE (id, version)
) STRICT;
CREATE INDEX documents_by_submitter ON documents (submitter) WHERE submitter IS NOT NULL;
CREATE INDEX documents_by_set ON documents (set_name) WHERE set_name IS NOT NULL;
CREATE INDEX documents_by_expiry ON documents (expires) WHERE expires IS NOT NULL;
CREATE INDEX documents_by_file ON documents (file) WHERE file IS NOT NULL;
CREATE INDEX documents_by_content ON documents (content);

CREATE TABLE segments (
  number    INTEGER PRIMARY KEY AUTOINCREMENT,
  documents BLOB NOT NULL,
  postings  INTEGER NOT NULL,
  bytes     INTEGER NOT NULL,
  checksum  INTEGER NOT NULL
) STRICT;

CREATE TABLE keepsakes (
  document INTEGER PRIMARY KEY REFERENCES documents (number),
  content  BLOB NOT NULL,
  checksum INTEGER NOT NULL
) STRICT;

-- Older programs kept a list here, and look for the table. It is empty.
CREATE TABLE pairs (
  earlier  INTEGER NOT NULL REFERENCES documents (number),
  later    INTEGER NOT NULL REFERENCES documents (number),
  shared   INTEGER NOT NULL,
  checksum INTEGER NOT NULL,
  PRIMARY KEY (later, earlier)
) STRICT, WITHOUT ROWID;
CREATE INDEX pairs_by_earlier ON pairs (earlier);

CREATE TABLE ignored (
  name     TEXT NOT NULL,
  set_name TEXT NOT NULL,
  digest   INTEGER NOT NULL,
  checksum INTEGER NOT NULL,
  PRIMARY KEY (set_name, name, digest)
) STRICT, WITHOUT ROWID;
