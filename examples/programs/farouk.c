/* Gauge report, sheet 4. Samir Farouk */
#include <stdio.h>

#define DAYS 120

struct spell {
    int first;
    int length;
};

static int level[DAYS + 1]; /* level[1] is day 1 */

static void fill(void)
{
    int d;
    for (d = 1; d <= DAYS; d++)
        level[d] = (7 * d * d + 31 * d + 17) % 101;
}

static int peak(void)
{
    int d, where = 1;
    for (d = 2; d <= DAYS; d++)
        if (level[d] > level[where])
            where = d;
    return where;
}

static int sum(int first, int last)
{
    return first > last ? 0 : level[first] + sum(first + 1, last);
}

static int at_least(int mark)
{
    int d, n = 0;
    for (d = DAYS; d > 0; d--)
        n += level[d] >= mark;
    return n;
}

static struct spell low_spell(void)
{
    struct spell best = {0, 0}, now = {1, 0};
    int d;
    for (d = 1; d <= DAYS; d++) {
        if (level[d] >= 50) {
            now.first = d + 1;
            now.length = 0;
            continue;
        }
        now.length++;
        if (now.length > best.length)
            best = now;
    }
    return best;
}

static int rising(void)
{
    int week, n = 0;
    for (week = 2; week <= DAYS / 7; week++) {
        int end = 7 * week;
        if (sum(end - 6, end) / 7 > sum(end - 13, end - 7) / 7)
            n++;
    }
    return n;
}

static void bands(void)
{
    int low, d;
    for (low = 0; low <= 100; low += 20) {
        printf("from %d: ", low);
        for (d = 1; d <= DAYS; d++)
            if (level[d] >= low && level[d] < low + 20)
                putchar('*');
        putchar('\n');
    }
}

int main(void)
{
    struct spell s;
    fill();
    s = low_spell();
    printf("highest: %d on day %d\n", level[peak()], peak());
    printf("mean: %d\n", sum(1, DAYS) / DAYS);
    printf("flood days: %d\n", at_least(75));
    printf("longest low: %d days from day %d\n", s.length, s.first);
    printf("rising weeks: %d\n", rising());
    bands();
    return 0;
}
