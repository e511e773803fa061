# The two commands of the README are `make census` and `make test`. Both first run `make setup`,
# which installs what the build needs (Rust, a C++ compiler and libclang) or says how to get it, and
# compiles RocksDB once.

# Each checkout builds in its own folder `target`. Cargo distinguishes packages of two checkouts
# only by the times of their files, so with a common folder one checkout might run and install the
# program of the other. Only what is expensive and not ours is shared: RocksDB and mdBook, in
# $(CACHE).
CACHE := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/misere-census
TARGET := $(or $(CARGO_TARGET_DIR),$(CURDIR)/target)
# The version that the program prints, with the commit of a clone.
COMMIT := $(shell git describe --always --dirty --exclude '*' 2>/dev/null)
export MISERE_VERSION ?= $(shell sed -n 's/^version = "\(.*\)"$$/\1/p' Cargo.toml | head -1)$(if $(COMMIT), (commit $(COMMIT)))

CARGO ?= cargo
TYPOS ?= typos
# Everything is built in one profile, so that each crate is compiled once.
PROFILE := --release --locked

# The number of digits of the codes of `make census`, its directory, and further options of
# `misere census run`.
DIGITS ?= 3
DATA ?= census-$(DIGITS)
OPTIONS ?=

MISERE := $(TARGET)/release/misere

# What follows a command that failed: on a full disk the reason is far above the last line.
OR_FAIL = || { df -Pk "$(TARGET)" 2>/dev/null | awk 'NR == 2 && $$4 < 65536 \
	{ print "error: there is no room left for $(TARGET); make some, and run make again" }' >&2; exit 1; }

QUEUE_TESTS := test-slurm test-sge test-snakemake test-ssh test-processes test-containers

.PHONY: $(QUEUE_TESTS) axe check-all check-landing locks packages typos test-hyperqueue check-htcondor check-manifests help setup rust compiler components build census test test-checkouts test-upgrade test-month clean msrv doc docs release fuzz documents other-programs typesetting browser test-browser test-slow test-sage check-deploy proofs test-wheel test-pythons mutants bench frontier normal deny install maturin python wheel test-python data-packages paper browser-solver test-browser-solver

