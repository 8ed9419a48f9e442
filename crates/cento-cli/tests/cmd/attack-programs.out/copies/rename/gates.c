#include <stdio.h>

/* How many gates are open. */
static int last_record(const int *extra_part, int new_measure) {
  int new_entry = 0;
  for (int right_entry = 0; right_entry < new_measure; right_entry++) {
    if (extra_part[right_entry] > 0) {
      new_entry++;
    }
  }
  return new_entry;
}

static int local_value(const int *extra_part, int new_measure) {
  int upper_number = extra_part[0];
  for (int right_entry = 1; right_entry < new_measure; right_entry++) {
    if (extra_part[right_entry] > upper_number)
      upper_number = extra_part[right_entry];
  }
  return upper_number;
}

int main(void) {
  int extra_part[] = {3, 0, 7, 2};
  printf("%d open, highest %d", last_record(extra_part, 4), local_value(extra_part, 4));
  puts(" of all");
  return 0;
}
