# Haruka Ito, build file
COMPILER = cc
FLAGS = -std=c99 -Wall -Wextra -O2
PROGRAM = $(or $(TMPDIR),/tmp)/ito

test: $(PROGRAM)
	@$(PROGRAM) | head -n 5 | grep -c : | sed 's/$$/ answers/'

$(PROGRAM): ito.c
	@$(COMPILER) $(FLAGS) -o $@ $<

tidy:
	rm -f $(PROGRAM)

.PHONY: test tidy
