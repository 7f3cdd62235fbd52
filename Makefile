# A bare `make` prints this list.
.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c

STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
GOVULNCHECK := golang.org/x/vuln/cmd/govulncheck@v1.9.0
GOLICENSES := github.com/google/go-licenses@v1.6.0
VALE := github.com/vale-cli/vale/v3/cmd/vale@v3.21.0
# Where govulncheck reads the known vulnerabilities: a URL, or file:///FOLDER where that is not reachable.
VULNDB ?= https://vuln.go.dev
# Permissive licenses only: they let users link and redistribute the modules without conditions on their own code.
LICENSES := Apache-2.0,BSD-2-Clause,BSD-3-Clause,ISC,MIT
# Kustomize without Go plugins, which kstatus does not enable. If cgo is enabled, a program that can load plugins
# keeps every exported method and symbol: the command has 79 MB instead of 51 MB.
TAGS := kustomize_disable_go_plugin_support
# The packages of the modules with libraries, and of every module of the workspace, as patterns for the go
# command: a pattern does not reach into the modules below.
LIBRARIES := ./... ./author/... ./author/conditions/... ./author/conditions/ctrl/... ./author/crd/... ./clusterapi/... ./dropin/... ./dropin/flux/... ./dropin/fluxcd/... ./dropin/helm/... ./dropin/sigs/... ./kube/... ./kube/celrule/...
ALL := $(LIBRARIES) ./cmd/kstatus/... ./examples/... ./test/...
# All packages but those that need a real OpenStack, a real Node, or the controllers of other projects: make test-all runs these.
MOST = $$(go list $(ALL) | grep -vxE 'kstatus.dev/test/(openstack/real|verdicts/controllers|lib/node|command/gallery/real)')
# The packages of which no test starts a cluster, an OpenStack or a browser: none of what they import can.
# test/command/growth takes a minute without any.
QUICK = $$(go list -test -f '{{.ImportPath}} {{join .Deps " "}}' $(ALL) | awk '/^[^ ]*\.test / && !/kstatus.dev\/test\/(lib\/cluster|command\/growth|openstack\/openstackkit)|chromedp/ {sub(/\.test$$/, "", $$1); print $$1}')
# Of these, the packages that users import or run, one a line: first "bubble" or "plain", then the package.
# "bubble" is a package whose tests run in bubbles of testing/synctest.
RACED = $$(packages=$(QUICK); go list -test -f '{{.ImportPath}} {{join .Deps " "}}' $$packages | awk '/^[^ ]*\.test / && !/^kstatus\.dev\/test(\/|\.)/ {kind = / testing\/synctest( |$$)/ ? "bubble" : "plain"; sub(/\.test$$/, "", $$1); print kind, $$1}')
# They take longest, so make test begins with them; the longest first, so that no processor is idle at the end.
LONGEST := ./test/command/e2e ./test/engine/matrix ./test/clusterapi/move ./test/clusterapi/provider ./test/command/gallery ./test/docs/pages ./test/engine/wire ./test/command/growth ./test/author/writes ./test/lib/cluster ./cmd/kstatus
PROCESSORS := $(shell getconf _NPROCESSORS_ONLN)
# How many packages make test runs at the same time. Tests of clusters wait most of their time.
TOGETHER ?= $(shell expr 2 '*' $(PROCESSORS))
# Changes with each page and each file that tests read from other modules: the go command, which keeps results, does not see these.
export KSTATUS_TEST_FILES := $(shell git ls-files -s -- docs examples test '*.md' | cksum)-$(shell git diff HEAD -- docs examples test '*.md' | cksum)
# The steps of make test-all; all of them if empty.
STEPS ?=
FUZZTIME ?= 10m
SOAKTIME ?= 30m
# Every fuzz target, as folder:Name.
FUZZTARGETS := $(shell git grep -o '^func Fuzz[A-Za-z]*' -- '*_test.go' | sed 's|/[^/]*_test.go:func Fuzz|:|')

.PHONY: help
help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: demo
demo: bin/kstatus ## build everything, start a real cluster, wait for examples/shop, then see examples/shop-broken fail
	@./test/demo.sh

