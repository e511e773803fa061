#!/bin/sh
# Proves the checker, builds the reader `misere-verified`, and runs it on true and on false claims.
# Needs Coq 8.16 and OCaml; without them it installs Debian's, or says how to get them.
#
#     sh common/proofs/build.sh [MISERE]
#
# With the path of a `misere` command, certificates that it makes are read as well.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
build=${PROOFS_BUILD:-$here/_build}
misere=${1:-}

fail() { echo "error: $*" >&2; exit 1; }

missing=
command -v coqc >/dev/null 2>&1 || missing="coq"
command -v ocamlopt >/dev/null 2>&1 || missing="${missing:+$missing }ocaml"
if [ -n "$missing" ]; then
    if ! command -v apt-get >/dev/null 2>&1 || [ "$(id -u)" -ne 0 ]; then
        cat >&2 <<HINT
cannot run here: the proofs need Coq and OCaml; missing: $missing
With root, on Debian:   apt-get install --no-install-recommends $missing
Without root, by opam:
    opam init --bare && opam switch create misere 4.14.2 && opam install coq.8.16.1
then run make proofs again.
HINT
        exit 1
    fi
    echo "proofs: installing $missing (apt-get)"
    apt-get update >/dev/null
    DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing >/dev/null
fi

# The sources are copied, so that nothing is built beside them. What is not a source any more goes.
mkdir -p "$build"
cd "$build"
for file in *.v *.ml; do
    case $file in proved.ml | proved_infinite.ml | proved_automata.ml | "*.v" | "*.ml") continue ;; esac
    [ -f "$here/$file" ] || [ -f "$here/reader/$file" ] || rm -f "${file%.*}".*
