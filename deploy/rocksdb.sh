#!/bin/sh
# Compiles RocksDB once for all checkouts, and lets the builds of this checkout link it.
# `make setup` runs it.
#
# RocksDB has 343 source files. Each reads some hundred headers, which cost more than the file itself, so the files are
# compiled in units of UNIT files: a third of the time. The sources are those of the crate librocksdb-sys that Cargo.lock
# names; the archive that cargo downloaded is checked against the lock's checksum. The library goes into
#     ${XDG_CACHE_HOME:-~/.cache}/misere-census/rocksdb/KEY/librocksdb.a
# where KEY is a hash of everything that went into it. The crate finds it through two variables in .cargo/config.toml of
# this checkout. Without that file, or on a system that this script does not know, the crate compiles RocksDB itself.
set -eu

UNIT=15
# The memory of the compiler for one unit, in MiB.
UNIT_MEMORY=1400
# The version whose build script was the source of FLAGS, DEFINES and the list of files.
KNOWN_VERSION=0.19.0+11.8.1

CONFIG=.cargo/config.toml
MARK="# Written by deploy/rocksdb.sh."
CARGO=${CARGO:-cargo}
CXX=${CXX:-c++}
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/misere-census/rocksdb
# What a program says of a full disk is recognised in English.
export LC_ALL=C

# As librocksdb-sys compiles for Linux, but with -O2. As there, symbols and unused functions are
# left to the linker.
FLAGS="-O2 -fPIC -ffunction-sections -fdata-sections -std=c++20 -include cstdint -w ${CXXFLAGS:-}"
DEFINES="-DNDEBUG -DLZ4=1 -DHAVE_ALIGNED_NEW -DHAVE_UINT128_EXTENSION -DOS_LINUX -DROCKSDB_PLATFORM_POSIX
    -DROCKSDB_LIB_IO_POSIX -DROCKSDB_SCHED_GETCPU_PRESENT -DROCKSDB_AUXV_GETAUXVAL_PRESENT
    -DROCKSDB_FALLOCATE_PRESENT -DROCKSDB_RANGESYNC_PRESENT"

main() {
    if [ -n "${ROCKSDB_LIB_DIR:-}" ] || [ -n "${ROCKSDB_COMPILE:-}" ]; then
        return # The user chose another library, or the crate's own build.
    fi
    "$CXX" --version >/dev/null 2>&1 || fail "the C++ compiler $CXX does not run; CXX names another one"
    version=$(locked librocksdb-sys version)
    if ! is_known; then
        forget_library
        return
    fi
    library=$CACHE/$(key)
    if [ ! -f "$library/librocksdb.a" ]; then
        with_lock build
    fi
    remember_library
}

# Reports whether this script knows how to compile here; if not, cargo does it.
is_known() {
    case $(uname -s)-$(uname -m) in
    Linux-x86_64 | Linux-aarch64) ;;
    *)
        echo "setup: cargo compiles RocksDB, since deploy/rocksdb.sh knows only Linux on x86_64 and aarch64"
        return 1
        ;;
    esac
    if [ "$version" != "$KNOWN_VERSION" ]; then
        echo "setup: cargo compiles RocksDB, since deploy/rocksdb.sh knows librocksdb-sys $KNOWN_VERSION and not $version"
        return 1
    fi
    if [ -f "$CONFIG" ] && ! head -n 1 "$CONFIG" | grep -qF "$MARK"; then
        echo "setup: cargo compiles RocksDB, since $CONFIG is not from this script; remove it to use the shared library"
        return 1
    fi
}