.PHONY: check
check: format vet ## while you work: format, vet and all tests that need neither a cluster nor a browser, in a minute
	@packages=$(QUICK); go test -short -vet=off $$packages
	@$(MAKE) --no-print-directory worksum
	@$(MAKE) --no-print-directory cover

.PHONY: test
test: ## before you send a change: all tests, also on a real cluster and in a browser
	@test/browser.sh install
	@echo "== vet, format, staticcheck, prose"
	@$(MAKE) --no-print-directory lint
	@echo "== the cluster's programs (built once, which takes minutes)"
	@go run ./test/cmd/cluster build
	@echo "== unit, command and cluster tests (lint has vetted them)"
	packages=$(MOST); go test -short -count=1 -vet=off -p $(TOGETHER) -timeout 20m $(LONGEST) $$packages
	@$(MAKE) --no-print-directory cover
	@test/browser.sh report

.PHONY: test-all
test-all: ## everything that takes longer, in hours, with one table at the end; STEPS="oldest fuzzing" runs only these
	@go run ./test/cmd/cluster build
	@go build -o bin/all ./test/cmd/all && bin/all $(STEPS)

.PHONY: soak-openstack
soak-openstack: ## run the OpenStack provider for SOAKTIME (30m) on a real OpenStack while Clusters change and services fail, and measure it
	@go run ./test/cmd/openstack install
	go test -count=1 -v -timeout 0 ./test/openstack/real -run 'TestSoak$$' -soak $(SOAKTIME)

.PHONY: format
format:
	@unformatted=$$(git ls-files '*.go' | xargs gofmt -l); if [ -n "$$unformatted" ]; then echo "not gofmt'ed:"; echo "$$unformatted"; exit 1; fi

.PHONY: vet
vet:
	go vet $(ALL)

.PHONY: lint
lint: format vet ## gofmt, vet, staticcheck and the language of pages, comments and messages
	go run $(STATICCHECK) $(ALL)
	@$(MAKE) --no-print-directory prose

.PHONY: prose
prose: ## check the language of pages, comments and messages with the rules in .vale
	@test/prose.sh $(VALE)

.PHONY: cover
cover: ## check that the cases reach every branch of every rule
	@mkdir -p bin && go test -coverprofile=bin/status.cover ./status >/dev/null
	@missed=$$(awk -F '[: ]' '$$1 ~ /\/rule_[a-z_]*\.go$$/ && $$NF == 0 {print $$1 ":" $$2}' bin/status.cover); \
		if [ -n "$$missed" ]; then echo "no case reaches:"; echo "$$missed"; exit 1; fi
	@echo "the cases reach every branch of every rule"

# The packages that delete objects of users, or take the place of a library, by tests without a cluster.
.PHONY: cover-functions
cover-functions: ## check that tests without a cluster run 80 % of the functions of moves, pauses and the drop-in
	@mkdir -p bin; for covered in clusterapi/move clusterapi/pause dropin/internal; do \
		module=$${covered%%/*}; \
		(cd $$module && go test -short -vet=off -coverpkg=./$${covered#*/}/... -coverprofile=$(CURDIR)/bin/functions.cover ./... >$(CURDIR)/bin/functions.log) || { cat bin/functions.log; exit 1; }; \
		(cd $$module && go tool cover -func=$(CURDIR)/bin/functions.cover) | \
			awk -v of=$$covered '$$1 != "total:" {all++; if ($$NF != "0.0%") run++} END {printf "%s: %d of %d functions\n", of, run, all; exit run < 0.8 * all}'; \
	done

# Tests of the whole tree are skipped: they read the other wings.
.PHONY: readers
readers: ## build and test what judges, explains and reads clusters, in a folder without the other wings
	@folder=$$(mktemp -d); trap 'rm -rf "$$folder"' EXIT; \
		git ls-files -z -- go.mod go.work.sum docs status observe explain report redact internal kube test/command/gallery/testdata | xargs -0 cp --parents -t "$$folder"; \
		grep -vE './(author|clusterapi|cmd|dropin|examples|test)' go.work >"$$folder/go.work"; \
		cd "$$folder"; go vet ./... ./kube/... ./kube/celrule/...; \
		go test -short -vet=off -skip 'TestOnlyThisPackage' ./... ./kube/... ./kube/celrule/...

