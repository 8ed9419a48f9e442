import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A mill and what it grinds. */
public class Mill {
    private static final int MOST = 5;
    private final String name;
    private int sacks;
    private final List<Sack> store = new ArrayList<>();

    Mill(String name) {
        this.name = name;
        this.sacks = 0;
    }

    Mill() {
        this("nameless");
    }

    boolean take(Sack sack) {
        if (store.size() >= MOST) {
            return false;
        }
        store.add(sack);
        sacks++;
        return true;
    }

    int weight() {
        int sum = 0;
        for (Sack sack : store) {
            sum += sack.weight;
        }
        return sum;
    }

    Sack heaviest() {
        Sack best = null;
        for (int i = 0; i < store.size(); i++) {
            Sack sack = store.get(i);
            if (best == null || sack.weight > best.weight) {
                best = sack;
            }
        }
        return best;
    }

    static int gcd(int a, int b) {
        while (b != 0) {
            int rest = a % b;
            a = b;
            b = rest;
        }
        return a;
    }

    static long factorial(int n) {
        if (n <= 1) return 1;
        return n * factorial(n - 1);
    }

    static boolean isPrime(int n) {
        if (n < 2) {
            return false;
        }
        for (int d = 2; d * d <= n; d++) {
            if (n % d == 0) {
                return false;
            }
        }
        return true;
    }

    static int[] sorted(int[] values) {
        int[] copy = values.clone();
        int count = copy.length;
        boolean changed = true;
        while (changed) {
            changed = false;
            for (int i = 1; i < count; i++) {
                if (copy[i - 1] > copy[i]) {
                    int kept = copy[i - 1];
                    copy[i - 1] = copy[i];
                    copy[i] = kept;
                    changed = true;
                }
            }
        }
        return copy;
    }

    static Map<String, Integer> tally(String[] words) {
        Map<String, Integer> counts = new HashMap<>();
        for (String word : words) {
            if (counts.containsKey(word)) {
                counts.put(word, counts.get(word) + 1);
            } else {
                counts.put(word, 1);
            }
        }
        return counts;
    }

    static String describe(Object thing) {
        if (thing instanceof Sack) {
            return "a sack";
        } else if (thing instanceof String) {
            String text = (String) thing;
            return "text of " + text.length();
        }
        return "something";
    }

    static double mean(double... values) {
        double sum = 0.0;
        int count = 0;
        for (double value : values) {
            if (value < 0) {
                continue;
            }
            sum += value;
            count++;
        }
        return count == 0 ? Double.NaN : sum / count;
    }

    static int half(String number) {
        int result;
        try {
            result = Integer.parseInt(number) / 2;
        } catch (NumberFormatException e) {
            result = -1;
        } finally {
            asked++;
        }
        return result;
    }

    private static int asked;

    @Override
    public String toString() {
        return name + " with " + sacks;
    }

    public static void main(String[] args) {
        Mill mill = new Mill("Upper mill");
        String[] grains = {"rye", "oats", "rye", "spelt", "barley", "rye", "oats"};
        int refused = 0;
        for (int i = 0; i < grains.length; i++) {
            Sack sack = new Sack(grains[i], 20 + (i * 13) % 9);
            if (!mill.take(sack)) {
                refused++;
            }
        }
        System.out.println(mill + ", " + mill.weight() + " in all, refused " + refused);
        System.out.println("heaviest " + mill.heaviest());
        System.out.println(gcd(84, 36) + " " + factorial(12) + " " + new Mill());
        StringBuilder primes = new StringBuilder();
        int n = 50;
        int found = 0;
        while (found < 4) {
            if (isPrime(n)) {
                primes.append(n).append(' ');
                found++;
            }
            n++;
        }
        System.out.println(primes.toString().trim());
        int[] values = {5, 3, 9, 1, 7};
        for (int value : sorted(values)) {
            System.out.print(value + ";");
        }
        System.out.println();
        Map<String, Integer> counts = tally(grains);
        List<String> names = new ArrayList<>(counts.keySet());
        names.sort(Comparator.comparing((String name) -> -counts.get(name)).thenComparing(name -> name));
        outer:
        for (String name : names) {
            for (int i = 0; i < 3; i++) {
                if (counts.get(name) < 2) continue outer;
                if (i == 1) break;
                System.out.println(name + " " + counts.get(name));
            }
        }
        System.out.println(describe("ground") + ", " + describe(mill.heaviest()) + ", " + describe(3));
        System.out.println(mean(1.5, -2, 4.25) + " " + mean());
        System.out.println(half("17") + " " + half("x") + " " + asked);
        Runnable bell = () -> {
            int rings = 2;
            System.out.println("bell " + rings);
        };
        bell.run();
        Wheel wheel = new Wheel(3);
        do {
            wheel.turn();
        } while (wheel.angle() != 0);
        System.out.println("turns " + wheel.turns + " " + Kind.valueOf("UNDERSHOT"));
    }

    enum Kind { OVERSHOT, UNDERSHOT }
}

class Sack implements Comparable<Sack> {
    final String grain;
    int weight;

    Sack(String grain, int weight) {
        this.grain = grain;
        this.weight = weight;
    }

    @Override
    public int compareTo(Sack other) {
        return Integer.compare(weight, other.weight);
    }

    @Override
    public String toString() {
        return grain + ":" + weight;
    }
}

class Wheel {
    private final int step;
    private int at;
    int turns;

    Wheel(int step) {
        this.step = step;
    }

    void turn() {
        int next = at + step * 40;
        at = next % 360;
        turns += 1;
    }

    int angle() {
        return at;
    }
}