help:
	@echo "make census     build, then the census of all octal codes of at most three digits, in $(DATA) (DATA=…, DIGITS=…)"
	@echo "make test       formatting, lints and every test but the slow ones"
	@echo "make check-all  every other target that checks something, with one line for each (hours)"
	@echo "make locks      the lock files of all workspaces belong to their manifests"
	@echo "make packages   the crates that are of use alone, as crates.io would take them"
	@echo "make typos      spelling (needs typos, a Python package or crate)"
	@echo "make test-checkouts  two clones with different code, each of which has to run its own (some minutes)"
	@echo "make test-upgrade  a census by this release and another one together (FROM=TAG or COMMIT)"
	@echo "make test-month  20 workers of four owners, two of whom lie, through kills, a lost disk and an upgrade (as root)"
	@echo "make msrv       the oldest Rust that Cargo.toml promises compiles everything (needs rustup)"
	@echo "make doc        the documentation of the crates, without a warning"
	@echo "make docs       the book as web pages, in target/book (needs python3; installs mdBook beside the build)"
	@echo "make release    binaries, Debian package, Python package, sources, bill of materials and checksums, in RELEASE=…"
	@echo "make fuzz       every target of tests/fuzz for a minute (needs nightly Rust and cargo-fuzz)"
	@echo "make test-slow  the slow tests"
	@echo "make test-sage  the export for Sage and the wheel's objects of Sage, under Sage"
	@echo "make documents  write into README.md and docs/ what the program prints and which options it has"
	@echo "make test-browser  the pages in Chromium; pictures in target/tmp/screenshots"
	@echo "make test-slurm test-sge test-snakemake test-ssh test-processes test-containers"
	@echo "                a census by a queue of this machine, parts of which are killed (most as root)"
	@echo "make test-hyperqueue check-htcondor  the same by HyperQueue, and the file for HTCondor (need Python packages)"
	@echo "make check-deploy  the files of deploy/: schemas, units, and the topology in network namespaces (as root)"
	@echo "make check-manifests  deploy/kubernetes and deploy/monitoring (needs the Python package kubernetes-validate)"
	@echo "make proofs     the checker proved in Coq, and misere-verified, the reader extracted from it (needs coq and ocaml)"
	@echo "make mutants    break the checker in one place at a time and see the tests fail (needs cargo-mutants)"
	@echo "make bench      the benches (benches/README.md says how to read them)"
	@echo "make frontier   how fast the engine is on Figure 1 and how far it gets where quotients grow"
	@echo "make normal     nim-values of all games of Figure 1 to heap 2^26, in $(NORMAL); run it again to go on"
	@echo "make deny       licences, advisories and sources of the dependencies (needs cargo-deny)"
	@echo "make build      the command, $(MISERE)"
	@echo "make install    the command, into cargo's own bin directory"
	@echo "make clean      remove what this checkout built"
	@echo "make python     the Python package, and the command with it, as a wheel (needs Python 3.9 or later with venv)"
	@echo "make wheel      the whole program as a wheel, misere-census (needs Python 3.9 or later with venv)"
	@echo "make test-python  the wheels in a fresh environment: metadata, tests, docs/python.md, notebooks"
	@echo "make browser-solver  solver and checker in a web page, in target/browser (needs rustup, or Debian as root)"
	@echo "make test-browser-solver  its answers about 300 games are those of the native program (needs node and Chromium)"
	@echo "make paper      the draft of an article, with the tables of the census in $(DATA) (needs TeX)"
	@echo "make test-pythons  the suite of the Python package under the oldest and the newest Python here (PYTHONS=…)"
	@echo "make data-packages  the census in $(DATA) and the quotients of order 18 as wheels, and a package of GAP (DATA=…, ORDER=… or LIST=…)"

# Targets that build the Python package need Python, too; all that is missing is named at once.
PYTHON_TARGETS := python wheel test-wheel test-python test-sage data-packages release

setup:
	@PYTHON="$(PYTHON)" sh deploy/build-needs.sh rust compiler libclang $(if $(filter $(PYTHON_TARGETS),$(MAKECMDGOALS)),python)
	@sh deploy/rocksdb.sh

# For targets that build neither the command nor the store, and so need no libclang and no RocksDB.
rust:
	@sh deploy/build-needs.sh rust

compiler:
	@sh deploy/build-needs.sh rust compiler

build: setup
	@$(CARGO) build $(PROFILE) --bin misere $(OR_FAIL)

census: build
	"$(MISERE)" census run --digits $(DIGITS) --data "$(DATA)" $(OPTIONS)
	@echo 'the census is in $(DATA); to see it as web pages: $(subst $(CURDIR)/,,$(MISERE)) serve --data $(DATA)'

# A minimal toolchain has neither rustfmt nor clippy; rustup brings them.
components:
	@{ $(CARGO) fmt --version && $(CARGO) clippy --version; } >/dev/null 2>&1 || rustup component add rustfmt clippy \
	|| { echo "error: rustfmt and clippy are missing; install them as your Rust toolchain provides" >&2; exit 1; }

# A script that runs make in the background has it ignore SIGINT; tests send this signal.
HEAR_SIGNALS := $(shell env --default-signal=INT,HUP true 2>/dev/null && echo env --default-signal=INT,HUP)

