#!/bin/sh
# Checks that a census goes on when some of its machines have another release of the program.
#
# FROM names the other release, a tag or a commit; the default is the last tag. Its program is built in a clone. With the
# same engine: a census is half done by the other release, and finished by a coordinator of this one with a worker of the other;
# another is finished by a coordinator of the other release with a worker of this one; both have the digest of a census in
# one piece. With another engine, workers must leave at once with exit code 6. In any case the other release refuses a store
# of a later format in one line, and changes nothing.
set -eu
cd "$(dirname "$0")/.."
top=$PWD
new=$1
FROM=${FROM:-$(git describe --tags --abbrev=0 2>/dev/null || true)}
if [ -z "$FROM" ]; then
    echo "cannot run here: no release is tagged yet; FROM=COMMIT names a commit to compare with" >&2
    exit 1
fi
work=$(mktemp -d)
coordinator=
end() {
    if [ -n "$coordinator" ]; then kill "$coordinator" 2>/dev/null || true; fi
    rm -rf "$work"
}
trap end EXIT
trap 'exit 1' INT TERM
unset CARGO_TARGET_DIR

git clone -q "$top" "$work/other"
git -C "$work/other" checkout -q "$FROM"
echo "building $FROM"
make --silent -C "$work/other" build >"$work/build.log" 2>&1 || { tail -n 20 "$work/build.log" >&2; exit 1; }
old=$work/other/target/release/misere

fail() {
    echo "error: $1" >&2
    exit 1
}

digest() {
    "$new" census digest --data "$1" | sed -n 's/.*\([0-9a-f]\{64\}\).*/\1/p' | head -n 1
}

# Finishes the census in $3 by a coordinator of program $1 and a worker of program $2; prints the worker's exit code.
finish() {
    "$1" coordinator --data "$3" --digits 2 --fuel 2k --listen 127.0.0.1:0 >"$work/coordinator.log" 2>&1 &
    coordinator=$!
    waited=0
    until [ -s "$3/endpoint" ]; do
        waited=$((waited + 1))
        [ $waited -lt 300 ] || fail "no coordinator within 30 s: $(cat "$work/coordinator.log")"
        sleep 0.1
    done
    code=0
    "$2" worker --coordinator "http://$(cat "$3/endpoint")" --give-up-after 20s >"$work/worker.log" 2>&1 || code=$?
    # A coordinator ends with its census; with a worker that left it would wait for ever.
    if [ $code != 0 ]; then kill "$coordinator" 2>/dev/null || true; fi
    wait "$coordinator" || true
    coordinator=
    echo $code
}

"$new" census run --digits 2 --fuel 2k --data "$work/whole" --quiet >/dev/null
wanted=$(digest "$work/whole")

"$old" census chunk --digits 2 --fuel 2k --res 0 --mod 2 --out "$work/half" >/dev/null
"$old" census merge --data "$work/begun" "$work/half" >/dev/null
cp -R "$work/begun" "$work/both"
code=$(finish "$old" "$new" "$work/begun")
if [ "$code" = 6 ]; then
    grep -qi engine "$work/worker.log" || fail "a worker left with 6 and no word of the engine: $(cat "$work/worker.log")"
    echo "another engine: the worker leaves with 6"
else
    [ "$code" = 0 ] || fail "a worker of this release ended with $code: $(cat "$work/worker.log")"
    [ "$(digest "$work/begun")" = "$wanted" ] || fail "the other release's coordinator has another census"
    echo "coordinator of $FROM, worker of this release: the same census"
    code=$(finish "$new" "$old" "$work/both")
    [ "$code" = 0 ] || fail "a worker of the other release ended with $code: $(cat "$work/worker.log")"
    [ "$(digest "$work/both")" = "$wanted" ] || fail "this release's coordinator has another census"
    echo "census begun by $FROM, coordinator of this release, worker of the other: the same census"
fi

# A store of this release, opened for writing by the other one.
before=$(digest "$work/whole")
code=0
"$old" census run --data "$work/whole" >"$work/refused.log" 2>&1 || code=$?
if [ "$code" != 0 ]; then
    [ "$(wc -l <"$work/refused.log")" -le 2 ] || fail "a refusal of many lines: $(cat "$work/refused.log")"
    echo "$FROM refuses a store of this release: $(head -n 1 "$work/refused.log")"
fi
[ "$(digest "$work/whole")" = "$before" ] || fail "the other release changed the store"