.PHONY: bench
bench: bin/kstatus ## measure speed and allocations beside the peer, in one run
	go run ./test/bench/status
	go run ./test/bench/local
	go test ./kube/celrule -run '^$$' -bench .
	@$(MAKE) --no-print-directory bench-live

.PHONY: bench-live
bench-live: ## measure waiting on a real cluster beside the peer; takes half an hour and 16 GB
	go run ./test/bench/live rollout -deployments 300 -pods 3
	go run ./test/bench/live rollout -deployments 1000 -pods 1
	go run ./test/bench/live foreign -pods 50000 -secrets 5000
	go run ./test/bench/live foreign -pods 0 -secrets 5000 -secret -who 'kstatus.dev,cli-utils watcher'
	go run ./test/bench/live many -targets 10000 -namespaces 50
	go run ./test/bench/live latency -samples 3000
	go run ./test/bench/live waits

.PHONY: bench-move
bench-move: bin/kstatus ## measure moves of 5,050 objects beside clusterctl, in one run; takes 20 minutes on two idle processors
	go run ./test/bench/move

.PHONY: bench-audit
bench-audit: bin/kstatus ## measure kstatus audit while 1,000 objects of a real cluster are written to 1,000 times a second
	go run ./test/bench/audit

.PHONY: fuzz
fuzz: ## run each fuzz target for FUZZTIME (10m)
	@for target in $(FUZZTARGETS); do \
		echo "== $$target for $(FUZZTIME)"; \
		go test ./$${target%%:*} -run '^$$' -fuzz "^Fuzz$${target##*:}$$" -fuzztime $(FUZZTIME); \
	done

# GORACE: a data race ends the soak at once, with exit code 66.
.PHONY: soak
soak: ## run the engine for SOAKTIME (30m) under -race on a cluster that changes and breaks, and check all that it says
	@mkdir -p bin && go build -race -o bin/soak ./test/cmd/soak
	GORACE=halt_on_error=1 bin/soak -time $(SOAKTIME)

# Bubbles run on one processor. Go uses the race context of a bubble on two threads at the same time: one runs the
# timers of the bubble, and a goroutine receives from the channel of a timer that is due. The race detector then ends
# the process, as "CHECK failed" or with a signal (golang/go#78156). One processor runs one of them at a time. The
# detector compares the order of synchronization, not of time, and so finds the same races on one processor.
.PHONY: race-detector
race-detector: ## run the tests that need no cluster under Go's race detector
	@raced="$(RACED)"; \
	go test -short -race -cpu 1 -timeout 60m $$(awk '$$1 == "bubble" {print $$2}' <<<"$$raced"); \
	go test -short -race -timeout 60m $$(awk '$$1 == "plain" {print $$2}' <<<"$$raced")

# Folders of definitions besides those of the module proxy: NAME=FOLDER ...
FOLDERS ?=
.PHONY: census
census: ## lint the definitions of many projects, mend copies, ask a real API server what that does, and write docs/contributing/census.md
	go run ./test/cmd/census -prove $(FOLDERS)

.PHONY: generate
generate: ## write what is generated: docs/reference/rules.md, docs/reference/hints.md, docs/reference/causes.md, docs/reference/audit-rules.md, docs/reference/checks.md, docs/reference/checks-capi.md, docs/reference/openstack-failures.md, docs/reference/commands.md, the façades of dropin, author/crd/internal/validation, docs/reference/dropin-suites.md and docs/contributing/packages.md
	go test ./status -run 'PageIsUpToDate$$' -update
	go test ./explain -run 'PageIsUpToDate$$' -update
	go test ./author/audit -run 'PageIsUpToDate$$' -update
	go test ./author/lint -run 'PageIsUpToDate$$' -update
	go test ./clusterapi/check -run 'PageIsUpToDate$$' -update
	go test ./clusterapi/openstack/classify -run 'PageIsUpToDate$$' -update
	go test ./cmd/kstatus -run '^TestReference' -update
	go run ./dropin/internal/gen
	go test ./test/author/validation -run 'CopyIsUpToDate$$' -update
	go test ./test/dropin/suites -run 'PageIsUpToDate$$' -update
	go test . -run 'PageIsUpToDate$$' -update

