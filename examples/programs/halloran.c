// Nora Halloran: everything while the days go by, without keeping them
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    uint8_t top, top_day;
    uint16_t sum, week_sum;
    unsigned floods, rises, previous;
    unsigned dry, driest, driest_end;
    char bar[6][64];
} report;

static unsigned long square_sum(unsigned day) {
    // 1 + 3 + 5 + ... is a square, so that no day needs a product of its own
    unsigned long total = 0;
    for (unsigned odd = 1; day--; odd += 2) total += odd;
    return total;
}

static void add_day(report *r, unsigned day) {
    uint8_t cm = (uint8_t)((square_sum(day) * 7 + day * 31 + 17) % 101);
    if (cm > r->top) r->top = cm, r->top_day = (uint8_t)day;
    r->sum += cm;
    r->floods += cm / 75;
    r->dry = cm < 50 ? r->dry + 1 : 0;
    if (r->dry > r->driest) r->driest = r->dry, r->driest_end = day;
    strcat(r->bar[cm / 20], "*");
    r->week_sum += cm;
    switch (day % 7) {
    case 0:
        if (day > 7 && r->week_sum / 7 > r->previous) ++r->rises;
        r->previous = r->week_sum / 7;
        r->week_sum = 0;
    }
}

int main() {
    report r;
    memset(&r, 0, sizeof r);
    unsigned day = 0;
    while (day++ < 120) add_day(&r, day);
    printf("highest: %u on day %u\nmean: %u\nflood days: %u\n", r.top, r.top_day, r.sum / 120, r.floods);
    printf("longest low: %u days from day %u\nrising weeks: %u\n", r.driest, r.driest_end + 1 - r.driest, r.rises);
    for (char (*bar)[64] = r.bar; bar != r.bar + 6; ++bar) printf("from %d: %s\n", (int)(bar - r.bar) * 20, *bar);
}
