using System;

namespace Sums {
    public static class Program {
        private static bool IsEven(int n) => n % 2 == 0;

        [STAThread]
        public static void Main(string[] args) {
            int sum = 0;
            for (int k = 1; k <= 10; k++) {
                if (IsEven(k)) sum += k * k; // only these
            }
            Console.WriteLine($"sum: {sum}");
        }
    }
}
