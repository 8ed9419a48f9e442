"""The sum of the squares of even numbers."""
import sys
from typing import List


def is_even(n: int) -> bool:
    """Whether n is even."""
    return n % 2 == 0


class Sum:
    def __init__(self, start=0):
        self.total = start

    def add(self, n):
        self.total = self.total + n ** 2  # squared


total: int
s = Sum()
for k in range(1, 11):
    if is_even(k) and not k > 8:
        s.add(k)
    elif k == 3: pass
    else:
        print(f"skip {k}")
print("sum:", s.total if s else 'none')
