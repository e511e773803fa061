#!/bin/sh
# Checks that two clones whose code differs each build and run their own, and that two setups at once in one clone both
# end well.
#
# Cargo decides by the times of files whether a package is fresh. The files of the clone "older" are older than everything
# that was built, so that a folder of builds shared by both would let it run the program of the other. Each clone is built
# before the other and after it. The program is the one without the census, not optimised: a minute for each clone.
set -eu
cd "$(dirname "$0")/.."
top=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
# A person's choice of one folder for all builds would defeat the test.
unset CARGO_TARGET_DIR

clone() {
    git clone -q "$top" "$work/$1"
    sed -i "s/^fn main() .*/&\n    println!(\"the checkout $1\");/" "$work/$1/src/main.rs"
}

# Prints the first line of the program of a clone, after `make build` there.
built_in() {
    (
        cd "$work/$1"
        make --silent build PROFILE='--locked --no-default-features --quiet' >&2
        ./target/debug/misere --version | head -n 1
    )
}

clone "the older"
find "$work/the older" -type f -exec touch -d '2 days ago' {} +
clone newer
for checkout in "the older" newer "the older"; do
    said=$(built_in "$checkout")
    if [ "$said" != "the checkout $checkout" ]; then
        echo "error: the program of \"$checkout\" is that of another: $said" >&2
        exit 1
    fi
    echo "$checkout: its own program"
done

# Two builds may begin at once in one clone.
cd "$work/newer"
for turn in 1 2 3 4 5 6 7 8 9 10; do
    rm -f .cargo/config.toml
    sh deploy/rocksdb.sh &
    sh deploy/rocksdb.sh
    wait $!
done
echo "two setups at once: both end well"
