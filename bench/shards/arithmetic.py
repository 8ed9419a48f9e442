#!/usr/bin/env python3
"""What a registry of many documents takes, from costs that were measured on one machine.

The costs are those of docs/results.md, section The registry, at 600 million postings. Prints the tables of
docs/scale.md.
"""

# Bytes of a posting, without and with stretches (1.47 times); of the catalogue for each document of 2,400.
BYTES, WITH_STRETCHES, CATALOGUE = 4.52, 4.52 * 1.47, 0.07 * 2400
# What a slice says of every document, whether it has postings of it or not; and of every block of 50 words.
SIDE, BLOCK = 16, 1
# CPU seconds for each posting: registering with all merges, and writing one segment of several again.
REGISTER, MERGE = 236.26 / 601_437_531, 68.16 / 601_437_531
# CPU seconds of a question of 2,400 digests.
QUESTION = 1 / 1384
# Bytes of a posting between machines, and of a document that a shard names in an answer.
SENT, NAMED = 12, 20
# Documents of one registry that is cut by digests.
OF_ONE = 100_000_000
# Bytes a second between two machines: a network of 10 Gbit/s, half used.
NETWORK = 10e9 / 8 / 2
CORES = 16


def size(count: float) -> str:
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if count < 1000 or unit == "TB":
            return f"{count:.3g} {unit}" if count < 1000 else f"{count:.0f} {unit}"
        count /= 1000
    return ""


def time(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.2g} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def row(documents: int, postings_each: int, nodes: int) -> str:
    postings = documents * postings_each
    registries = -(-documents // OF_ONE)
    shards = max(1, nodes // registries)
    of_node = postings * BYTES / nodes
    sides = documents / registries * SIDE
    stretches = postings * WITH_STRETCHES / nodes + sides + postings / 50 / registries * BLOCK
    cpu = postings * (REGISTER + MERGE) / nodes / CORES
    network = postings * SENT / nodes / NETWORK
    return (
        f"{documents / 1e6:>9,.0f} M {nodes:>6,} {registries:>4} x {shards:<4} {postings / 1e9:>8,.0f} G "
        f"{size(of_node + sides):>8} {size(stretches):>8} {size(documents * CATALOGUE / registries):>8} "
        f"{time(cpu):>8} {time(network):>8}"
    )


def main() -> None:
    for name, postings_each in (("pages of 500 words", 500), ("theses of 2,400 chunks", 2400)):
        print(name)
        print(" documents  nodes  reg x shards  postings     node  stretch  catalog  register  network")
        for documents in (100_000_000, 1_000_000_000, 10_000_000_000):
            for nodes in (10, 100, 1000):
                if nodes * OF_ONE >= documents:
                    print(row(documents, postings_each, nodes))
        print()
    digests = 2400
    print(f"a question of {digests:,} digests")
    print(" shards  to a shard  lookups   back, when 1,000 documents share something in each")
    for shards in (1, 10, 100, 1000):
        lookups = QUESTION / shards
        sent = digests * SENT / shards
        print(f"{shards:>7} {size(sent):>11} {lookups * 1e3:>6.3f} ms {size(1000 * NAMED * shards):>9}")


if __name__ == "__main__":
    main()
