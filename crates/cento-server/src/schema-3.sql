-- What people have decided about the pairs of a report: every decision is kept, and the latest counts.
CREATE TABLE decisions (
  number INTEGER PRIMARY KEY,
  job TEXT NOT NULL REFERENCES jobs ON DELETE CASCADE,
  at INTEGER NOT NULL,
  account TEXT NOT NULL,
  left_id TEXT NOT NULL,
  right_id TEXT NOT NULL,
  -- Empty where somebody took the decision before back.
  state TEXT NOT NULL,
  note TEXT NOT NULL
) STRICT;
CREATE INDEX decisions_of ON decisions (job, number);
