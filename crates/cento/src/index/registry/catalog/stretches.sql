-- The stretches of the documents of a segment, in a file with the same number.
CREATE TABLE stretches (
  segment   INTEGER PRIMARY KEY REFERENCES segments (number),
  -- For each document in turn its number and how many blocks it has.
  documents BLOB NOT NULL,
  postings  INTEGER NOT NULL,
  bytes     INTEGER NOT NULL,
  checksum  INTEGER NOT NULL
) STRICT;
