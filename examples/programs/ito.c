// Haruka Ito
// Programming I, the lock at Harrowmere

#include <stdio.h>

#define COUNT 120

struct period {
  int len;
  int start;
};

static int gauge[COUNT + 1];

static int total(int from, int to) {
  return from > to ? 0 : gauge[from] + total(from + 1, to);
}

static int weeks_up(void) {
  int up = 0, w = 2;
  while (w <= COUNT / 7) {
    int sunday = 7 * w;
    if (total(sunday - 13, sunday - 7) / 7 < total(sunday - 6, sunday) / 7)
      up++;
    w++;
  }
  return up;
}

static struct period dry(void) {
  struct period run = {0, 1}, longest = {0, 0};
  int i = 1;
  while (i <= COUNT) {
    if (gauge[i] < 50) {
      run.len++;
      if (run.len > longest.len)
        longest = run;
    } else {
      run.len = 0;
      run.start = i + 1;
    }
    i++;
  }
  return longest;
}

static void histogram(void) {
  int i, from;
  for (from = 0; from <= 100; from += 20) {
    printf("from %d: ", from);
    for (i = 1; i <= COUNT; i++)
      if (gauge[i] < from + 20 && gauge[i] >= from)
        putchar('*');
    putchar('\n');
  }
}

static int over(int limit) {
  int hits = 0, i;
  for (i = COUNT; i > 0; i--)
    hits += gauge[i] >= limit;
  return hits;
}

static int maximum(void) {
  int best = 1, i;
  for (i = 2; i <= COUNT; i++)
    if (gauge[best] < gauge[i])
      best = i;
  return best;
}

static void load(void) {
  int i;
  for (i = 1; i <= COUNT; i++)
    gauge[i] = (7 * i * i + 31 * i + 17) % 101;
}

int main(void) {
  struct period p;
  load();
  p = dry();
  printf("highest: %d on day %d\n", gauge[maximum()], maximum());
  printf("mean: %d\n", total(1, COUNT) / COUNT);
  printf("flood days: %d\n", over(75));
  printf("longest low: %d days from day %d\n", p.len, p.start);
  printf("rising weeks: %d\n", weeks_up());
  histogram();
  return 0;
}
