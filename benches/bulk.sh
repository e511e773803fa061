#!/bin/sh
# Measures a census of millions of small games from parts: time, memory and disk.
#   sh benches/bulk.sh MISERE DIRECTORY
# SPACE, DIGITS, PARTS and FUEL choose the census; by default it has all subtraction games of at
# most 24 beans, which are 16,777,215 games. Running it again continues. With STORES=1 the census is
# then merged into another one.
set -eu
MISERE=$(realpath "$1")
mkdir -p "$2"
cd "$2"
PLAN="--space ${SPACE:-subtraction} --digits ${DIGITS:-24} --fuel ${FUEL:-1}"
PARTS=${PARTS:-4}

# Runs a command, and prints its time and memory.
measured() {
    name=$1
    shift
    /usr/bin/time -a -o figures -f "$name: %U s user, %S s system, %e s in all, %M KiB" "$@"
    tail -n 1 figures
}

# shellcheck disable=SC2086
measured "plan" "$MISERE" census plan $PLAN
part=0
while [ "$part" -lt "$PARTS" ]; do
    # shellcheck disable=SC2086
    measured "part $part of $PARTS" "$MISERE" census chunk $PLAN --res "$part" --mod "$PARTS" --out "part-$part"
    part=$((part + 1))
done
part=0
while [ "$part" -lt "$PARTS" ]; do
    measured "merge of part $part" "$MISERE" census merge --data census "part-$part"
    du -sk census | sed 's/\tcensus/ KiB on disk/'
    part=$((part + 1))
done
measured "digest" sh -c '"$0" census digest --data census >digest' "$MISERE"
cat digest
if [ "${STORES:-}" = 1 ]; then
    measured "merge of the directory" "$MISERE" census merge --data again census
    "$MISERE" census digest --data again | cmp digest
    echo "the same digest"
fi