# Prints a field of a package in Cargo.lock.
locked() {
    awk -v package="$1" -v field="$2" '
        $1 == "name" { found = ($3 == "\"" package "\"") }
        found && $1 == field { gsub(/"/, "", $3); print $3; exit }' Cargo.lock
}

key() {
    {
        locked librocksdb-sys checksum
        locked lz4-sys checksum
        "$CXX" --version
        "$CXX" -dumpmachine
        # shellcheck disable=SC2086
        echo $UNIT $FLAGS $DEFINES
    } | sha256sum | cut -c 1-16
}

# Runs a function while no other process compiles RocksDB. flock is part of util-linux and of busybox.
with_lock() {
    mkdir -p "$CACHE" || fail "$CACHE cannot be made; XDG_CACHE_HOME names another place"
    if command -v flock >/dev/null 2>&1; then
        exec 9>"$CACHE/lock"
        flock -n 9 || {
            echo "setup: another build compiles RocksDB; waiting for it"
            flock 9
        }
    fi
    [ -f "$library/librocksdb.a" ] || "$@"
    exec 9>&-
}

# Compiles in a folder beside the library's place. An object file gets its final name when it is
# complete, so that an interrupted build can continue; the folder gets its final name when the
# library is complete.
build() {
    part=$library.part
    attempt "$part cannot be made" mkdir -p "$part/objects"
    unpack librocksdb-sys
    unpack lz4-sys
    attempt "the units cannot be written" write_units
    units=$(find "$part/objects" -name 'unit_*.cc' | sort)
    count=$(echo "$units" | wc -l)
    jobs=$(jobs_at_once)
    echo "setup: compiling RocksDB $version, once for all checkouts: $count units, $jobs at once, into $library"

    # What the compilers say is kept in memory, since the disk may be full: descriptor 3 leads there,
    # and 4 to the standard output. What xargs says, that a command failed, is left out.
    export CXX FLAGS DEFINES part count
    { errors=$(echo "$units" | tr '\n' '\0' | xargs -0 -n 1 -P "$jobs" sh -c '
        exec 2>&3
        object=${1%.cc}.o
        if [ ! -f "$object" ]; then
            cd "$part/librocksdb-sys" || exit 255
            "$CXX" $FLAGS $DEFINES -Irocksdb/include -Irocksdb -I. -I../lz4-sys/liblz4/lib \
                -c "$1" -o "$object.part" || exit 255
            mv "$object.part" "$object" || exit 255
        fi
        echo "setup: RocksDB $(find "$part/objects" -name "*.o" | wc -l) of $count"' compile 3>&1 >&4 2>/dev/null); } 4>&1 || {
        fail_if_full "$errors"
        printf '%s\n' "${errors:-$CXX failed without a word}" | grep -v '^$' | tail -n 5 >&2
        fail "RocksDB could not be compiled (see above; the memory may be too small); run make again to go on, or" \
            "set ROCKSDB_COMPILE=1 to leave it to cargo"
    }
    rm -f "$part/librocksdb.a"
    attempt "ar could not pack the library" pack
    attempt "$part/about cannot be written" describe
    rm -rf "$part/objects" "$part/librocksdb-sys" "$part/lz4-sys"
    rm -rf "$library"
    mv "$part" "$library"
}

# Writes the units, which include UNIT files of RocksDB each.
write_units() {
    (cd "$part/librocksdb-sys" && {
        grep -vxF util/build_version.cc rocksdb_lib_sources.txt | sed 's,^,rocksdb/,'
        echo build_version.cc
    }) | awk -v unit="$UNIT" -v folder="$part/objects" '
        NF {
            if (files++ % unit == 0) { file = sprintf("%s/unit_%02d.cc", folder, units++) }
            print "#include \"" $1 "\"" >file
        }'
}

pack() {
    cd "$part/objects" && ar crs ../librocksdb.a unit_*.o
}

# Writes what the library was made of beside it.
describe() {
    # shellcheck disable=SC2086
    about="RocksDB of librocksdb-sys $version ($(locked librocksdb-sys checksum))
$("$CXX" --version | head -n 1)
$(echo $FLAGS $DEFINES)"
    echo "$about" | cat >"$part/about" # The shell does not say that a disk is full.
}

# Unpacks the sources of a crate from the archive that cargo downloaded, after checking it against
# Cargo.lock.
unpack() {
    archive=$("$CARGO" metadata --locked --format-version 1 | tr ',' '\n' \
        | sed -n 's,^"manifest_path":"\(.*\)/src/\([^/]*\)/\('"$1"'-[0-9][^/]*\)/Cargo.toml"$,\1/cache/\2/\3.crate,p' | head -n 1)
    [ -f "$archive" ] || fail "cargo has no archive of $1; ROCKSDB_COMPILE=1 leaves RocksDB to cargo"
    echo "$(locked "$1" checksum)  $archive" | sha256sum --check --status \
        || fail "$archive is not the one that Cargo.lock names; remove it and run make again"
    rm -rf "$part/${1:?}"
    attempt "$part/$1 cannot be made" mkdir "$part/$1"
    attempt "$archive could not be unpacked" tar -xzf "$archive" -C "$part/$1" --strip-components 1
}

# Runs a command that writes into $part. If it fails, prints what it said, and ends the script.
attempt() {
    what=$1
    shift
    errors=$("$@" 2>&1) && return
    fail_if_full "$errors"
    printf '%s\n' "$errors" | tail -n 5 >&2
    fail "$what (see above)"
}

# Ends the script if what a program said is that the disk is full. Programs write into $part, and
# g++ also writes what it passes to the assembler, as ccXXXXXX.s, into the directory of temporary
# files. The assembler, too, names that file, and then the one that it could not write.
fail_if_full() {
    case $1 in
    *"No space left on device"* | *"Disk quota exceeded"*) ;;
    *) return 0 ;;
    esac
    case $1 in
    *"${TMPDIR:-/tmp}"/cc??????.s:" No space left"*) fail "no space left in ${TMPDIR:-/tmp}; make room, or name another place by TMPDIR, and run make again" ;;
    *) fail "no space left in $part; make room, or name another place by XDG_CACHE_HOME, and run make again" ;;
    esac
}

# Prints the number of compilers to run: one for each processor, as far as they fit into the memory
# of the machine or of the container.
jobs_at_once() {
    memory=$(awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo)
    limit=$(cat /sys/fs/cgroup/memory.max 2>/dev/null || true)
    case $limit in
    '' | max) ;;
    *) [ "$((limit / 1048576))" -ge "$memory" ] || memory=$((limit / 1048576)) ;;
    esac
    jobs=$(nproc)
    [ "$jobs" -le "$((memory / UNIT_MEMORY))" ] || jobs=$((memory / UNIT_MEMORY))
    [ "$jobs" -ge 1 ] || jobs=1
    echo "$jobs"
}

remember_library() {
    quoted=$(printf '%s' "$library" | sed 's/[\\"]/\\&/g')
    # Two builds may do this at once.
    new=$CONFIG.$$
    printf '%s `make clean` removes it.\n[env]\nROCKSDB_LIB_DIR = "%s"\nROCKSDB_STATIC = "1"\n' "$MARK" "$quoted" | cat >"$new" || {
        rm -f "$new"
        fail "$PWD/$CONFIG cannot be written (see above)"
    }
    if cmp -s "$new" "$CONFIG"; then rm "$new"; else mv -f "$new" "$CONFIG"; fi
}

forget_library() {
    if [ -f "$CONFIG" ] && head -n 1 "$CONFIG" | grep -qF "$MARK"; then rm -f "$CONFIG"; fi
}

fail() {
    echo "error: $*" >&2
    exit 1
}

main
