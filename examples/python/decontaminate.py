"""Take the questions of a benchmark out of training data.

    python examples/python/decontaminate.py
"""

import cento

QUESTION = (
    "In which year did the council of Harrowmere decide to rebuild the canal, and how many years did the "
    "work take until the first barge passed the new lock?"
)

TRAINING = [
    {"id": "clean", "text": "A walk along the canal of Harrowmere, from the mill to the meadow."},
    {"id": "leaked", "text": f"Quiz of the week. {QUESTION} Send your answer on a postcard."},
    {"id": "near", "text": "When was the canal rebuilt? Ask the council of Harrowmere."},
]


def main() -> None:
    texts = [row["text"] for row in TRAINING]

    # Remove the documents,
    kept = cento.decontaminate(texts, against=[QUESTION])
    print(f"{len(kept)} of {len(texts)} documents are clean")

    # or cut out only what is in the test,
    cut = cento.decontaminate(texts, against=[QUESTION], passages=True)
    print(cut[1])

    # or look at what was found.
    for row, found in zip(TRAINING, cento.decontaminate(texts, against=[QUESTION], annotate=True)):
        print(row["id"], "is kept" if found["is_kept"] else "is removed")


if __name__ == "__main__":
    main()