.PHONY: gallery
gallery: ## break things on a real cluster and write docs/reference/gallery.md: what kstatus wait says of each
	go test ./test/command/gallery -count=1 -update

.PHONY: gallery-real
gallery-real: ## play situations on a real Node, as root, and write docs/reference/gallery-real.md
	go run ./test/cmd/cluster build nodes
	go test ./test/command/gallery/real -count=1 -update

.PHONY: pictures
pictures: ## draw docs/pictures/live-*.svg anew, from what a terminal shows of a live wait
	go test ./cmd/kstatus/internal/waitview -run '^TestPictures' -update

# Each module by itself; the go command writes go.work.sum when it lists all of them.
.PHONY: modules
modules: ## check that go.mod and go.sum are tidy, and complete go.work.sum
	@go run ./test/cmd/release tidy -check
	@go list -m all >/dev/null

# go doc and others complete the file too, and would leave a clean clone with a change.
.PHONY: worksum
worksum:
	@before=$$(cksum <go.work.sum); go list -m all >/dev/null; \
		[ "$$before" = "$$(cksum <go.work.sum)" ] || { echo "go.work.sum was not complete, and is now: commit it"; exit 1; }

.PHONY: floor
floor: ## test the libraries at the oldest versions that they require
	@go run ./test/cmd/release floor

.PHONY: api
api: ## compare what the modules export with their last release
	@go run ./test/cmd/release api

.PHONY: release-check
release-check: ## simulate a release of the last commit in a temporary folder, install it and import it as users do
	@go run ./test/cmd/release check

.PHONY: vulnerabilities
vulnerabilities: ## check that no shipped code calls a function with a known vulnerability; reads VULNDB (https://vuln.go.dev)
	go run $(GOVULNCHECK) -db $(VULNDB) $(LIBRARIES) ./cmd/kstatus/...

# The warnings about assembly files say only that these cannot be searched for imports.
.PHONY: licenses
licenses: ## check that all that is shipped has a license of LICENSES
	@go run $(GOLICENSES) check $(LIBRARIES) ./cmd/kstatus/... --ignore kstatus.dev --allowed_licenses=$(LICENSES) 2>&1 \
		| { ! grep -v -e "contains non-Go code that can't be inspected" -e '\.s$$'; }
	@echo "every module that is shipped has one of the licenses $(LICENSES)"

.PHONY: verify
verify: generate modules api floor vulnerabilities licenses ## generate and compare; check the modules, what they export, their vulnerabilities and licenses; build for Linux, macOS and Windows on amd64 and arm64
	@test -z "$$(git status --porcelain)" || { echo "the tree is not clean:"; git status --short; exit 1; }
	@for os in linux darwin windows; do for arch in amd64 arm64; do \
		echo "== $$os/$$arch"; \
		CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch go build $(LIBRARIES); \
		CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch go build -tags $(TAGS) -o /dev/null ./cmd/kstatus; \
	done; done

.PHONY: cluster-up
cluster-up: ## start a real cluster and leave it running; prints the KUBECONFIG line
	@go run ./test/cmd/cluster up

.PHONY: cluster-down
cluster-down: ## stop the cluster that cluster-up started
	@go run ./test/cmd/cluster down

.PHONY: openstack-up
openstack-up: ## start a real OpenStack and leave it running; prints the lines that set the variables of its clients
	@go run ./test/cmd/openstack up

.PHONY: openstack-down
openstack-down: ## stop the OpenStack that openstack-up started
	@go run ./test/cmd/openstack down

# The command itself. Go's build cache decides what is to be done.
.PHONY: bin/kstatus
bin/kstatus:
	@echo "building bin/kstatus (minutes on a fresh machine, seconds afterwards)"
	@go build -tags $(TAGS) -o bin/kstatus ./cmd/kstatus
