# agy-reader: every target a person or CI needs. `make help` lists them.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

GO      ?= go
BIN     := $(CURDIR)/.bin
PREFIX  ?= $(HOME)/.local
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
BUILD   := CGO_ENABLED=0 $(GO) build -trimpath -ldflags '-s -w -X agy-reader/host/cli.Version=$(VERSION)'
export PATH := $(BIN):$(PATH)
export GOBIN := $(BIN)

GOLANGCI   := v2.15.0
GOFUMPT    := v0.12.0
PROTOC_GO  := v1.36.12
PROTOC_RPC := v1.6.2
BUF        := v1.75.0

.PHONY: help
help: ## show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

.PHONY: build
build: ## build ./agy-reader
	$(BUILD) -o agy-reader .

.PHONY: install
install: ## build and install to $(PREFIX)/bin
	mkdir -p '$(PREFIX)/bin'
	$(BUILD) -o '$(PREFIX)/bin/agy-reader' .

.PHONY: demo
demo: build ## convert the embedded sample session to demo/ in all three formats
	./agy-reader demo --out demo

.PHONY: check
check: tools browser fmt-check vet lint check-generate race unprivileged gates fuzz-short cross ## everything CI runs

.PHONY: test
test: ## run all tests
	$(GO) test ./...

.PHONY: race
race: ## run all tests with the race detector
	$(GO) test -race ./...
	cd plugins/examples/wordcount && $(GO) test -race ./...

.PHONY: unprivileged
unprivileged: ## what touches other users' files and processes, as an ordinary user when run by root
	sh host/agytest/unprivileged.sh ./host/endpoint ./host/agytest ./host/sync/watch ./host/sync/fetch ./host/audit/sweep ./host/sidecar ./host/parents ./host/doctor ./host/verify

.PHONY: gates
gates: tools-gates ## CPU, memory and allocation rows of the benchmark suite, on a build without the race detector
	$(GO) run ./host/bench -gates

.PHONY: bench
bench: tools-bench ## all performance rows against the reference programs; fails below a floor
	$(GO) run ./host/bench

.PHONY: soak
soak: ## the long versions of the concurrency and crash tests
	AGY_SOAK=1 $(GO) test -race -timeout 60m ./sources/sqlite/... ./host/... ./plugins/...

.PHONY: fuzz-short
fuzz-short: ## a few seconds of every fuzz target (FUZZTIME=…)
	@$(GO) run ./host/fuzzall -time $${FUZZTIME:-2s}

.PHONY: vet
vet: ## go vet
	$(GO) vet ./...

.PHONY: lint
lint: tools ## golangci-lint
	golangci-lint run ./...

.PHONY: fmt
fmt: tools ## format all Go files
	gofumpt -modpath agy-reader -w $$(git ls-files '*.go' | grep -v '\.pb\.go$$')

.PHONY: fmt-check
fmt-check: tools
	@out=$$(gofumpt -modpath agy-reader -l $$(git ls-files '*.go' | grep -v '\.pb\.go$$')); if [ -n "$$out" ]; then echo "gofumpt would change:"; echo "$$out"; exit 1; fi

# What the generated Go was made from and what came out, so that buf is needed only when one of them changes.
PROTOS := $(shell find proto/agyreader -name '*.proto' -o -name '*.pb.go' | sort) proto/buf.yaml proto/buf.gen.yaml

.PHONY: generate
generate: tools-proto ## regenerate protobuf code, decoder schemas and the sample session
	cd proto && buf lint && buf format -w --path agyreader && buf generate --path agyreader
	shasum -a 256 $(PROTOS) > proto/generated.sum
	$(GO) generate ./...

.PHONY: check-generate
check-generate: ## fail when generated Go is stale (the rest is checked by tests); buf runs only when a proto changed
	@shasum -a 256 -c --quiet proto/generated.sum || { $(MAKE) generate && git diff --exit-code --stat -- proto; } || { echo "generated files are stale: run make generate and commit"; exit 1; }

.PHONY: breaking
breaking: tools-proto ## compare the document model and the plugin protocol with main
	cd proto && buf breaking --against '../.git#branch=main,subdir=proto'

.PHONY: cross
cross: ## build for windows and darwin without cgo
	CGO_ENABLED=0 GOOS=windows GOARCH=amd64 $(GO) build -o /dev/null .
	CGO_ENABLED=0 GOOS=darwin GOARCH=arm64 $(GO) build -o /dev/null .
	CGO_ENABLED=0 GOOS=linux GOARCH=amd64 $(GO) build -o /dev/null .

.PHONY: clean
clean: ## remove what make built
	rm -rf agy-reader agy-reader.exe demo dist .bin

# --- tools, pinned, installed once into .bin ---------------------------------------------------------------------

.PHONY: tools
tools: $(BIN)/golangci-lint-$(GOLANGCI) $(BIN)/gofumpt-$(GOFUMPT)

.PHONY: tools-proto
tools-proto: $(BIN)/buf-$(BUF) $(BIN)/protoc-gen-go-$(PROTOC_GO) $(BIN)/protoc-gen-go-grpc-$(PROTOC_RPC)

$(BIN)/golangci-lint-$(GOLANGCI):
	$(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI) && touch $@
$(BIN)/gofumpt-$(GOFUMPT):
	$(GO) install mvdan.cc/gofumpt@$(GOFUMPT) && touch $@
$(BIN)/buf-$(BUF):
	$(GO) install github.com/bufbuild/buf/cmd/buf@$(BUF) && touch $@
$(BIN)/protoc-gen-go-$(PROTOC_GO):
	$(GO) install google.golang.org/protobuf/cmd/protoc-gen-go@$(PROTOC_GO) && touch $@
$(BIN)/protoc-gen-go-grpc-$(PROTOC_RPC):
	$(GO) install google.golang.org/grpc/cmd/protoc-gen-go-grpc@$(PROTOC_RPC) && touch $@

.PHONY: browser
browser: ## install Chromium for the browser tests where apt-get can
	@command -v chromium >/dev/null || command -v google-chrome >/dev/null || { if command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy chromium; else echo "no Chromium: the browser tests will skip"; fi; }

.PHONY: tools-gates
tools-gates: ## the C compiler and SQLite's headers, for the reference program of the gates
	@if ! printf '#include <sqlite3.h>\nint main(void) { return !sqlite3_libversion_number(); }' | cc -x c - -lsqlite3 -o /dev/null 2>/dev/null; then \
	$(call apt,gcc libc6-dev libsqlite3-dev,a C compiler and the headers of SQLite); fi

.PHONY: tools-bench
tools-bench: tools-gates
	@missing=""; for t in sqlite3 jq cmark-gfm python3; do command -v $$t >/dev/null || missing="$$missing $$t"; done; \
	if [ -n "$$missing" ]; then $(call apt,sqlite3 jq cmark-gfm python3,$$missing); fi

# apt installs packages where it can, and otherwise says what is needed.
apt = if command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy $(1); else echo "the benchmark needs: $(2)"; exit 1; fi
