"""What the jobs of the libraries have in common: lines in, shingles, pairs out."""

import json


def documents(path):
    """Number and text of each document."""
    with open(path, encoding="ascii") as lines:
        for line in lines:
            row = json.loads(line)
            yield int(row["id"]), row["text"]


def shingles(text):
    """The runs of five words."""
    words = text.split(" ")
    return {" ".join(words[start : start + 5]) for start in range(len(words) - 4)}


def write(path, pairs):
    """Writes pairs of numbers, the lower one first, each once."""
    with open(path, "w", encoding="ascii") as out:
        for left, right in sorted({(min(pair), max(pair)) for pair in pairs}):
            out.write(f"{left:07d},{right:07d}\n")
