"""What the jobs have in common: rows in, the numbers of the rows that are kept out."""

import json


def rows(path):
    """The texts of a JSONL file, in their order."""
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line)["text"] for line in lines]


def shingles(text):
    """The runs of five words."""
    words = text.split(" ")
    return {" ".join(words[start : start + 5]) for start in range(len(words) - 4)}


def write(path, kept):
    """Writes the numbers of the rows that are kept."""
    with open(path, "w", encoding="ascii") as out:
        out.writelines(f"{row}\n" for row in kept)
