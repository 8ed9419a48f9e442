-- What came later. Programs that do not know these tables do not need them, so the version stays.

-- From where people have logged in: guesses of others do not keep them out there.
CREATE TABLE IF NOT EXISTS known_addresses (
  account TEXT NOT NULL REFERENCES accounts ON DELETE CASCADE,
  -- An address, or the first 64 bits of one of version 6.
  network TEXT NOT NULL,
  seen INTEGER NOT NULL,
  PRIMARY KEY (account, network)
) STRICT, WITHOUT ROWID;

-- Accounts that nobody can use for now.
CREATE TABLE IF NOT EXISTS disabled (
  account TEXT PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
  since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
