#!/bin/sh
# Compiles common/browser for WebAssembly into target/browser: misere.wasm, misere_browser.js, and the
# page solve.html, which any server of files can serve. `make browser-solver` runs it.
#
# The standard library for wasm32-unknown-unknown comes from rustup. Without rustup, and as root on
# Debian, the compiler of Debian sid does it, in a chroot that debootstrap makes in
#     ${XDG_CACHE_HOME:-~/.cache}/misere-census/sid-wasm
# wasm-bindgen writes the JavaScript; it is built in .../misere-census/tools, of the version that
# the lock file names. wasm-opt makes the module smaller, where there is one.
set -eu

# The most bytes of the compressed module: a page has to load it.
MAX_COMPRESSED=1500000
# The most memory of the module in a browser, and its stack, in bytes.
MAX_MEMORY=1073741824
STACK=8388608
# wasm-opt 108 of Debian 12 breaks the table that wasm-bindgen makes.
MIN_WASM_OPT=116

CRATE=$PWD/common/browser
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/misere-census
SID=$CACHE/sid-wasm
TRIPLE=wasm32-unknown-unknown
CARGO=${CARGO:-cargo}
TARGET=${CARGO_TARGET_DIR:-$PWD/target}/browser
# Every browser since 2021 has these instructions.
FLAGS="-C target-feature=+bulk-memory,+simd128 -C link-arg=--max-memory=$MAX_MEMORY -C link-arg=-zstack-size=$STACK"

main() {
    find_wasm_bindgen
    mkdir -p "$TARGET"
    if has_library || { command -v rustup >/dev/null && rustup target add $TRIPLE; }; then
        (cd "$CRATE" && compile "$CARGO" "$TARGET/build")
    else
        make_chroot
        compile_in_chroot
    fi
    # The module is written under its own name.
    "$wasm_bindgen" --target web --no-typescript --remove-name-section --out-dir "$TARGET" --out-name misere_browser \
        "$TARGET/build/$TRIPLE/module/misere_browser.wasm"
    shrink
    sed 's/misere_browser_bg\.wasm/misere.wasm/g' "$TARGET/misere_browser.js" >"$TARGET/misere_browser.js.part"
    mv "$TARGET/misere_browser.js.part" "$TARGET/misere_browser.js"
    cp common/browser/page/* coordinator/web/assets/style.css coordinator/web/assets/icon.svg "$TARGET/"
    report
}

# Reports whether the compiler of this system has the standard library of WebAssembly.
has_library() {
    library=$(rustc --print target-libdir --target $TRIPLE 2>/dev/null) && [ -d "$library" ]
}

compile() {
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS=$FLAGS "$1" build --profile module --locked \
        --target $TRIPLE --target-dir "$2"
}

# Cargo outside of the chroot fetches the crates, so that the chroot needs no network.
compile_in_chroot() {
    vendor=$TARGET/vendor
    "$CARGO" vendor --quiet --locked --versioned-dirs --manifest-path "$CRATE/Cargo.toml" "$vendor" >/dev/null
    mkdir -p "$SID/census" "$SID/result"
    # A copy, since a mount would remain if this script is killed.
    rm -rf "$SID/census/common" "$SID/census/vendor"
    cp -R Cargo.toml common "$SID/census/"
    cp -R "$vendor" "$SID/census/vendor"
    chroot "$SID" env CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="$FLAGS" sh -ec "
        cd /census/common/browser
        cargo --config 'source.crates-io.replace-with=\"vendored\"' \
            --config 'source.vendored.directory=\"/census/vendor\"' \
            build --profile module --offline --target $TRIPLE --target-dir /result"
    mkdir -p "$TARGET/build/$TRIPLE/module"
    cp "$SID/result/$TRIPLE/module/misere_browser.wasm" "$TARGET/build/$TRIPLE/module/"
}

make_chroot() {
    if [ -d "$SID" ]; then return; fi
    [ "$(id -u)" -eq 0 ] && command -v debootstrap >/dev/null \
        || missing "the Rust target $TRIPLE is missing; run: rustup target add $TRIPLE (or, as root on Debian: apt-get install debootstrap)"
    rm -rf "$SID.part"
    echo "browser-solver: makes a chroot of Debian sid in $SID"
    debootstrap --variant=minbase sid "$SID.part" http://deb.debian.org/debian \
        && chroot "$SID.part" apt-get install -y --no-install-recommends rustc cargo libstd-rust-dev-wasm32 \
        || missing "Debian's packages cannot be had for a chroot of sid"
    mv "$SID.part" "$SID"
}

find_wasm_bindgen() {
    version=$(sed -n '/^name = "wasm-bindgen"$/{n;s/^version = "\(.*\)"/\1/p;}' "$CRATE/Cargo.lock")
    root=$CACHE/tools/wasm-bindgen-$version
    wasm_bindgen=$root/bin/wasm-bindgen
    test -x "$wasm_bindgen" \
        || "$CARGO" install --quiet --locked --version "$version" --root "$root" wasm-bindgen-cli \
        || missing "wasm-bindgen $version cannot be built; run: cargo install --locked --version $version wasm-bindgen-cli"
}

shrink() {
    version=$(wasm-opt --version 2>/dev/null | sed -n 's/^wasm-opt version \([0-9]*\).*/\1/p')
    if [ "${version:-0}" -ge $MIN_WASM_OPT ]; then
        wasm-opt -O3 --all-features "$TARGET/misere_browser_bg.wasm" -o "$TARGET/misere.wasm"
        rm "$TARGET/misere_browser_bg.wasm"
    else
        echo "browser-solver: without wasm-opt $MIN_WASM_OPT or later the module is some percent larger"
        mv "$TARGET/misere_browser_bg.wasm" "$TARGET/misere.wasm"
    fi
}

report() {
    size=$(wc -c <"$TARGET/misere.wasm")
    compressed=$(gzip -9 -c "$TARGET/misere.wasm" | wc -c)
    echo "$TARGET/misere.wasm: $size bytes, $compressed compressed"
    if [ "$compressed" -gt $MAX_COMPRESSED ]; then
        echo "error: the module has more than $MAX_COMPRESSED bytes compressed" >&2
        exit 1
    fi
}

missing() {
    echo "cannot run here: $1" >&2
    exit 1
}

main
