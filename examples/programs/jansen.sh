#!/bin/sh
# Counts the days of each band, without the bars.
set -eu
cd "$(dirname "$0")"
python3 jansen.py | grep '^from' | while IFS=: read -r band bar; do
    stars=$(printf '%s' "$bar" | tr -cd '*' | wc -c)
    if [ "$stars" -gt 0 ]; then
        printf '%s %d\n' "${band#from }" "$stars"
    fi
done
