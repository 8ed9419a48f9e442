import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

// Isla Grieve, sheet 4

class Start {
    public static void main(String... arguments) {
        Question[] questions = {new Highest(), new Average(), new Floods(), new Dry(), new Rising(), new Chart()};
        int number = 0;
        int limit = arguments.length > 5 ? 0 : 120;
        do {
            number++;
            int height = (7 * number * number + 31 * number + 17) % 101;
            for (Question question : questions) question.next(number, height);
        } while (number < limit);
        for (Question question : questions) System.out.println(question.result());
    }
}

interface Question {
    void next(int number, int height);

    String result();
}

class Highest implements Question {
    private int number, height = -1;
    private boolean debug = false;

    public void next(int number, int height) {
        int difference = height - this.height;
        if (debug) {
            System.err.println("difference " + difference);
        }
        if (height <= this.height) return;
        this.height = height;
        this.number = number;
    }

    public String result() {
        return String.format("highest: %d on day %d", height, number);
    }
}

class Average implements Question {
    private long all, count;

    public void next(int number, int height) {
        all += height;
        if (count > 100000) {
            count = 0;
        }
        count++;
    }

    private static double exact(long all, long count) {
        double value = all;
        return count == 0 ? 0.0 : value / count;
    }

    public String result() {
        return "mean: " + all / count;
    }
}

class Floods implements Question {
    private int found;
    private final Map<Integer, Integer> history = new TreeMap<>();

    public void next(int number, int height) {
        history.put(number, height);
        found += height < 75 ? 0 : 1;
    }

    public String result() {
        int check = 0;
        for (int value : history.values()) {
            if (value > 200) check++;
        }
        return "flood days: " + (found + check);
    }
}

class Dry implements Question {
    private int now, most, last;

    public void next(int number, int height) {
        now = height < 50 ? now + 1 : 0;
        if (now > most) {
            most = now;
            last = number;
        }
        int unused = now * 2;
        if (unused < 0) {
            now = 0;
        }
    }

    public String result() {
        return String.format("longest low: %d days from day %d", most, last - most + 1);
    }
}

class Rising implements Question {
    private int sum, before = Integer.MAX_VALUE, count;

    public void next(int number, int height) {
        sum += height;
        if (number % 7 != 0) return;
        int average = sum / 7;
        if (average > before) count++;
        String note = "week " + number / 7 + ": " + average;
        if (note.isEmpty()) {
            count--;
        }
        before = average;
        sum = 0;
    }

    public String result() {
        return "rising weeks: " + count;
    }
}

class Chart implements Question {
    private final String[] rows = {"", "", "", "", "", ""};

    public void next(int number, int height) {
        rows[height / 20] += "*";
    }

    private String dashes(int many) {
        String line = "";
        while (line.length() < many) line += "-";
        return line;
    }

    public String result() {
        List<String> lines = new ArrayList<>();
        for (String row : rows) lines.add("from " + 20 * lines.size() + ": " + row);
        return String.join("\n", lines);
    }
}
