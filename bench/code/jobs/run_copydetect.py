"""run_copydetect.py COLLECTIONS PAIRS max|mean: every pair of files of each folder of COLLECTIONS, scored by copydetect.

It tells what share of each file is in the other one; the pair's score is the larger share or the mean.
"""

import pathlib
import sys

from copydetect import CopyDetector

_, collections, pairs, way = sys.argv
with open(pairs, "w", encoding="utf-8") as out:
    for collection in sorted(pathlib.Path(collections).iterdir()):
        detector = CopyDetector(test_dirs=[str(collection)], display_t=0, silent=True, autoopen=False)
        detector.run()
        names = [pathlib.Path(name).name for name in detector.test_files]
        for i, left in enumerate(names):
            for j, right in enumerate(names[:i]):
                shares = detector.similarity_matrix[i, j]
                score = max(shares) if way == "max" else sum(shares) / 2
                print(collection.name, left, right, max(score, 0.0), sep="\t", file=out)
