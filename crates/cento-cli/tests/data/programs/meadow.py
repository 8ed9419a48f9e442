#!/usr/bin/env python3
"""Counts what grows in a meadow."""
import math
from collections import defaultdict

LIMIT = 7
SEEN = []


class Plot:
    """A part of the meadow."""

    def __init__(self, name, width, height):
        self.name = name
        self.width = width
        self.height = height
        self.counts = {}

    def area(self):
        return self.width * self.height

    def add(self, plant, count=1):
        if plant in self.counts:
            self.counts[plant] += count
        else:
            self.counts[plant] = count
        return self

    def density(self, plant):
        found = self.counts.get(plant, 0)
        size = self.area()
        if size == 0:
            return 0.0
        return found / size

    def summary(self):
        parts = []
        for plant in sorted(self.counts):
            parts.append(f"{plant}: {self.counts[plant]}")
        text = ", ".join(parts)
        return text


def pseudo(seed):
    while True:
        seed = (seed * 75 + 74) % 65537
        yield seed


def grow(plots, plants, days):
    numbers = pseudo(5)
    for day in range(days):
        plot = plots[next(numbers) % len(plots)]
        plant = plants[next(numbers) % len(plants)]
        if day % 5 == 4:
            continue
        plot.add(plant, count=1 + day % 3)
    return plots


def primes(limit):
    found = []
    for n in range(2, limit):
        prime = True
        for d in range(2, int(math.sqrt(n)) + 1):
            if n % d == 0:
                prime = False
                break
        if prime:
            found.append(n)
    return found


def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n //= 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


def matrix(rows, columns):
    table = []
    for row in range(rows):
        line = []
        for column in range(columns):
            line.append(row * column)
        table.append(line)
    return table


def transpose(table):
    return [[row[i] for row in table] for i in range(len(table[0]))]


def letters(text):
    counts = defaultdict(int)
    for letter in text.lower():
        if not letter.isalpha():
            continue
        counts[letter] += 1
    best = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return best[:3]


def down(start):
    values = []
    for i in range(start, 0, -2):
        values.append(i)
    return values


def safe(divide, by):
    try:
        result = divide // by
    except ZeroDivisionError:
        result = None
        SEEN.append(divide)
    finally:
        total = len(SEEN)
    return result, total


def main():
    low = 3
    high = 4
    meadow = [Plot("north", low, high), Plot("south", 5, 2), Plot("bank", 0, 9)]
    plants = ["clover", "sorrel", "yarrow"]
    grow(meadow, plants, 30)
    for plot in meadow:
        print(plot.name, plot.area(), plot.summary())
        print("%.3f" % plot.density("clover"))
    print(primes(40)[:LIMIT], collatz(27))
    for line in transpose(matrix(3, 4)):
        print(" ".join(str(value) for value in line))
    print(letters("The town rebuilt its canal in nine years."))
    print(down(9), safe(7, 2), safe(7, 0))
    squares = {n: n ** 2 for n in range(5) if n != 3}
    print(squares, sum(squares.values()), max(squares))
    first, *rest = plants
    print(first, rest, "yes" if low < high else "no")


if __name__ == "__main__":
    main()
