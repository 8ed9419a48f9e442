// Sheet 4, the lock. Núria Castell

class Lock {
    static void bands(int[] measured) {
        int[] columns = new int[6];
        int at = 0;
        while (at < measured.length) {
            columns[measured[at] / 20]++;
            at++;
        }
        for (int column = 0; column < columns.length; column++) {
            StringBuilder text = new StringBuilder("from " + column * 20 + ": ");
            int left = columns[column];
            while (left > 0) {
                text.append('*');
                left--;
            }
            System.out.println(text.toString());
        }
    }

    static int weeksUp(int[] measured) {
        int previous = average(measured, 0, 7);
        int up = 0;
        int week = 1;
        while ((week + 1) * 7 <= measured.length) {
            int current = average(measured, week * 7, (week + 1) * 7);
            if (previous < current) {
                up++;
            }
            previous = current;
            week++;
        }
        return up;
    }

    static void lowSpell(int[] measured) {
        int spellFrom = 0;
        int longest = 0;
        int longestFrom = 0;
        for (int i = 0; i <= measured.length; i++) {
            if (i == measured.length || measured[i] >= LOW_LEVEL) {
                if (longest < i - spellFrom) {
                    longestFrom = spellFrom;
                    longest = i - spellFrom;
                }
                spellFrom = i + 1;
            }
        }
        System.out.println("longest low: " + longest + " days from day " + (longestFrom + 1));
    }

    static int floods(int[] measured) {
        int number = 0;
        for (int value : measured) {
            if (value >= FLOOD_LEVEL) {
                number++;
            }
        }
        return number;
    }

    static int average(int[] measured, int from, int to) {
        int all = 0;
        int i = from;
        while (i < to) {
            all += measured[i];
            i++;
        }
        return all / (to - from);
    }

    public static void main(String[] args) {
        int[] measured = measure();
        int top = top(measured);
        System.out.println("highest: " + measured[top - 1] + " on day " + top);
        System.out.println("mean: " + average(measured, 0, measured.length));
        System.out.println("flood days: " + floods(measured));
        lowSpell(measured);
        System.out.println("rising weeks: " + weeksUp(measured));
        bands(measured);
    }

    static int top(int[] measured) {
        int place = 0;
        for (int i = 1; i < measured.length; i++) {
            if (measured[place] < measured[i]) {
                place = i;
            }
        }
        return place + 1;
    }

    static int[] measure() {
        int[] measured = new int[NUMBER];
        for (int day = 1; day <= NUMBER; day++) {
            measured[day - 1] = (day * day * 7 + day * 31 + 17) % 101;
        }
        return measured;
    }

    static final int LOW_LEVEL = 50;
    static final int FLOOD_LEVEL = 75;
    static final int NUMBER = 120;
}
