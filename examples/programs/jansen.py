"""Sheet 4: the lock at Harrowmere. Pieter Jansen"""
from collections import Counter
from itertools import groupby
from statistics import mean

gauge = {day: (7 * day**2 + 31 * day + 17) % 101 for day in range(1, 121)}


def highest():
    level, negative = max((level, -day) for day, level in gauge.items())
    return f"{level} on day {-negative}"


def longest_low():
    spells = [list(days) for low, days in groupby(gauge, key=lambda day: gauge[day] < 50) if low]
    spell = max(spells, key=len)
    return f"{len(spell)} days from day {spell[0]}"


def rising_weeks():
    levels = list(gauge.values())
    weeks = [int(mean(levels[start : start + 7])) for start in range(0, len(levels) - 6, 7)]
    return sum(after > before for before, after in zip(weeks, weeks[1:]))


answers = {
    "highest": highest(),
    "mean": int(mean(gauge.values())),
    "flood days": sum(level >= 75 for level in gauge.values()),
    "longest low": longest_low(),
    "rising weeks": rising_weeks(),
}
for question, answer in answers.items():
    print(f"{question}: {answer}")
bands = Counter(level // 20 for level in gauge.values())
for band in range(6):
    print(f"from {band * 20}: {'*' * bands[band]}")
