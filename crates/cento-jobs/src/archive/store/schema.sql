-- What the archive was made to be.
CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

-- Addresses of pages, or other names.
CREATE TABLE names (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);

-- Bytes that are stored once, whoever has them: pages, and the headers that they came with.
-- The large column is the last, so that the others are read without it.
CREATE TABLE payloads (
    id INTEGER PRIMARY KEY,
    -- What it is a patch against; null if it is whole.
    base INTEGER REFERENCES payloads (id),
    -- How many versions came between the whole one of its chain and this one.
    place INTEGER NOT NULL,
    length INTEGER NOT NULL,
    -- SHA-256 of the bytes.
    digest BLOB NOT NULL,
    packed BLOB NOT NULL
);
CREATE INDEX payloads_by_digest ON payloads (substr(digest, 1, 6));

-- Digests of texts. Most versions of a page have the one of the version before.
CREATE TABLE marks (
    id INTEGER PRIMARY KEY,
    mark TEXT NOT NULL UNIQUE
);

CREATE TABLE versions (
    name INTEGER NOT NULL REFERENCES names (id),
    version INTEGER NOT NULL,
    payload INTEGER NOT NULL REFERENCES payloads (id),
    -- Milliseconds since 1970.
    time INTEGER NOT NULL,
    -- 0 same bytes, 1 same text, 2 insignificant, 3 significant.
    kind INTEGER NOT NULL,
    -- The version that it was compared with, if it is not the one itself.
    root INTEGER,
    -- How similar it is to that, in ten-thousandths.
    similarity INTEGER,
    mark INTEGER REFERENCES marks (id),
    -- The fields of the web archive and the headers of the transfer.
    head INTEGER REFERENCES payloads (id),
    -- The bytes that were transferred, if they are not the page itself.
    transfer INTEGER REFERENCES payloads (id),
    -- A checksum of the row and of what it refers to.
    seal BLOB NOT NULL,
    PRIMARY KEY (name, version)
) WITHOUT ROWID;
CREATE INDEX versions_by_payload ON versions (payload);

-- SHA-1 of what was transferred, by which records of other programs refer to it.
CREATE TABLE sums (
    sum BLOB PRIMARY KEY,
    payload INTEGER NOT NULL REFERENCES payloads (id),
    transfer INTEGER REFERENCES payloads (id)
) WITHOUT ROWID;
CREATE INDEX sums_by_transfer ON sums (transfer) WHERE transfer IS NOT NULL;
