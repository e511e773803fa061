#!/bin/sh
# Computes the nim-values of the games of Figure 1 to many heaps, one game after the other: DIR/CODE.json is the result, which
# is the certificate if a period is proved, and DIR/CODE.state the checkpoint while a game is computed. What is there already
# is not computed again, so a run that was stopped or killed goes on when it is started again with the same DIR.
# `sh benches/normal.sh DIR` prints at the end how many games are periodic, and the digest of all that the results say of heaps;
# MISERE names the command, HEAPS the greatest heap, CODES a file with other games, one a line.
set -eu
dir=${1:?the directory of the results is missing: sh benches/normal.sh DIR}
misere=${MISERE:-misere}
heaps=${HEAPS:-67108864}
table=$(dirname "$0")/../tests/data/normal_play.csv
mkdir -p "$dir"

# Codes of the same standard form are the same game in normal play. Open games come last: they take the time.
codes() {
    if [ -n "${CODES:-}" ]; then
        cat "$CODES"
    else
        grep -v OPEN "$table" | tail -n +2 | cut -d, -f2 | LC_ALL=C sort -u
        grep OPEN "$table" | cut -d, -f2 | LC_ALL=C sort -u
    fi
}

for code in $(codes); do
    result=$dir/$code.json
    [ -e "$result" ] && continue
    end=0
    "$misere" solve "$code" --normal --max-heap "$heaps" --fuel 1000G --checkpoint "$dir/$code.state" --certificate "$result.new" \
        >"$dir/$code.txt" || end=$?
    # 0: a period is proved. 3: the greatest heap, or a nim-value that is too great.
    case $end in
    0 | 3) mv "$result.new" "$result" && rm -f "$dir/$code.state" ;;
    *) rm -f "$result.new" && exit "$end" ;;
    esac
    sed -n '2p' "$dir/$code.txt" | sed "s/^/$code: /"
done

# Neither the seconds nor the version of the program belong to what a game is.
for code in $(codes); do
    sed 's/"elapsed_s":[^,}]*,*//; s/"engine":"[^"]*",*//; s/"fuel":[^,}]*,*//' "$dir/$code.json"
done >"$dir/all.jsonl"
echo "$(grep -c '"status":"solved"' "$dir/all.jsonl") of $(wc -l <"$dir/all.jsonl") games have a proved period; digest $(sha256sum <"$dir/all.jsonl" | cut -c1-16)"
