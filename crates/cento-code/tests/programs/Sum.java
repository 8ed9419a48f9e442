package sums;

import java.util.List;

/** The sum of the squares of even numbers. */
public class Sum {
    private int total;

    static boolean isEven(final int n) { return n % 2 == 0; }

    void add(int n) { this.total = this.total + n * n; }

    public static void main(String[] args) {
        Sum sum = new Sum();
        for (int k = 1; 10 >= k; k++)
            if (isEven(k)) sum.add(k); // only these
        List<Integer> list = List.of(1, 2);
        for (int n : list) { sum.total -= n > 1 ? 'a' : 0x1F; }
        System.out.println("sum: " + sum.total);
    }
}
