"""Texts → one JSONL file of a given size, the input of every tool.

All tools are to see the same shingles, so that only their methods differ. Texts are therefore written
as their words, lower-cased runs of `[a-z0-9]`, with one space between them: whoever splits at spaces,
at other characters than letters and digits, or by the rules of Unicode finds the same words. A
shingle is five consecutive words.

Texts are cut into documents of 2,000 words. Four fifths of the size are such documents, or as many as
there are; the rest are variants of them, made from a seed: copies with some words replaced, excerpts,
and documents that contain another one.
"""

import json
import pathlib
import random
import re

WORDS = re.compile(r"[a-z0-9]+")
PIECE = 2000
LEAST = 500


def texts_of(source):
    """The texts below a folder, or of the lines of a JSONL file, in the order of their names."""
    source = pathlib.Path(source)
    if source.is_dir():
        for path in sorted(path for path in source.rglob("*.txt") if path.is_file()):
            yield path.read_text(encoding="utf-8", errors="replace")
    else:
        with source.open(encoding="utf-8") as lines:
            for line in lines:
                yield json.loads(line)["text"]


def pieces_of(words):
    """A text as documents; what is left over at its end belongs to the last one."""
    start = 0
    while start < len(words):
        end = start + PIECE
        if len(words) - end < LEAST:
            end = len(words)
        yield words[start:end]
        start = end


class Writer:
    """Documents with numbers as ids."""

    def __init__(self, out):
        self.out, self.documents, self.bytes = out, 0, 0

    def write(self, words):
        text = " ".join(words)
        self.out.write('{"id":"%07d","text":"%s"}\n' % (self.documents, text))
        self.documents += 1
        self.bytes += len(text)


def variant(piece, other, vocabulary, chance):
    """A document that has much of another one."""
    kind = chance.randrange(4)
    rate = chance.uniform(0, 0.14)
    words = list(piece)
    if kind == 2:
        length = int(len(words) * chance.uniform(0.3, 0.9))
        start = chance.randrange(len(words) - length + 1)
        words, rate = words[start : start + length], rate / 4
    elif kind == 3:
        words, rate = words[: len(words) // 2] + other[: chance.randrange(len(other) + 1)], rate / 4
    for place in chance.sample(range(len(words)), int(rate * len(words))):
        words[place] = chance.choice(vocabulary)
    return words


def prepare(source, size, path):
    """Writes about `size` bytes of text; tells the number of documents and the bytes."""
    pieces, total = [], 0
    for text in texts_of(source):
        for piece in pieces_of(WORDS.findall(text.lower())):
            if total < 0.8 * size and len(piece) >= 50:
                total += sum(map(len, piece)) + len(piece)
                pieces.append(piece)
        if total >= 0.8 * size:
            break
    if not pieces:
        raise SystemExit(f"{source}: no texts of 50 words or more")
    chance = random.Random(size)
    vocabulary = pieces[0] + pieces[len(pieces) // 2] + pieces[-1]
    with open(path, "w", encoding="ascii") as out:
        writer = Writer(out)
        for piece in pieces:
            writer.write(piece)
        while writer.bytes < size:
            writer.write(variant(chance.choice(pieces), chance.choice(pieces), vocabulary, chance))
        return writer.documents, writer.bytes