# Tests are built in the profile dev of Cargo.toml, with debug assertions and overflow checks. Many
# wait for a disk, a lease or another process, so each core has two threads.
test: export RUST_TEST_THREADS ?= $(shell expr 2 \* "$$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)")
test: setup components
	for workspace in . common/python common/browser tests/fuzz; do $(CARGO) fmt --all --check --manifest-path "$$workspace/Cargo.toml" || exit 1; done
	$(CARGO) clippy --locked --workspace --all-targets -- -D warnings
	$(CARGO) clippy --locked --no-default-features -- -D warnings
	@$(HEAR_SIGNALS) $(CARGO) test --locked --workspace $(OR_FAIL)

# Everything that continuous integration runs besides `make test`, and every target that checks
# something. A target that needs a tool missing here says so in a line that begins with "cannot run
# here: ".
check-landing check-all: export CHECKED = $(TARGET)/checked
check-landing check-all: setup
	@sh tests/check-all.sh $(if $(filter check-all,$@),all,landing)

# The lock files of all workspaces match their manifests.
locks: rust
	for workspace in . common/python common/browser tests/fuzz; do \
	  $(CARGO) metadata --locked --format-version 1 --manifest-path "$$workspace/Cargo.toml" >/dev/null || exit 1; \
	done

# The crates that are of use to other programs, as crates.io would take them: each is built from its
# archive and the archives of those below it.
CRATES := misere-game misere-check misere-engine misere-algebra misere-answers

packages: compiler
	$(CARGO) publish --dry-run --locked --allow-dirty $(addprefix -p ,$(CRATES))

# Spelling of names, comments and pages. Cargo.toml has the words that are right.
typos:
	@command -v $(TYPOS) >/dev/null || { echo "cannot run here: typos is missing; run: pip install typos" >&2; exit 1; }
	$(TYPOS)

# Builds two clones whose code differs in both orders: each has to run its own program.
test-checkouts: setup
	sh tests/checkouts.sh

# A census whose machines have this release and another one, FROM (the last tag, unless it is given).
test-upgrade: build
	sh tests/upgrade.sh "$(MISERE)"

# A census of many machines, with everything that happens to them in a month. OLD names the program
# with which it begins; the newer one replaces it on the way.
test-month: build
	@{ command -v prometheus && command -v ip && command -v curl && command -v openssl; } >/dev/null 2>&1 \
	|| { [ "$$(id -u)" -eq 0 ] && apt-get update && apt-get install -y --no-install-recommends prometheus iproute2 curl openssl; } \
	|| { echo "cannot run here: with root: apt-get install prometheus iproute2 curl openssl" >&2; exit 1; }
	$(CARGO) build $(PROFILE) -p misere-worker --features lying-worker --bin lying-worker
	$(PYTHON) -m venv "$(TARGET)/month/python" && "$(TARGET)/month/python/bin/pip" install --quiet matplotlib
	PYTHON="$(TARGET)/month/python/bin/python" sh tests/month/month.sh "$(MISERE)" "$(dir $(MISERE))lying-worker" "$(TARGET)/month" $(OLD)

# Removes what this checkout built, and keeps what all checkouts share. Without cargo the folder of
# the builds is removed if it is the usual one, or one that cargo marked and that is no checkout.
clean:
	@if $(CARGO) --version >/dev/null 2>&1; then \
	  echo "$(CARGO) clean"; $(CARGO) clean; \
	elif [ "$(TARGET)" = "$(CURDIR)/target" ] || { [ -f "$(TARGET)/.rustc_info.json" ] && [ ! -e "$(TARGET)/Cargo.toml" ]; }; then \
	  echo "rm -rf \"$(TARGET)\""; rm -rf "$(TARGET)"; \
	elif [ -e "$(TARGET)" ]; then \
	  echo "error: without cargo, make clean does not remove $(TARGET), where other things may be; remove it yourself" >&2; exit 1; \
	fi
	rm -rf .cargo/config.toml common/proofs/_build
	@if [ -d "$(CACHE)" ]; then echo "shared by all checkouts, and kept: $$(du -sh "$(CACHE)" | tr '\t' ' ')"; fi

