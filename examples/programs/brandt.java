import java.util.ArrayList;
import java.util.List;

/** One pass over the days; every question is an observer that sees each of them. Jonas Brandt */
class Main {
    public static void main(String... none) {
        Observer[] all = {new Peak(), new Mean(), new Flood(), new Spell(), new Weeks(), new Bands()};
        int day = 0;
        do {
            day++;
            int level = (7 * day * day + 31 * day + 17) % 101;
            for (Observer one : all) one.see(day, level);
        } while (day < 120);
        for (Observer one : all) System.out.println(one.answer());
    }
}

interface Observer {
    void see(int day, int level);

    String answer();
}

class Peak implements Observer {
    private int day, level = -1;

    public void see(int day, int level) {
        if (level <= this.level) return;
        this.level = level;
        this.day = day;
    }

    public String answer() {
        return String.format("highest: %d on day %d", level, day);
    }
}

class Mean implements Observer {
    private long sum, seen;

    public void see(int day, int level) {
        sum += level;
        seen++;
    }

    public String answer() {
        return "mean: " + sum / seen;
    }
}

class Flood implements Observer {
    private int days;

    public void see(int day, int level) {
        days += level < 75 ? 0 : 1;
    }

    public String answer() {
        return "flood days: " + days;
    }
}

class Spell implements Observer {
    private int length, longest, end;

    public void see(int day, int level) {
        length = level < 50 ? length + 1 : 0;
        if (length > longest) {
            longest = length;
            end = day;
        }
    }

    public String answer() {
        return String.format("longest low: %d days from day %d", longest, end - longest + 1);
    }
}

class Weeks implements Observer {
    private int week, last = Integer.MAX_VALUE, rising;

    public void see(int day, int level) {
        week += level;
        if (day % 7 != 0) return;
        int mean = week / 7;
        if (mean > last) rising++;
        last = mean;
        week = 0;
    }

    public String answer() {
        return "rising weeks: " + rising;
    }
}

class Bands implements Observer {
    private final String[] bars = {"", "", "", "", "", ""};

    public void see(int day, int level) {
        bars[level / 20] += "*";
    }

    public String answer() {
        List<String> lines = new ArrayList<>();
        for (String bar : bars) lines.add("from " + 20 * lines.size() + ": " + bar);
        return String.join("\n", lines);
    }
}
