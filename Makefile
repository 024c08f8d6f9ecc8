# Every target does its own set-up on a machine with Go and Node: the
# website's packages, Debian packages for tests that compare with other
# programs, and the linter.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
export CGO_ENABLED ?= 0
# Builds do not depend on the folder that they are in, so that a clone finds them in the cache.
export GOFLAGS ?= -trimpath

TOOLS := $(CURDIR)/.tools
LINT := $(TOOLS)/golangci-lint-v2.15.0
FUMPT := $(TOOLS)/gofumpt-v0.12.0
STRIPE_MOCK := $(TOOLS)/stripe-mock-v0.203.0
GOTESTSUM := $(TOOLS)/gotestsum-v1.13.0
WEB_SOURCES := $(shell find web/src web/*.html web/package-lock.json web/shell.ts web/vite.config.ts -type f 2>/dev/null)
FUZZTIME ?= 30m
# What tests need.
TESTED := packages web e2e/clients/node_modules hours/testdata/node_modules pointcloud/testdata/node_modules $(STRIPE_MOCK) $(GOTESTSUM)

# The town that make run REGION=delaware serves comes with a test dependency.
ifeq ($(REGION),delaware)
SOURCE = $$(go mod download github.com/paulmach/osm && go list -m -f '{{.Dir}}' github.com/paulmach/osm)/testdata/delaware-latest.osm.pbf
else ifneq ($(REGION),)
SOURCE = $(REGION)
endif

.PHONY: globe sprite help run test soak lint fmt build dist web web-test walk conformance bench fuzz packages

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: web ## Build and serve the sample county with a map (REGION=delaware or an extract for another)
	@scripts/build.sh
	bin/waygate run $(if $(REGION),--region-source "$(SOURCE)")

test: $(TESTED) ## Run every test, and those of several callers at once under the race detector too
	scripts/test.sh $(GOTESTSUM)

soak: $(TESTED) ## Run what is too long for each change: all of the race detector, every test, the walk, fuzzing, kills and swaps (two to three hours)
	scripts/soak.sh $(GOTESTSUM)

lint: $(LINT) web/node_modules ## Check style and common mistakes
	$(LINT) run
	cd web && npm run --silent lint

fmt: $(FUMPT) web/node_modules ## Format all sources
	$(FUMPT) -w $$(git ls-files -co --exclude-standard '*.go')
	cd web && npm run --silent format

globe: ## Draw the map of the world under all regions (index/globe) anew
	cd importer/globe && npm ci --no-audit --no-fund --loglevel=error && node globe.mjs | go run . ../../index/globe/globe.pmtiles

sprite: ## Draw the icons of map styles (index/sprite) anew
	cd importer/sprite && npm ci --no-audit --no-fund --loglevel=error && node sprite.mjs ../../index/sprite

build: web ## Build bin/waygate, static, with the website in it
	@scripts/build.sh

dist: web ## Build archives for Linux, macOS and Windows with checksums (VERSION=0.1.0)
	scripts/dist.sh $(or $(VERSION),$(shell git describe --tags --always))

web: web/dist/index.html ## Build the website
web-test: web/node_modules ## Run the website's unit tests
	cd web && npm test --silent

web/dist/index.html: web/node_modules $(WEB_SOURCES)
	@echo "Building the website"
	@cd web && npm run --silent build -- --logLevel warn

web/node_modules: web/package-lock.json
	@echo "Fetching the website's packages (160 MB)"
	@cd web && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

e2e/clients/node_modules: e2e/clients/package-lock.json
	@echo "Fetching the linters and generators of clients"
	@cd e2e/clients && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

hours/testdata/node_modules: hours/testdata/package-lock.json
	@echo "Fetching the reference implementation of opening hours"
	@cd hours/testdata && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

pointcloud/testdata/node_modules: pointcloud/testdata/package-lock.json
	@echo "Fetching other readers of point clouds"
	@cd pointcloud/testdata && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

walk: ## Ask for the largest of every member of every request, and hold what it costs against its estimate (an hour; UPDATE=-update adds the worst to e2e/testdata/walk.txt)
	WAYGATE_WALK=whole go test ./e2e -count 1 -timeout 3h -run '^TestWalk$$' -v $(UPDATE)

conformance: packages ## Run the suite and bad requests on the embedded engine, a real Valhalla, and OSRM where SVC_OSRM_URL is set, and write bench/history/conformance.md
	scripts/conformance.sh

bench: ## Run the benchmarks (PKG=./road/... for some)
	go test -run '^$$' -bench . -benchmem $(or $(PKG),./...)

fuzz: ## Run all fuzz targets, for a time together (FUZZTIME=30m)
	scripts/fuzz.sh $(FUZZTIME)

packages:
	@scripts/apt.sh

$(LINT):
	@echo "building golangci-lint once; this takes some minutes"
	GOBIN=$(TOOLS) go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
	mv $(TOOLS)/golangci-lint $@

$(FUMPT):
	GOBIN=$(TOOLS) go install mvdan.cc/gofumpt@v0.12.0
	mv $(TOOLS)/gofumpt $@

$(GOTESTSUM):
	GOBIN=$(TOOLS) go install gotest.tools/gotestsum@v1.13.0
	mv $(TOOLS)/gotestsum $@

# What the tests of payments talk to; they look for it in .tools.
$(STRIPE_MOCK):
	GOBIN=$(TOOLS) go install github.com/stripe/stripe-mock@v0.203.0
	mv $(TOOLS)/stripe-mock $@
