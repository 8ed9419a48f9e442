# make -f farouk.mk builds the report and compares it with the sheet.
CC = cc
CFLAGS = -std=c99 -Wall -Wextra -O2
OUT = $(or $(TMPDIR),/tmp)/farouk

check: $(OUT)
	@$(OUT) | head -n 5 | grep -c : | sed 's/$$/ answers/'

$(OUT): farouk.c
	@$(CC) $(CFLAGS) -o $@ $<

clean:
	rm -f $(OUT)

.PHONY: check clean