# The version that Cargo.toml promises. rustup fetches it if it is missing; without rustup the check
# is refused.
MSRV = $(shell sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)

msrv: setup
	@command -v rustup >/dev/null || { echo "cannot run here: rustup is missing, which brings Rust $(MSRV); get it from https://rustup.rs" >&2; exit 1; }
	@rustup run $(MSRV) rustc --version >/dev/null 2>&1 || rustup toolchain install $(MSRV) --profile minimal \
	|| { echo "cannot run here: Rust $(MSRV) cannot be had; run: rustup toolchain install $(MSRV)" >&2; exit 1; }
	rustup run $(MSRV) $(CARGO) check --locked --workspace --all-targets

doc: export RUSTDOCFLAGS = -D warnings
doc: setup
	$(CARGO) doc --locked --workspace --no-deps

# The book with a search, for browsers. mdBook is built once, outside the clone.
MDBOOK := 0.5.4
TOOLS := $(CACHE)/tools

docs:
	@command -v python3 >/dev/null || { echo "cannot run here: python3 is missing, which docs/formulas.py needs; with root: apt-get install python3" >&2; exit 1; }
	@"$(TOOLS)/bin/mdbook" --version 2>/dev/null | grep -qxF "mdbook v$(MDBOOK)" \
	|| { sh deploy/build-needs.sh rust compiler && $(CARGO) install mdbook --version $(MDBOOK) --locked --no-default-features --features search --root "$(TOOLS)"; }
	cd docs && python3 -m doctest formulas.py
	"$(TOOLS)/bin/mdbook" build docs --dest-dir "$(TARGET)/book"
	@echo "the book is in $(TARGET)/book/index.html"

# The draft of the article, with the tables of the census in $(DATA).
paper: build typesetting
	$(PYTHON) docs/paper/tables.py "$(MISERE)" "$(DATA)" "$(TARGET)/paper"
	cp docs/paper/paper.tex "$(TARGET)/paper"
	cd "$(TARGET)/paper" && for pass in 1 2 3; do pdflatex -interaction=nonstopmode -halt-on-error paper.tex >paper.out || { tail -n 30 paper.out; exit 1; }; done
	@echo "the paper is in $(TARGET)/paper/paper.pdf"

# Makes the files of a release, outside the clone: docs/howto/release.md. PREVIOUS=DIR names a
# census of an earlier release, a copy of which is opened.
RELEASE ?= $(CACHE)/release
PREVIOUS ?=

release: build python wheel browser-solver
	$(PYTHON) deploy/release.py "$(MISERE)" "$(RELEASE)" --wheels "$(WHEELS)" --browser "$(TARGET)/browser" $(if $(PREVIOUS),"$(PREVIOUS)")