done
cp -u "$here"/*.v "$here"/reader/*.ml .

echo "proofs: checking the proofs"
modules=$(ls ./*.v | grep -v '^./Assumptions\.v$')
coq_makefile -R . Misere $modules -o Makefile.coq
make --no-print-directory -f Makefile.coq -j"${JOBS:-1}" >build.log 2>&1 ||
    { tail -n 30 build.log >&2; fail "a proof is not accepted"; }
[ proved.ml -nt Extract.v ] || fail "proved.ml was not extracted"
[ proved_infinite.ml -nt InfiniteExtract.v ] || fail "proved_infinite.ml was not extracted"
[ proved_automata.ml -nt AutomatonExtract.v ] || fail "proved_automata.ml was not extracted"

echo "proofs: what the theorems rest on"
coqc -R . Misere Assumptions.v >assumptions.txt
asked=$(grep -c '^Print Assumptions' Assumptions.v)
closed=$(grep -c '^Closed under the global context$' assumptions.txt || true)
[ "$asked" -eq "$closed" ] ||
    { cat assumptions.txt >&2; fail "of $asked theorems only $closed are closed"; }
echo "    Closed under the global context: $closed of $asked"

# Functions on numbers that are not realised by those of OCaml would be right, and far too slow.
extracted="proved.ml proved_infinite.ml proved_automata.ml"
if grep -nE 'let rec (add|sub|eqb|leb|ltb|min|max|lxor) ' $extracted ||
    grep -nE 'let rec (div2|odd|pred|modulo) ' proved_infinite.ml proved_automata.ml; then
    fail "a function on numbers is extracted instead of realised (Extract.v)"
fi

echo "proofs: building misere-verified"
rm -f proved.mli proved_infinite.mli proved_automata.mli
for file in $extracted; do
    ocamlopt -inline 200 -w -a -c "$file"
done
ocamlopt -inline 200 -w +a-4-9-40-41-42-70 -warn-error +a -o misere-verified proved.cmx \
    proved_infinite.cmx proved_automata.cmx json.ml certificate.ml table.ml tests_of_elements.ml values.ml kinds.ml \
    states.ml tameness.ml partials.ml infinite_evidence.ml infinite_configurations.ml \
    infinite_diagram.ml infinite_cases.ml infinite_pairs.ml all_heaps.ml infinite.ml \
    law_covers.ml law_sums.ml law.ml closure.ml infinite_equality.ml infinite_apart.ml \
    infinite_portion.ml presentation.ml automaton_states.ml automaton_situations.ml \
    automaton_splits.ml automaton_schemes.ml automaton.ml main.ml

# Reads a file. Asks for an exit code, a word at the beginning of each line, a number of lines.
expect() {
    code=$1 word=$2 lines=$3 file=$4 option=${5:-}
    status=0
    ./misere-verified $option "$file" >read.txt || status=$?
    [ "$status" -eq "$code" ] || { cat read.txt >&2; fail "$file: exit code $status, not $code"; }
    found=$(grep -c "^$word " read.txt || true)
    [ "$found" -eq "$lines" ] || { cat read.txt >&2; fail "$file: $found times $word, not $lines"; }
    echo "    $found $word: ${file#"$here"/}"
}

echo "proofs: reading certificates"
data=$here/data
count() { grep -c '"' "$1"; }
for option in "" --partials; do
    expect 0 accepted "$(count "$data/accepted.jsonl")" "$data/accepted.jsonl" $option
    expect 3 'in part' "$(count "$data/in_part.jsonl")" "$data/in_part.jsonl" $option
    expect 0 accepted "$(grep -o '"p_portion"' "$data/constructions.json" | wc -l)" \
        "$data/constructions.json" $option
    expect 0 accepted "$(count "$data/infinite.jsonl")" "$data/infinite.jsonl" $option
    expect 0 accepted "$(count "$data/all_heaps.jsonl")" "$data/all_heaps.jsonl" $option
done
expect 0 accepted "$(count "$data/laws.jsonl")" "$data/laws.jsonl" --partials
expect 0 accepted "$(count "$data/presentations.jsonl")" "$data/presentations.jsonl"
expect 0 accepted "$(count "$data/automata.jsonl")" "$data/automata.jsonl"
# A presentation that takes four minutes and 10 GB of memory.
slow=$data/slow_in_part.jsonl
[ -z "${SLOW:-}" ] || expect 3 'in part' "$(count "$slow")" "$slow"
expect 1 refused "$(count "$data/refused.jsonl")" "$data/refused.jsonl"
for false in "$data/infinite_refused" "$data/all_heaps_refused" "$data/laws_refused" \
    "$data/presentations_refused" "$data/automata_refused"; do
    expect 1 refused "$(count "$false.jsonl")" "$false.jsonl"
    sed 's/^refused *[^:]*: //' read.txt | diff - "$false.reasons" >reasons.txt ||
        { cat reasons.txt >&2; fail "a false claim is refused for another reason"; }
done
partials=$data/refused_partials.jsonl
expect 0 accepted "$(count "$partials")" "$partials"
expect 1 refused "$(count "$partials")" "$partials" --partials
for forged in "$here"/../../tests/data/forged/*.json; do
    if ./misere-verified "$forged" >read.txt; then
        cat read.txt >&2
        fail "$forged is forged and was accepted"
    fi
    echo "    not accepted: $(basename "$forged")"
done

if [ -n "$misere" ]; then
    for code in 0.07 0.123 0.77 0.156 4.4 8.1 C.9 0.F 0.005 0.3122; do
        "$misere" solve "$code" --fuel 200k --json >solved.json || [ $? -eq 3 ]
        expect 0 accepted 1 solved.json --partials
    done
    # Two are proved infinite by diagrams, two are solved by words of all heaps, and two by laws.
    for code in 0.024 0.205 0.31011 0.1210002 0.26 4.7; do
        "$misere" solve "$code" --json >solved.json
        expect 0 accepted 1 solved.json
    done
    # Presentations, one of them to a degree, and comparisons that are judged by one of them.
    for code in 0.005 0.017 0.564; do
        "$misere" present "$code" --out presented.json >present.txt
        expect 0 accepted 1 presented.json
    done
    "$misere" automaton 0.54 --out automaton.json >automaton.txt
    expect 0 accepted 1 automaton.json
    "$misere" present 0.31011 --degree 6 --out presented.json >present.txt
    expect 0 accepted 1 presented.json
    "$misere" present 0.31011 --certificate presented.json --json --compare '4^2 5^10' 5^8 >compared.json
    "$misere" present 0.31011 --certificate presented.json --json --compare '4^2 5^8' 5^6 >>compared.json
    cat compared.json >>presented.json
    expect 0 accepted 3 presented.json
fi
