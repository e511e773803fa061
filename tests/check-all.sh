#!/bin/sh
# Runs all other targets of the Makefile. One line for each: passed, failed, or cannot run and why.
#
# `check-all.sh landing` runs those that a landing waits for beside `make test`; `check-all.sh all` runs every target that
# checks something; other words are targets of that list. `make mutants`, `make bench` and `make frontier` measure for hours,
# and are left out. Logs and results are in the directory that CHECKED names, or in target/checked. With RESUME=1 a target
# is not run again that passed for the same commit.
set -u
cd "$(dirname "$0")/.."
CHECKED=${CHECKED:-$PWD/target/checked}

# A release is made outside of the clone.
outside=${TMPDIR:-/tmp}/misere-check-$$
trap 'rm -rf "$outside"' EXIT

landing='locks
typos
doc
test-python
msrv'

# The census and the list of quotients for the data packages are small ones.
all="$landing
packages
deny
docs
check-manifests
check-htcondor
test-hyperqueue
test-pythons
test-processes
test-browser
test-browser-solver
proofs
check-deploy
census DIGITS=1 DATA=$CHECKED/census
data-packages DATA=$CHECKED/census ORDER=10
paper DATA=$CHECKED/census
release RELEASE=$outside
test-checkouts
test-upgrade
test-month
fuzz
test-snakemake
test-ssh
test-slurm
test-sge
test-containers
test-slow
test-sage"

case ${1:-} in
landing) wanted=$landing ;;
all) wanted=$all ;;
'')
    echo "usage: $0 landing|all|TARGET..." >&2
    exit 2
    ;;
*)
    wanted=
    for target in "$@"; do
        line=$(printf '%s\n' "$all" | grep -E "^$target( |\$)") || {
            echo "error: $target is no target that checks something" >&2
            exit 2
        }
        wanted="$wanted${wanted:+
}$line"
    done
    ;;
esac

# What passed is remembered by commit; it says nothing about a working tree with changes.
commit=
if [ -z "$(git status --porcelain 2>&1)" ]; then commit=$(git rev-parse HEAD); fi

mkdir -p "$CHECKED"
failed=0
while read -r target variables; do
    log=$CHECKED/$target.log
    if [ -n "${RESUME:-}" ] && [ -n "$commit" ] && [ "$commit" = "$(cat "$CHECKED/$target.passed" 2>/dev/null)" ]; then
        printf '%-16s passed           before, for the same commit\n' "$target"
        continue
    fi
    rm -f "$CHECKED/$target.passed"
    if [ "$target" = census ]; then rm -rf "$CHECKED/census"; fi
    began=$(date +%s)
    # A target must not read standard input, which is the list of the other targets.
    # shellcheck disable=SC2086
    ${MAKE:-make} --no-print-directory "$target" $variables >"$log" 2>&1 </dev/null
    code=$?
    took="$(($(date +%s) - began)) s"
    reason=$(sed -n 's/^cannot run here: //p' "$log" | tail -n 1)
    if [ $code -eq 0 ]; then
        printf '%-16s passed           %s\n' "$target" "$took"
        printf '%s\n' "$commit" >"$CHECKED/$target.passed"
    elif [ -n "$reason" ]; then
        printf '%-16s cannot run here  %s\n' "$target" "$reason"
    else
        printf '%-16s FAILED           %s, %s\n' "$target" "$took" "$log"
        tail -n 60 "$log" | sed 's/^/    /'
        failed=1
    fi
done <<LIST
$wanted
LIST
exit $failed
