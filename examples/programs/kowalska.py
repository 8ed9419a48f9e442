# Zofia Kowalska

class Lock:
    def __init__(self, days):
        self.days = days
        self.levels = []
        day = 1
        while day <= days:
            self.levels.append((day * (7 * day + 31) + 17) % 101)
            day += 1

    def report_highest(self):
        best_level = -1
        best_day = None
        for position, level in enumerate(self.levels):
            if level > best_level:
                best_level = level
                best_day = position + 1
        print("highest:", best_level, "on day", best_day)

    def report_mean(self):
        print("mean:", sum(self.levels) // self.days)

    def report_floods(self, mark):
        flooded = [level for level in self.levels if level >= mark]
        print("flood days:", len(flooded))

    def report_low(self, mark):
        # ends[i] says how many low days end with day i
        ends = [0]
        for level in self.levels:
            if level < mark:
                ends.append(ends[-1] + 1)
            else:
                ends.append(0)
        longest = max(ends)
        last = ends.index(longest)
        print("longest low:", longest, "days from day", last - longest + 1)

    def report_weeks(self):
        rising = 0
        previous = None
        rest = self.levels[:]
        while len(rest) >= 7:
            week, rest = rest[:7], rest[7:]
            current = sum(week) // 7
            if previous is not None and current > previous:
                rising = rising + 1
            previous = current
        print("rising weeks:", rising)

    def report_bands(self):
        lines = ["from %d: " % low for low in (0, 20, 40, 60, 80, 100)]
        for level in self.levels:
            lines[level // 20] += "*"
        print("\n".join(lines))


lock = Lock(120)
lock.report_highest()
lock.report_mean()
lock.report_floods(75)
lock.report_low(50)
lock.report_weeks()
lock.report_bands()
