#include <stdio.h>

/* How many gates are open. */
static int count_open(const int *gates, int count) {
  int open = 0;
  { int i = 0;
  while (i < count) {
    if (gates[i] > 0) {
      open++;
    }
  i++;
  } }
  return open;
}

static int highest(const int *gates, int count) {
  int best = gates[0];
  { int i = 1;
  while (i < count) {
    if (gates[i] > best)
      best = gates[i];
  i++;
  } }
  return best;
}

int main(void) {
  int gates[] = {3, 0, 7, 2};
  printf("%d open, highest %d", count_open(gates, 4), highest(gates, 4));
  puts(" of all");
  return 0;
}
