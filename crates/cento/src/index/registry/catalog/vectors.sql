-- The vectors of the documents of a segment, in a file with the same number.
CREATE TABLE vectors (
  segment  INTEGER PRIMARY KEY REFERENCES segments (number),
  vectors  INTEGER NOT NULL,
  bytes    INTEGER NOT NULL,
  checksum INTEGER NOT NULL
) STRICT;
