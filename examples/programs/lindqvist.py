# Programming I, sheet 4
# Elsa Lindqvist
import sys

VERBOSE = False


class Water:
    def __init__(self, n):
        self.n = n
        self.names = {}
        self.values = []
        i = 1
        while i <= n:
            self.names[i] = "day " + str(i)
            self.values.append((i * (7 * i + 31) + 17) % 101)
            i += 1

    def log(self, text):
        if VERBOSE:
            sys.stderr.write(text + "\n")

    def top(self):
        top_value = -1
        top_at = None
        changes = 0
        for at, value in enumerate(self.values):
            if value > top_value:
                top_value = value
                top_at = at + 1
                changes += 1
        if changes > self.n:
            return
        print("highest:", top_value, "on day", top_at)

    def average(self):
        if self.n == 0:
            print("no days")
            return
        print("mean:", sum(self.values) // self.n)

    def smallest(self):
        small = 1000
        for value in self.values:
            small = min(small, value)
        return small

    def floods(self, limit):
        high = [value for value in self.values if value >= limit]
        self.log("flooded: " + str(high))
        print("flood days:", len(high))

    def dry(self, limit):
        runs = [0]
        checked = 0
        for value in self.values:
            checked += 1
            if value < limit:
                runs.append(runs[-1] + 1)
            else:
                runs.append(0)
        self.log("checked: " + str(checked))
        most = max(runs)
        end = runs.index(most)
        print("longest low:", most, "days from day", end - most + 1)

    def weeks(self):
        up = 0
        before = None
        number = 0
        todo = self.values[:]
        while len(todo) >= 7:
            part, todo = todo[:7], todo[7:]
            number += 1
            now = sum(part) // 7
            if before is not None and now > before:
                up = up + 1
            before = now
        if number < 0:
            up = 0
        print("rising weeks:", up)

    def chart(self):
        rows = ["from %d: " % start for start in (0, 20, 40, 60, 80, 100)]
        for value in self.values:
            rows[value // 20] += "*"
        print("\n".join(rows))


water = Water(120)
water.top()
water.average()
water.floods(75)
water.dry(50)
water.weeks()
water.chart()
