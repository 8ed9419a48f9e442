import java.util.ArrayDeque;
import java.util.Deque;

/** The shortest way along the canals. */
public class Route {
    interface Cost {
        int of(int length, int locks);
    }

    static class Canal {
        private final int from, to;
        private final int length;
        private final int locks;

        Canal(int from, int to, int length, int locks) {
            this.from = from;
            this.to = to;
            this.length = length;
            this.locks = locks;
        }
    }

    private final Canal[] canals;
    private final int towns;

    Route(int towns, Canal... canals) {
        this.towns = towns;
        this.canals = canals;
    }

    int[] costs(int start, Cost cost) {
        int[] best = new int[towns];
        for (int i = 0; i < towns; i++) {
            best[i] = Integer.MAX_VALUE;
        }
        best[start] = 0;
        boolean better;
        do {
            better = false;
            for (Canal canal : canals) {
                int price = cost.of(canal.length, canal.locks);
                if (best[canal.from] != Integer.MAX_VALUE && best[canal.from] + price < best[canal.to]) {
                    best[canal.to] = best[canal.from] + price;
                    better = true;
                }
            }
        } while (better);
        return best;
    }

    static boolean balanced(String text) {
        Deque<Character> open = new ArrayDeque<>();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '(' || c == '[') {
                open.push(c);
            } else if (c == ')' || c == ']') {
                if (open.isEmpty()) {
                    return false;
                }
                char last = open.pop();
                if (c == ')' && last != '(' || c == ']' && last != '[') {
                    return false;
                }
            }
        }
        return open.isEmpty();
    }

    static int[][] spiral(int size) {
        int[][] grid = new int[size][size];
        int row = 0, column = 0, dr = 0, dc = 1;
        for (int n = 1; n <= size * size; n++) {
            grid[row][column] = n;
            int nextRow = row + dr;
            int nextColumn = column + dc;
            if (nextRow < 0 || nextRow >= size || nextColumn < 0 || nextColumn >= size
                    || grid[nextRow][nextColumn] != 0) {
                int kept = dr;
                dr = dc;
                dc = -kept;
            }
            row += dr;
            column += dc;
        }
        return grid;
    }

    static String reversed(String text) {
        String result = "";
        for (char c : text.toCharArray()) {
            result = c + result;
        }
        return result;
    }

    static String name(int town) {
        switch (town) {
            case 0:
                return "Harrowmere";
            case 1:
                return "Weir";
            default:
                return "Town " + town;
        }
    }

    public static void main(String[] args) {
        Route route = new Route(
                4,
                new Canal(0, 1, 7, 2),
                new Canal(1, 2, 3, 0),
                new Canal(0, 2, 12, 0),
                new Canal(2, 3, 4, 5));
        int[] short1 = route.costs(0, (length, locks) -> length);
        int[] few = route.costs(0, new Cost() {
            @Override
            public int of(int length, int locks) {
                return length + 10 * locks;
            }
        });
        for (int town = 0; town < short1.length; town++) {
            System.out.println(name(town) + " " + short1[town] + " " + few[town]);
        }
        System.out.println(balanced("([a]b)") + " " + balanced("(]"));
        for (int[] line : spiral(4)) {
            String text = "";
            for (int value : line) {
                if (value < 10) {
                    text += " ";
                }
                text += value + " ";
            }
            System.out.println(text);
        }
        System.out.println(reversed("lock") + 0x1F + 'c' + 2.5f + 10L);
        int i = 0;
        for (;;) {
            i += 3;
            if (i > 10) break;
        }
        long sum = 0;
        for (int a = 0, b = 10; a < b; a++, b--) sum += a * b;
        System.out.println(i + " " + sum);
    }
}
