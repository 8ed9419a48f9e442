# Nora Halloran. `make -f halloran.mk` prints the report without leaving a program behind.
FLAGS := -O0 -g -pedantic $(if $(DEBUG),-DDEBUG -fsanitize=address)
WORK := $(shell mktemp -d)

.ONESHELL:
report:
	@trap 'rm -r $(WORK)' EXIT
	gcc $(FLAGS) halloran.c -o $(WORK)/lock
	$(WORK)/lock > $(WORK)/report
	wc -l < $(WORK)/report
