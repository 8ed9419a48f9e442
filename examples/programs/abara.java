// Gauge report for the lock at Harrowmere. Chidi Abara, group 2.

class GaugeReport {
    static final int DAYS = 120;
    static final int FLOOD = 75;
    static final int LOW = 50;

    // The gauge as the sheet defines it, day 1 first.
    static int[] readGauge() {
        int[] levels = new int[DAYS];
        for (int day = 1; day <= DAYS; day++) {
            levels[day - 1] = (day * day * 7 + day * 31 + 17) % 101;
        }
        return levels;
    }

    static int highestDay(int[] levels) {
        int best = 0;
        for (int i = 1; i < levels.length; i++) {
            if (levels[i] > levels[best]) {
                best = i;
            }
        }
        return best + 1;
    }

    static int mean(int[] levels, int from, int to) {
        int sum = 0;
        for (int i = from; i < to; i++) {
            sum += levels[i];
        }
        return sum / (to - from);
    }

    static int floodDays(int[] levels) {
        int count = 0;
        for (int level : levels) {
            if (level >= FLOOD) {
                count++;
            }
        }
        return count;
    }

    // Prints the first of the longest spells.
    static void printLongestLow(int[] levels) {
        int bestStart = 0;
        int bestLength = 0;
        int start = 0;
        for (int i = 0; i <= levels.length; i++) {
            if (i == levels.length || levels[i] >= LOW) {
                if (i - start > bestLength) {
                    bestLength = i - start;
                    bestStart = start;
                }
                start = i + 1;
            }
        }
        System.out.println("longest low: " + bestLength + " days from day " + (bestStart + 1));
    }

    static int risingWeeks(int[] levels) {
        int rising = 0;
        int before = mean(levels, 0, 7);
        for (int week = 1; (week + 1) * 7 <= levels.length; week++) {
            int now = mean(levels, week * 7, (week + 1) * 7);
            if (now > before) {
                rising++;
            }
            before = now;
        }
        return rising;
    }

    static void printBands(int[] levels) {
        int[] bands = new int[6];
        for (int level : levels) {
            bands[level / 20]++;
        }
        for (int band = 0; band < bands.length; band++) {
            StringBuilder line = new StringBuilder("from " + band * 20 + ": ");
            for (int star = 0; star < bands[band]; star++) {
                line.append('*');
            }
            System.out.println(line.toString());
        }
    }

    public static void main(String[] args) {
        int[] levels = readGauge();
        int day = highestDay(levels);
        System.out.println("highest: " + levels[day - 1] + " on day " + day);
        System.out.println("mean: " + mean(levels, 0, levels.length));
        System.out.println("flood days: " + floodDays(levels));
        printLongestLow(levels);
        System.out.println("rising weeks: " + risingWeeks(levels));
        printBands(levels);
    }
}
