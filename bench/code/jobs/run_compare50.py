"""run_compare50.py COLLECTIONS PAIRS PASS: every pair of files of each folder of COLLECTIONS, ranked by a pass of compare50."""

import pathlib
import sys

import compare50
from compare50 import _api, _data


def main():
    _, collections, pairs, name = sys.argv
    which = _data.Pass._get(name)
    preprocessor = _data.Preprocessor(which.preprocessors)
    with open(pairs, "w", encoding="utf-8") as out:
        for collection in sorted(pathlib.Path(collections).iterdir()):
            files = sorted(path.name for path in collection.iterdir())
            submissions = [compare50.Submission(collection, [file], preprocessor=preprocessor) for file in files]
            with _api.progress_bar("", disable=True):
                scores = compare50.rank(submissions, [], set(), which, n=len(files) ** 2)
            for score in scores:
                names = [str(submission.files[0].name) for submission in (score.sub_a, score.sub_b)]
                print(collection.name, *names, score.score, sep="\t", file=out)


if __name__ == "__main__":
    main()
