-- The highest number that a forgotten version of a page had, so that it is not given again. Of a page that
-- was forgotten as a whole this is all that stays.
CREATE TABLE forgotten (
    -- SHA-256 of the name, which is itself forgotten.
    name BLOB PRIMARY KEY,
    version INTEGER NOT NULL,
    -- A checksum of the row.
    seal BLOB NOT NULL
) WITHOUT ROWID;
