# Everything one does here. Each target installs what it needs first (scripts/setup), and nothing that is there.

SHELL := bash
.DEFAULT_GOAL := help
.PHONY: help run test test-local check bench eval fuzz bundle fmt gen setup

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

run: ## build Adjutant and open it; without a display, talk to it in the terminal (LOCAL_MODEL=1: with models from files)
	@scripts/run

test: ## every test: Rust, UI, browser, and the real window
	@scripts/test

test-local: ## the tests of models from files, which take minutes to compile
	@scripts/test local

check: ## format, lint, types, licences, spelling and architecture
	@scripts/check

bench: ## how fast: benchmarks, and the window against an empty one
	@scripts/bench

eval: ## how right: the embedded engine on the cases in ../shared/data
	@scripts/eval

fuzz: ## every fuzz target for a minute, on the pinned toolchain
	@scripts/fuzz

bundle: ## an installer for this platform (LOCAL_MODEL=1: with models from files)
	@scripts/bundle

fmt: ## format everything
	@scripts/fmt

gen: ## write the TypeScript types of ui/src/gen again
	@scripts/gen

setup: ## install what running and testing need
	@scripts/setup test
