#include <stdio.h>

/* How many gates are open. */
static int count_open(const int *gates, int count) {
  int open = 0;
  for (int i = 0; i < count; i++) {
    if (gates[i] > 0) {
      open++;
    }
  }
  return open;
}

static int highest(const int *gates, int count) {
  int best = gates[0];
  for (int i = 1; i < count; i++) {
    if (gates[i] > best)
      best = gates[i];
  }
  return best;
}

int main(void) {
  int gates[] = {3, 0, 7, 2};
  printf("%d open, highest %d", count_open(gates, 4), highest(gates, 4));
  puts(" of all");
  return 0;
}
