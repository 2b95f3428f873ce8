# The fixed set of verbs. What they do is in scripts/.

.PHONY: run test bench check

run:
	@scripts/setup run
	@scripts/run

test:
	@scripts/setup test
	@scripts/test

bench:
	@scripts/setup run
	@scripts/bench

check:
	@scripts/setup build
	@scripts/check
