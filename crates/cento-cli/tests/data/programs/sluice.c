#include <stdio.h>

enum state { SHUT, OPEN, BROKEN };

struct gate {
  int level;
  enum state state;
};

static const char *NAMES[] = {"shut", "open", "broken"};
static struct gate gates[5];
static unsigned long seed = 17;

static int roll(int sides) {
  seed = (seed * 1103 + 12345) % 65536;
  int value = (int)(seed % (unsigned long)sides);
  return value;
}

static void fill(void) {
  int i = 0;
  do {
    gates[i].level = roll(100);
    gates[i].state = (enum state)roll(3);
    i++;
  } while (i < 5);
}

static long power(long base, int exponent) {
  long result = 1;
  while (exponent > 0) {
    if (exponent % 2 == 1)
      result = result * base % 1000003;
    base = base * base % 1000003;
    exponent /= 2;
  }
  return result;
}

static int digits(int n) {
  if (n < 0)
    n = -n;
  if (n < 10)
    return 1;
  return 1 + digits(n / 10);
}

static int is_prime(int n) {
  if (n < 2) {
    return 0;
  }
  for (int d = 2; d * d <= n; d++) {
    if (n % d == 0) {
      return 0;
    }
  }
  return 1;
}

static void table(int rows, int columns) {
  for (int row = 1; row <= rows; row++) {
    for (int column = 1; column <= columns; column++) {
      if (column > 1)
        printf(" ");
      printf("%3d", row * column);
    }
    printf("\n");
  }
}

static int mean(const struct gate *list, int count) {
  int sum = 0;
  int used = 0;
  for (int i = 0; i < count; i++) {
    if (list[i].state == BROKEN)
      continue;
    sum += list[i].level;
    used++;
  }
  if (used == 0) {
    return -1;
  } else {
    return sum / used;
  }
}

static void multiply(int left[2][2], int right[2][2], int into[2][2]) {
  int i, j, k;
  for (i = 0; i < 2; i++)
    for (j = 0; j < 2; j++) {
      into[i][j] = 0;
      for (k = 0; k < 2; k++)
        into[i][j] += left[i][k] * right[k][j];
    }
}

int main(int argc, char **argv) {
  int given = argc > 1 ? argv[1][0] - '0' : 4;
  fill();
  for (int i = 0; i < 5; i++) {
    printf("gate %d: %d %s\n", i + 1, gates[i].level, NAMES[gates[i].state]);
  }
  printf("mean %d\n", mean(gates, 5));
  table(3, given);
  int found = 0;
  int n = 90;
  while (found < 3) {
    if (is_prime(n)) {
      printf("%d has %d digits\n", n, digits(n));
      found++;
    }
    n++;
  }
  int a[2][2] = {{1, 1}, {1, 0}}, b[2][2] = {{2, 3}, {5, 7}}, c[2][2];
  multiply(a, b, c);
  printf("%d %d %d %d, %ld\n", c[0][0], c[0][1], c[1][0], c[1][1], power(7, 20));
  goto done;
done:
  return 0;
}
