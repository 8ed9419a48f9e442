#!/usr/bin/env python3
"""Prints what bench/report-page measured as a table: page_times.py WHAT FOLDER SECONDS [before]"""

import base64
import json
import pathlib
import re
import sys
import zlib

NAMES = {"opened": "opened from disk, first rows shown", "sorted": "sorted by a column", "scrolled": "scrolled to the end",
         "searched": "searched", "threshold": "threshold moved", "graph": "graph as it is first shown",
         "whole graph": "graph of all documents, if not all", "families": "families", "pair": "pair opened, both texts marked"}


def pairs(page):
    """How many pairs a page has: its data are JSON, deflated."""
    data = base64.b64decode(re.search(r'id="cento-report">([^<]*)<', page).group(1))
    return len(json.loads(zlib.decompress(data, -15))["pairs"])


def main():
    what, folder, seconds = sys.argv[1:4]
    report = pathlib.Path(folder, "report.html")
    times = json.loads(pathlib.Path(folder, "times.json").read_text())
    print(f"{what}: {pairs(report.read_text()):,} pairs, report.html has {report.stat().st_size / 2**20:.1f} MiB")
    print(f"scanned, aligned and written in {float(seconds):.1f} s\n")
    heads = ["SECONDS", "OF THESE BUSY"] + (["BEFORE", "OF THESE BUSY"] if len(times) > 1 else [])
    print(f"{'WHAT':<36}" + "".join(f" {head:>13}" for head in heads))
    for name, words in NAMES.items():
        cells = [f"{value / 1000:.2f}" if value is not None else "–" for page in times for value in page.get(name, [None, None])]
        print(f"{words:<36}" + "".join(f" {cell:>13}" for cell in cells))


if __name__ == "__main__":
    main()
