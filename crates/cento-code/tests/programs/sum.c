/* The sum of the squares of even numbers. */
#include <stdio.h>
#define LIMIT 10

static int is_even(int n) { return n % 2 == 0; }

int main(void) {
    int k, sum = 0;
    for (k = 1; k <= LIMIT; k++)
        if (is_even(k)) sum = sum + k * k; // only these
    printf("sum: %d\n", sum);
    return 0;
}
