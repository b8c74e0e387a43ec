# Cove: `make run` and `make test` do all the set-up by themselves.
SHELL := /bin/bash
.DEFAULT_GOAL := help

PREFIX ?= $(HOME)/.local
BIN    := bin/cove
E2E    := e2e/node
BUILD  := CGO_ENABLED=0 go build -trimpath -ldflags '-s -w'
GOOSES := linux darwin windows
ARCHES := amd64 arm64

# The folders with scripts for browsers, each with its tsconfig.json and its sources in src; what configures their tools.
SCRIPTS := internal/webui internal/page/dom
CONFIGS := package.json tsconfig.base.json eslint.config.js .prettierrc.json $(SCRIPTS:%=%/tsconfig.json)

## run: find or install a browser, build, and start the app
.PHONY: run
run:
	@scripts/need.sh browser
	@$(MAKE) --no-print-directory build
	@exec $(BIN) up

## build: build bin/cove
.PHONY: build
build:
	@mkdir -p bin
	@echo "Building $(BIN) (the first time takes a minute or two) …"
	@$(BUILD) -o $(BIN) ./cmd/cove

## test: install what the tests need and run them, with a real Chromium and real clients; slow groups only when named
.PHONY: test
test:
	@scripts/need.sh test
	@$(MAKE) --no-print-directory -j 2 test-unit test-packages
	@$(MAKE) --no-print-directory test-window
	@$(MAKE) --no-print-directory test-e2e

## test-all: the tests, and every group that is slow and about one thing (e2e/groups.txt)
.PHONY: test-all
test-all:
	@COVE_E2E_GROUPS=all $(MAKE) --no-print-directory test

# A program with the race detector sleeps for a second when it exits, unless it is told not to. What has fewer rounds
# with it has all of them in the second run.
.PHONY: test-unit
test-unit: export GORACE = atexit_sleep_ms=10
test-unit:
	@scripts/need.sh test
	go test $$(scripts/race.sh) ./...
	go test -vet=off $$(grep -rl --include='*_test.go' racetest.Slower internal | xargs -n 1 dirname | sort -u | sed 's,^,./,')

## test-window: the unit tests of the window's store and functions, in Node
.PHONY: test-window
test-window:
	@scripts/need.sh npm .
	@PATH="$$(scripts/need.sh node):$$PATH" node --test --test-force-exit --test-reporter=dot 'internal/webui/src/**/*.test.ts'

# The packages of the clients come over the network while the processor is busy with the unit tests.
.PHONY: test-packages
test-packages:
	@scripts/need.sh npm $(E2E)
	@scripts/need.sh npm e2e/clients
	@scripts/need.sh npm e2e/conformance
	@scripts/need.sh npm e2e/widgets

## test-e2e: only the end-to-end tests; PKG=api, tools, policy, clients, window, compat or external for one package of them, GROUP=siege for a group
.PHONY: test-e2e
test-e2e:
	@scripts/need.sh test
	@PKG='$(PKG)' COVE_E2E_ONLY='$(if $(filter command,$(origin GROUP)),$(GROUP))' scripts/e2e.sh

## fuzz: give strangers' bytes to all that parses them, each target for FUZZTIME (30s); their seeds run with the tests anyway
FUZZTIME ?= 30s
.PHONY: fuzz
fuzz:
	@set -e; for file in $$(grep -rl --include='*_test.go' '^func Fuzz' internal | sort); do \
	  for name in $$(sed -n 's/^func \(Fuzz[A-Za-z]*\)(.*/\1/p' $$file); do \
	    echo "$$(dirname $$file) $$name"; go test ./$$(dirname $$file) -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZTIME); done; done

## soak: ten thousand calls of two agents in twenty tabs, a hundred tabs and the largest pages; memory must stay flat
.PHONY: soak
soak:
	@scripts/need.sh test
	PATH="$$(scripts/need.sh node):$$PATH" COVE_SOAK=10000 go test -tags e2e -v -run 'TestSoak|TestHundredTabs|TestLargePages' -timeout 60m ./e2e/tools

## trial-actions: 2,000 tool calls on a page that counts, in the quiet and under load; none may act twice
.PHONY: trial-actions
trial-actions:
	@scripts/need.sh test
	PATH="$$(scripts/need.sh node):$$PATH" COVE_ACTIONS=2000 go test -tags e2e -v -run TestOneCallIsOneAction -timeout 60m ./e2e/tools

## trial-tabs: 1,000 random steps of two agents, a program and a person in one profile; nobody acts in another's tab
.PHONY: trial-tabs
trial-tabs:
	COVE_TABS=1000 PKG=policy scripts/e2e.sh 'TestRandomStepsInOneProfile$$'

## trial-siege: every way of a web page to the API and the gate, from every place; the tests have fewer ways
.PHONY: trial-siege
trial-siege:
	@scripts/need.sh test
	COVE_SIEGE=all PKG=api scripts/e2e.sh 'TestNoWebPage|TestNoPageInAnOpenProfile'

## trial-proxies: 100 profiles with a proxy that fails in some way, none of which may connect directly; the tests have ten
.PHONY: trial-proxies
trial-proxies:
	@scripts/need.sh test
	COVE_E2E_PROXIES=100 PKG=api scripts/e2e.sh TestNothingGoesAroundAProxyThatFails

## trial-kills: 205 kills of a browser at any moment, each followed by a start; the tests have ten
.PHONY: trial-kills
trial-kills:
	@scripts/need.sh test
	COVE_E2E_KILLS=205 PKG=api scripts/e2e.sh TestAStartAfterAKillNeverLeadsToADeadGate

