"""How well scores tell copies from others: ROC AUC and average precision, with bootstrap intervals."""

import random


def quality(ranked, counts):
    """AUC and average precision of (score, copied) in falling order of score, each counted so many times.

    Pairs of equal score are one step: none of them stands before another.
    """
    copies = sum(count for (_, copied), count in zip(ranked, counts) if copied)
    others = sum(counts) - copies
    if not copies or not others:
        return None
    right = wrong = 0
    area = precision = 0.0
    place = 0
    while place < len(ranked):
        score, plus, minus = ranked[place][0], 0, 0
        while place < len(ranked) and ranked[place][0] == score:
            if ranked[place][1]:
                plus += counts[place]
            else:
                minus += counts[place]
            place += 1
        area += minus * (right + plus / 2)
        right, wrong = right + plus, wrong + minus
        if plus:
            precision += plus * right / (right + wrong)
    return area / (copies * others), precision / copies


def intervals(scores, labels, rounds=1000, seed=1):
    """(AUC, low, high), (average precision, low, high): 95 % of the resamples of the pairs are within.

    The same seed draws the same pairs for every tool.
    """
    order = sorted(range(len(scores)), key=lambda place: -scores[place])
    ranked = [(scores[place], labels[place]) for place in order]
    where = {place: rank for rank, place in enumerate(order)}
    dice = random.Random(seed)
    drawn = []
    for _ in range(rounds):
        counts = [0] * len(scores)
        for place in dice.choices(range(len(scores)), k=len(scores)):
            counts[where[place]] += 1
        drawn.append(quality(ranked, counts))
    drawn = [pair for pair in drawn if pair]
    answer = []
    for which, value in enumerate(quality(ranked, [1] * len(ranked))):
        sample = sorted(pair[which] for pair in drawn)
        answer.append((value, sample[int(0.025 * len(sample))], sample[int(0.975 * len(sample))]))
    return answer
