#!/bin/sh
# how many days in which band - Z. Kowalska
set -eu
cd "$(dirname "$0")"
python3 kowalska.py | grep '^from' | while IFS=: read -r name line; do
    n=$(printf '%s' "$line" | tr -cd '*' | wc -c)
    if [ "$n" -gt 0 ]; then
        printf '%s %d\n' "${name#from }" "$n"
    fi
done