## trial-imports: 24 kills in the middle of an import of cookies, which is then there whole or not at all; the tests have ten
.PHONY: trial-imports
trial-imports:
	@scripts/need.sh test
	COVE_E2E_IMPORTS=16 PKG=api scripts/e2e.sh TestAKilledImportIsWholeOrNothing

## trial-answers: a person answers after ANSWER (5m), through Claude Code, Codex and Gemini with their usual limits; the tests wait for seconds
ANSWER ?= 5m
.PHONY: trial-answers
trial-answers: test-packages
	@scripts/need.sh test
	PATH="$$(scripts/need.sh node):$$PATH" COVE_E2E_ANSWER=$(ANSWER) go test -tags e2e -v -run TestNoClientLosesALateAnswer -timeout 60m ./e2e/clients

## lint: formatting, vet for every system, golangci-lint, and the front end
# The end-to-end tests run on Linux only. With their tag all other packages are the same, so one pass is for everything.
.PHONY: lint
lint:
	@test -z "$$(gofmt -l . | tee /dev/stderr)"
	go run ./scripts/vet $(filter-out $(shell go env GOHOSTOS),$(GOOSES))
	@lint=$$(scripts/need.sh lint) && "$$lint" run --build-tags e2e ./...
	@$(MAKE) --no-print-directory lint-scripts

## lint-scripts: only the front end: types, ESLint, Prettier, and whether what is bundled is fresh
.PHONY: lint-scripts
lint-scripts:
	@go run ./scripts/bundle -check
	@scripts/need.sh npm .
	@PATH="$$(scripts/need.sh node):$$PATH:$$PWD/node_modules/.bin" && set -e; \
	  for project in $(SCRIPTS); do echo "tsc $$project"; tsc -p $$project; done; \
	  echo eslint; eslint --max-warnings 0 $(SCRIPTS:%=%/src); \
	  echo prettier; prettier --log-level warn --check $(SCRIPTS:%=%/src) $(CONFIGS)

## bundle: write what is made from the sources of the front end: the window's page, the scripts that run in pages, and the types of the API
.PHONY: bundle
bundle:
	@go run ./scripts/bundle

## format: format the sources of the front end
.PHONY: format
format:
	@scripts/need.sh npm .
	@PATH="$$(scripts/need.sh node):$$PATH:$$PWD/node_modules/.bin" prettier --log-level warn --write $(SCRIPTS:%=%/src) $(CONFIGS)

## bench: measure Cove beside what it stands in front of and beside its rivals (GROUP=start, gate, policy, mcp, shell, window, live, glance, jobs, journal or widgets for one part; with start and mcp, BASE=PROGRAM adds another version of ours)
.PHONY: bench
bench:
	@scripts/need.sh browser
	@scripts/need.sh npm $(E2E)
	@scripts/need.sh npm bench
	@scripts/need.sh npm e2e/widgets
	@PATH="$$(scripts/need.sh node):$$PATH" go run ./bench $(GROUP)

## figures: print the shape of the source in numbers, beside the aims (BASE=REF adds the figures of another git ref)
.PHONY: figures
figures:
	@go run ./scripts/figures -base "$(BASE)"

## screenshots: take the pictures of the window and its film for the documents, from the running app with made-up data
.PHONY: screenshots
screenshots:
	@scripts/need.sh browser
	@scripts/need.sh npm $(E2E)
	@PATH="$$(scripts/need.sh node):$$PATH" scripts/screenshots.sh

## vendor: write the libraries of the window, at the versions of package.json
.PHONY: vendor
vendor:
	@scripts/vendor.sh

## build-all: cross-compile for every system into dist/
.PHONY: build-all
build-all:
	@mkdir -p dist
	@for os in $(GOOSES); do for arch in $(ARCHES); do \
	  ext=; [ $$os = windows ] && ext=.exe; echo "dist/cove-$$os-$$arch$$ext"; \
	  GOOS=$$os GOARCH=$$arch $(BUILD) -o dist/cove-$$os-$$arch$$ext ./cmd/cove || exit 1; done; done

## install: put the program into PREFIX/bin and its manual page into PREFIX/share/man/man1 (default ~/.local)
.PHONY: install
install: build
	@mkdir -p "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/share/man/man1"
	@install -m 755 $(BIN) "$(DESTDIR)$(PREFIX)/bin/cove"
	@$(BIN) man > "$(DESTDIR)$(PREFIX)/share/man/man1/cove.1"
	@case ":$$PATH:" in *":$(PREFIX)/bin:"*) run=cove;; *) run="'$(DESTDIR)$(PREFIX)/bin/cove'";; esac; \
	  echo "Installed $(DESTDIR)$(PREFIX)/bin/cove. Run: $$run up"

## uninstall: remove the program again; profiles and their data stay
.PHONY: uninstall
uninstall:
	@rm -f "$(DESTDIR)$(PREFIX)/bin/cove" "$(DESTDIR)$(PREFIX)/share/man/man1/cove.1"
	@echo "Removed $(DESTDIR)$(PREFIX)/bin/cove. Your profiles are untouched."

## notices: write the licences of the linked modules into THIRD_PARTY_NOTICES.md
.PHONY: notices
notices:
	@scripts/notices.sh

.PHONY: help
help:
	@sed -n 's/^## //p' $(MAKEFILE_LIST)
