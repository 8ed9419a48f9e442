/* A ledger of lockkeepers' wages: structures, pointers and a little text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 16
#define IS_EVEN(n) ((n) % 2 == 0)

typedef struct entry {
  char name[24];
  int hours;
  double rate;
  struct entry *next;
} Entry;

static int made = 0;

/* A new entry at the head of the list. */
static Entry *add(Entry *head, const char *name, int hours, double rate) {
  Entry *fresh = malloc(sizeof *fresh);
  if (fresh == NULL) {
    exit(1);
  }
  strncpy(fresh->name, name, sizeof fresh->name - 1);
  fresh->name[sizeof fresh->name - 1] = '\0';
  fresh->hours = hours;
  fresh->rate = rate;
  fresh->next = head;
  made++;
  return fresh;
}

static double wage(const Entry *entry) {
  double base = entry->hours * entry->rate;
  double extra = 0.5;
  if (entry->hours > 40) {
    base += (entry->hours - 40) * entry->rate * extra;
  }
  return base;
}

static int count_longer(const Entry *head, int limit) {
  int count = 0;
  const Entry *at = head;
  while (at != NULL) {
    if (at->hours > limit)
      count++;
    at = at->next;
  }
  return count;
}

static Entry *longest(Entry *head) {
  Entry *best = head;
  for (Entry *at = head; at != NULL; at = at->next) {
    if (at->hours <= best->hours) continue;
    best = at;
  }
  return best;
}

static void histogram(const Entry *head) {
  int bins[4] = {0, 0, 0, 0};
  int i;
  for (; head != NULL; head = head->next) {
    int bin = head->hours / 20;
    int last = 3;
    bins[bin > last ? last : bin]++;
  }
  for (i = 0; i < 4; i++) {
    printf("%2d+ ", i * 20);
    for (int stars = bins[i]; stars > 0; --stars)
      putchar('*');
    printf("\n");
  }
}

static char *initials(const char *name, char *into) {
  char *at = into;
  int start = 1;
  for (const char *c = name; *c; c++) {
    if (*c == ' ') {
      start = 1;
    } else if (start) {
      *at++ = *c;
      start = 0;
    }
  }
  *at = '\0';
  return into;
}

static const char *grade(int hours) {
  switch (hours / 10) {
  case 0:
  case 1:
    return "few";
  case 2:
  case 3:
    return "some";
  default:
    break;
  }
  return hours > 60 ? "far too many" : "many";
}

static void swap(int *a, int *b) {
  int kept = *a;
  *a = *b;
  *b = kept;
}

static void sort(int *values, int count) {
  for (int i = 0; i < count - 1; i++) {
    int smallest = i;
    for (int j = i + 1; j < count; j++)
      if (values[j] < values[smallest])
        smallest = j;
    if (smallest != i)
      swap(&values[i], &values[smallest]);
  }
}

int main(void) {
  Entry *head = NULL;
  head = add(head, "Ada Brook", 38, 12.5);
  head = add(head, "Bo Carr Dane", 44, 11.25);
  head = add(head, "Cy", 12, 10.0);
  head = add(head, "Di Ede", 71, 9.75);

  double total = 0.0;
  int hours[MOST];
  int count = 0;
  for (Entry *at = head; at != NULL; at = at->next) {
    char letters[MOST];
    printf("%-14s %-3s %5.2f %s\n", at->name, initials(at->name, letters), wage(at), grade(at->hours));
    total += wage(at);
    hours[count++] = at->hours;
  }
  printf("total %.2f of %d, %d long, longest %s\n", total, made, count_longer(head, 40), longest(head)->name);
  histogram(head);
  sort(hours, count);
  int even = 0, odd = 0;
  int at = 0;
  while (at < count) {
    if (IS_EVEN(hours[at])) {
      even++;
    } else {
      odd++;
    }
    printf("%d%s", hours[at], at + 1 < count ? ", " : "\n");
    at++;
  }
  printf("even %d odd %d\n", even, odd);
  while (head != NULL) {
    Entry *next = head->next;
    free(head);
    head = next;
  }
  return 0;
}