# The targets, and how to handle an input that one of them finds: tests/fuzz/README.md.
FUZZ_TARGETS ?= $(basename $(notdir $(wildcard tests/fuzz/fuzz_targets/*.rs)))
FUZZ_SECONDS ?= 60

fuzz: compiler
	@command -v cargo-fuzz >/dev/null || { echo "cannot run here: cargo-fuzz is not installed; run: cargo install cargo-fuzz --locked" >&2; exit 1; }
	@rustup run nightly rustc --version >/dev/null 2>&1 || { echo "cannot run here: nightly Rust is missing; run: rustup toolchain install nightly --profile minimal" >&2; exit 1; }
	for target in $(FUZZ_TARGETS); do \
	  mkdir -p tests/fuzz/corpus/$$target && \
	  env -u CARGO_TARGET_DIR cargo +nightly fuzz run --fuzz-dir tests/fuzz $$target tests/fuzz/corpus/$$target tests/fuzz/regressions/$$target \
	    -- -max_total_time=$(FUZZ_SECONDS) -timeout=90 -rss_limit_mb=2048 || exit 1; \
	done

# Also reads certificates of `misere solve`, if the command has been built. Nothing else needs Coq.
proofs:
	@sh common/proofs/build.sh $(if $(shell ls "$(MISERE)" 2>/dev/null),"$(MISERE)")

# The tests of the documents compare the output of the program with the pages; with this variable
# they write it into the pages. Look at the difference before you commit it. SLOW=1 runs the slow
# sessions too.
documents: export MISERE_REFRESH_DOCUMENTS = 1
documents: setup
	$(CARGO) test --locked -p misere --lib documented
	$(CARGO) test --locked -p misere-web --lib description
	$(CARGO) test --locked --test surfaces -- $(if $(SLOW),--include-ignored )what_the_pages_show_is_printed
	git diff --stat -- README.md docs coordinator/web/openapi.json

# GAP and Python rebuild the monoids of an export, and the pages show sessions with the other
# programs; without them tests fail.
OTHER_PROGRAMS := gap python3 jq sqlite3 curl
OTHER_PACKAGES := gap-core gap-autodoc python3 jq sqlite3 curl

other-programs:
	@(for program in $(OTHER_PROGRAMS); do command -v $$program || exit 1; done) >/dev/null 2>&1 \
	|| { [ "$$(id -u)" -eq 0 ] && apt-get update && apt-get install -y --no-install-recommends $(OTHER_PACKAGES); } \
	|| { echo "cannot run here: one of $(OTHER_PROGRAMS) is missing; with root: apt-get install $(OTHER_PACKAGES)" >&2; exit 1; }

# The reports are typeset as papers; without TeX that test fails.
typesetting:
	@{ command -v pdflatex && kpsewhich booktabs.sty && kpsewhich xltabular.sty; } >/dev/null 2>&1 \
	|| { [ "$$(id -u)" -eq 0 ] && apt-get update && apt-get install -y --no-install-recommends texlive-latex-base texlive-latex-recommended texlive-latex-extra; } \
	|| { echo "cannot run here: TeX is missing; with root: apt-get install texlive-latex-base texlive-latex-recommended texlive-latex-extra" >&2; exit 1; }

browser:
	@command -v "$${CHROMIUM:-chromium}" >/dev/null 2>&1 \
	|| { [ "$$(id -u)" -eq 0 ] && apt-get update && apt-get install -y --no-install-recommends chromium fonts-dejavu-core; } \
	|| { echo "cannot run here: Chromium is missing; with root: apt-get install chromium, or name it: make CHROMIUM=…" >&2; exit 1; }

# axe-core finds faults of pages for people who use a keyboard or a screen reader.
AXE := 4.14.1
AXE_SHA256 := 29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c
export MISERE_AXE := $(TOOLS)/axe-$(AXE).min.js

axe:
	@test -f "$(MISERE_AXE)" || { mkdir -p "$(TOOLS)" \
	&& curl -sSf https://registry.npmjs.org/axe-core/-/axe-core-$(AXE).tgz | tar -xzO package/axe.min.js >"$(MISERE_AXE).part" \
	&& echo "$(AXE_SHA256)  $(MISERE_AXE).part" | sha256sum --check --status && mv "$(MISERE_AXE).part" "$(MISERE_AXE)"; } \
	|| { echo "cannot run here: axe-core $(AXE) cannot be had from registry.npmjs.org with curl" >&2; exit 1; }

test-browser: setup browser axe
	$(CARGO) test --locked --test surfaces -- --ignored browser::

test-slow: setup other-programs typesetting browser axe
	$(CARGO) test $(PROFILE) --workspace -- --ignored --skip sage_rebuilds_the_monoids --skip the_module_solves

# Sage takes some gigabytes, so `make test-slow` omits it.
test-sage: setup python
	@command -v sage >/dev/null 2>&1 \
	|| { [ "$$(id -u)" -eq 0 ] && apt-get update && apt-get install -y --no-install-recommends sagemath; } \
	|| { echo "cannot run here: Sage is missing; with root: apt-get install sagemath" >&2; exit 1; }
	$(CARGO) test $(PROFILE) --test surfaces -- --ignored sage_rebuilds_the_monoids
	rm -rf "$(PYTHON_PLACE)/sage"
	"$(PYTHON_PLACE)/build/bin/pip" install --quiet --no-index --target "$(PYTHON_PLACE)/sage" "$(WHEELS)"/misere-*.whl
	PYTHONPATH="$(PYTHON_PLACE)/sage" sage -t "$(PYTHON_PLACE)/sage/misere/sage.py"

# Runs a census by each way of `misere census submit`, with disturbances. The profile makes no
# difference.
test-slurm: NEEDS = slurmctld slurmd slurm-client munge
test-slurm: TOOL = slurmctld
test-sge: NEEDS = gridengine-master gridengine-exec gridengine-client
test-sge: TOOL = sge_qmaster
test-snakemake: NEEDS = snakemake
test-snakemake: TOOL = snakemake
test-ssh: NEEDS = openssh-server openssh-client iproute2
test-ssh: TOOL = /usr/sbin/sshd
test-processes: TOOL = sh
test-containers: NEEDS = buildah debootstrap
test-containers: TOOL = buildah

$(QUEUE_TESTS): test-%: build
	@command -v $(TOOL) >/dev/null 2>&1 \
	|| { [ "$$(id -u)" -eq 0 ] && apt-get update && apt-get install -y --no-install-recommends $(NEEDS); } \
	|| { echo "cannot run here: $(TOOL) is missing; with root: apt-get install $(NEEDS)" >&2; exit 1; }
	sh tests/queues/$*.sh "$(MISERE)"

# HyperQueue and HTCondor from their Python packages: a server with workers, and the parser of
# submit files.
test-hyperqueue: build
	@$(PYTHON) -c 'import hyperqueue' 2>/dev/null || { echo "cannot run here: pip install hyperqueue, or name a Python that has it: make PYTHON=…" >&2; exit 1; }
	$(PYTHON) tests/queues/hq.py "$(MISERE)"

check-htcondor: build
	@$(PYTHON) -c 'import htcondor2' 2>/dev/null || { echo "cannot run here: pip install htcondor, or name a Python that has it: make PYTHON=…" >&2; exit 1; }
	$(PYTHON) tests/queues/condor.py "$(MISERE)"

# docs/deploying.md describes the needs and the limits of these checks.
check-deploy: build
	python3 deploy/check.py "$(MISERE)"
	sh deploy/check-topology.sh "$(MISERE)"

# Checks the manifests for Kubernetes against the published schemas; alerts and dashboard against
# the list of the metrics.
check-manifests: build
	@python3 -c 'import kubernetes_validate, yaml' 2>/dev/null || { echo "cannot run here: pip install kubernetes-validate pyyaml" >&2; exit 1; }
	python3 deploy/check-manifests.py "$(MISERE)"

# .cargo/mutants.toml says what is broken and which tests have to notice. In parts:
#     make mutants MUTANTS='--shard 0/8'
# Property tests neither shrink failures nor record them, so that every
# mutant is judged by the same tests. The tests run without a mutant first: cargo-mutants builds them for
# one package only, and the tests of the checker are another one.
MUTATED := misere-check misere-checker-tests misere-engine

mutants: export PROPTEST_MAX_SHRINK_ITERS = 0
mutants: export PROPTEST_DISABLE_FAILURE_PERSISTENCE = 1
mutants: compiler
	@command -v cargo-mutants >/dev/null || { echo "cannot run here: cargo-mutants is not installed; run: cargo install cargo-mutants --locked" >&2; exit 1; }
	$(CARGO) test --locked --profile mutants $(addprefix -p ,$(MUTATED)) --lib --test checker --test normal
	$(CARGO) mutants --package misere-check --package misere-engine --baseline skip --timeout 400 $(MUTANTS)

bench: setup
	$(CARGO) bench --locked --workspace
	$(CARGO) bench --locked -p misere-engine --features layers --bench layers

frontier: compiler
	CARGO="$(CARGO)" sh benches/frontier.sh

# The directory of the nim-values of all games of Figure 1, and their greatest heap.
NORMAL ?= normal-3
HEAPS ?= 67108864

normal: build
	"$(MISERE)" normal run --digits 3 --heaps $(HEAPS) --data "$(NORMAL)"

install: setup
	$(CARGO) install --locked --path .

deny: rust
	@command -v cargo-deny >/dev/null || { echo "cannot run here: cargo-deny is not installed; run: cargo install cargo-deny --locked" >&2; exit 1; }
	$(CARGO) deny --all-features check bans licenses sources
	@$(CARGO) deny fetch db || { echo "cannot run here: licences, bans and sources passed, but the advisories cannot be fetched from github.com" >&2; exit 1; }
	$(CARGO) deny --all-features check advisories

# The Python package: docs/python.md. Wheels and environments are beside the builds, outside of this
# directory.
PYTHON ?= python3
PYTHON_PLACE = $(TARGET)/python
WHEELS = $(PYTHON_PLACE)/wheels

maturin:
	@PYTHON="$(PYTHON)" sh deploy/build-needs.sh rust compiler python
	test -x "$(PYTHON_PLACE)/build/bin/maturin" || { $(PYTHON) -m venv "$(PYTHON_PLACE)/build" && "$(PYTHON_PLACE)/build/bin/pip" install --quiet 'maturin>=1.9.4,<2'; } \
	|| { echo "cannot run here: maturin cannot be had from PyPI" >&2; exit 1; }

python: maturin
	rm -rf "$(WHEELS)"/misere-*.whl
	"$(PYTHON_PLACE)/build/bin/maturin" build --release --locked --manifest-path common/python/Cargo.toml --target-dir "$(PYTHON_PLACE)/target" --out "$(WHEELS)"
	@ls "$(WHEELS)"/misere-*.whl

# The whole program as a wheel, from the same build as `make build`.
wheel: build maturin
	rm -rf "$(WHEELS)"/misere_census-*.whl
	cd deploy/wheel && "$(PYTHON_PLACE)/build/bin/maturin" build --release --locked --target-dir "$(TARGET)" --out "$(WHEELS)"
	@ls "$(WHEELS)"/misere_census-*.whl

# Uses a fresh environment each time, and no file of this checkout but the tests, their page and the
# notebooks, as users do. The command serves the census that the tests query over HTTP.
# The suite of the Python package, in a fresh environment outside of the clone.
test-wheel: build python
	rm -rf "$(PYTHON_PLACE)/test"
	$(PYTHON) -m venv "$(PYTHON_PLACE)/test"
	"$(PYTHON_PLACE)/test/bin/pip" install --quiet -r common/python/tests/requirements.txt \
	|| { echo "cannot run here: the packages of common/python/tests/requirements.txt cannot be had from PyPI" >&2; exit 1; }
	"$(PYTHON_PLACE)/test/bin/pip" install --quiet --no-index "$(WHEELS)"/misere-*.whl
	outside=$$(mktemp -d) && trap 'rm -rf "$$outside"' EXIT && mkdir -p "$$outside/common/python" "$$outside/docs" \
	&& cp -R common/python/tests common/python/notebooks common/python/pyproject.toml common/python/README.md "$$outside/common/python" \
	&& cp docs/python.md "$$outside/docs" && cd "$$outside/common/python" \
	&& MISERE="$(MISERE)" "$(PYTHON_PLACE)/test/bin/python" -m pytest -p no:cacheprovider

test-python: wheel test-wheel
	"$(PYTHON_PLACE)/test/bin/twine" check --strict "$(WHEELS)"/*.whl
	rm -rf "$(PYTHON_PLACE)/program" && $(PYTHON) -m venv "$(PYTHON_PLACE)/program"
	"$(PYTHON_PLACE)/program/bin/pip" install --quiet --no-index "$(WHEELS)"/misere_census-*.whl
	"$(PYTHON_PLACE)/program/bin/misere" census run --digits 1 --data "$(PYTHON_PLACE)/program/census"

# The same suite under the oldest and the newest Python of this machine, or under those of PYTHONS.
PYTHONS ?= $(shell for minor in 9 10 11 12 13 14 15; do python3.$$minor -c "" 2>/dev/null && echo python3.$$minor; done | sed -n '1p;$$p' | uniq)

test-pythons:
	@test -n "$(PYTHONS)" || { echo "cannot run here: there is no python3.9 or later; PYTHONS=... names some" >&2; exit 1; }
	for python in $(PYTHONS); do $(MAKE) --no-print-directory test-wheel PYTHON="$$python" || exit 1; done

# The solver and the checker as WebAssembly, and the page that uses them.
browser-solver: rust
	@sh deploy/browser-solver.sh

test-browser-solver: BROWSER = --manifest-path common/browser/Cargo.toml --target-dir "$(TARGET)/browser/build"
test-browser-solver: browser-solver browser setup
	@command -v node >/dev/null || { echo "cannot run here: node is missing; with root: apt-get install nodejs" >&2; exit 1; }
	$(CARGO) clippy --locked --all-targets $(BROWSER) -- -D warnings
	$(CARGO) test $(PROFILE) $(BROWSER)
	cat common/browser/tests/games.txt common/browser/tests/questions.txt \
	| $(CARGO) run $(PROFILE) --quiet $(BROWSER) --example answers >"$(TARGET)/browser/answers.jsonl"
	node common/browser/tests/agreement.mjs "$(TARGET)/browser" "$(TARGET)/browser/answers.jsonl"
	node common/browser/tests/page.mjs "$(TARGET)/browser" "$(TARGET)/browser/answers.jsonl"
	MISERE_BROWSER_SOLVER="$(TARGET)/browser" $(CARGO) test --locked --test surfaces -- --ignored the_module_solves

# The greatest order of the list of quotients; LIST=FILE names an existing list.
ORDER ?= 18
LIST ?=

data-packages: build python
	rm -rf "$(PYTHON_PLACE)/data" "$(PYTHON_PLACE)/pack" && mkdir -p "$(PYTHON_PLACE)/data"
	$(PYTHON) -m venv "$(PYTHON_PLACE)/pack" && "$(PYTHON_PLACE)/pack/bin/pip" install --quiet "$(WHEELS)"/misere-*.whl
	"$(MISERE)" export --format sqlite --without-quotients --data "$(DATA)" --out "$(PYTHON_PLACE)/data/tables"
	"$(MISERE)" export --format jsonl --data "$(DATA)" --out "$(PYTHON_PLACE)/data/lines"
	$(if $(LIST),cp "$(LIST)","$(MISERE)" classify --order $(ORDER) --json >) "$(PYTHON_PLACE)/data/orders.json"
	"$(PYTHON_PLACE)/pack/bin/python" -m misere.data_package census --tables "$(PYTHON_PLACE)/data/tables" --lines "$(PYTHON_PLACE)/data/lines" --out "$(WHEELS)"
	"$(PYTHON_PLACE)/pack/bin/python" -m misere.data_package orders --list "$(PYTHON_PLACE)/data/orders.json" --out "$(WHEELS)"
	"$(MISERE)" export --format gap --order ..1000 --data "$(DATA)" --out "$(PYTHON_PLACE)/data/misere"
	tar --create --gzip --file "$(WHEELS)/misere-gap.tar.gz" --directory "$(PYTHON_PLACE)/data" --sort=name --owner=0 --group=0 --mtime=@0 misere
