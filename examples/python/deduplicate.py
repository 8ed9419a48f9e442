"""Deduplicate a table and look at how alike its documents are.

    python examples/python/deduplicate.py [TABLE.jsonl] [-o FILE.png]

Without a table it makes one up. With matplotlib the histogram is a picture, without it lines of stars.
"""

import argparse
import json
import random
from collections import Counter
from pathlib import Path

import cento


def made_up(seed: int = 1) -> list[dict[str, str]]:
    """Documents of which some were copied and changed a little."""
    chance = random.Random(seed)
    words = "town canal bridge water years loan price bread war essay river stone winter harvest".split()
    rows: list[dict[str, str]] = []
    for number in range(400):
        if rows and number % 4 == 0:
            text = chance.choice(rows)["text"].split()
            for _ in range(chance.randint(0, 6)):
                text[chance.randrange(len(text))] = chance.choice(words)
        else:
            text = chance.choices(words, k=80)
        rows.append({"id": f"d{number}", "text": " ".join(text)})
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", nargs="?", type=Path)
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    if arguments.table:
        rows = [json.loads(line) for line in arguments.table.read_text().splitlines()]
    else:
        rows = made_up()

    # All rows, each with what was found about it. A pandas or Polars table would do as well.
    noted = cento.dedupe([row["text"] for row in rows], threshold=0.5, annotate=True)
    kept = sum(row["is_kept"] for row in noted)
    print(f"{kept} of {len(rows)} documents kept")

    alike = [row["similarity_to_kept"] for row in noted if not row["is_kept"]]
    if arguments.output:
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot

        pyplot.hist(alike, bins=20, range=(0.5, 1))
        pyplot.xlabel("similarity to the document that is kept")
        pyplot.ylabel("documents")
        pyplot.savefig(arguments.output)
    else:
        counts = Counter(min(int(one * 10), 9) for one in alike)
        for tenth in range(5, 10):
            print(f"{tenth / 10:.1f} {'*' * counts[tenth]}")


if __name__ == "__main__":
    main()
