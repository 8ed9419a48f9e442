"""A class in a notebook: which essays share text, and where.

Each block is a cell. `report` as the last line of a cell shows the pairs as a table.

    python examples/python/class.py
"""

# %%
from pathlib import Path

import cento

examples = Path(__file__).parent.parent
report = cento.scan(examples / "essays", base=examples / "template.txt")
report

# %% The pairs as a table: `.to_pandas()` and `.to_polars()` work, too.
for pair in report.pairs.to_pylist():
    print(f"{pair['left']:15} {pair['right']:15} {pair['share_left']:.0%} {pair['share_right']:.0%}")

# %% Where two of them correspond.
template = cento.read(examples / "template.txt")
essays = [cento.read(examples / "essays" / name) for name in ("brandt.txt", "dvorak.txt")]
left, right = (essay.removeprefix(template) for essay in essays)
passages = cento.align(left, right)
longest = max(passages, key=lambda passage: passage.left_end - passage.left_start)
print(longest.kind, left[longest.left][:60].replace("\n", " "))

# %% The page that `cento scan -o report.html` writes.
page = report.html()
print(page.startswith("<!DOCTYPE html>"))
