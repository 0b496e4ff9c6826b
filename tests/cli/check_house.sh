#!/usr/bin/env bash
# Checks the rules of the house that a compiler does not: who may include what, names, words.
set -euo pipefail

usage() {
    cat <<'END'
usage: check_house.sh [ROOT | --self-test]

Checks the tree at ROOT (default: the one this script stands in):
  harness    src/ includes the C library, jansson, the contract and itself, so no cryptographic library
  interop    src/interop/ includes of src/ only ops/ and itself
  backends   backends/ includes libraries, the contract and itself, so nothing of src/
  contract   include/ includes the C library and itself
  names      no two C files share a name; a .c and its .h stand in one folder
  words      no path of somebody's machine, no note of work left undone
Prints every violation with its place and exits 1, or what it checked. --self-test shows that each rule
can fail.
END
}

readonly standard_headers='
alloca assert ctype errno fenv float inttypes limits locale math setjmp signal stdalign stdarg stdatomic
stdbool stddef stdint stdio stdlib string strings time wchar
dirent dlfcn elf endian execinfo fcntl fnmatch ftw getopt glob langinfo libgen link poll pthread pwd sched
semaphore spawn syslog termios ucontext unistd
sys/auxv sys/eventfd sys/file sys/ioctl sys/mman sys/personality sys/prctl sys/random sys/resource sys/select
sys/signalfd sys/stat sys/statvfs sys/syscall sys/sysinfo sys/time sys/timerfd sys/types sys/uio sys/utsname
sys/wait linux/futex linux/magic linux/perf_event
cpuid x86intrin
'

# One line for each violation: "<rule> <place>: <what>".
complain() { printf '%s %s: %s\n' "$@"; }

list_files() {
    if [[ -e .git ]]; then
        git ls-files --cached --others --exclude-standard
    else
        find . -name 'build*' -prune -o -type f -print | sed 's|^\./||'
    fi | LC_ALL=C sort
}

# "<file>:<line> <quote or bracket><name>" for every include below a folder.
list_includes() {
    local directive='^[[:space:]]*#[[:space:]]*include(_next)?[[:space:]]*'
    files_below "$1" | xargs -r -d '\n' grep -HnE "$directive" /dev/null |
        sed -E 's/^([^:]+:[0-9]+):[[:space:]]*#[[:space:]]*include(_next)?[[:space:]]*([<"]?)([^>"]*).*/\1 \3\4/'
}

files_below() { grep -E "^$1/.*\.[ch]$" <<<"$files" || true; }

is_standard() { [[ $1 == *.h && " ${standard_headers//$'\n'/ } " == *" ${1%.h} "* ]]; }

is_contract() { [[ $1 == crypto_bench/* && -f include/$1 ]]; }

# An empty folder would satisfy every rule.
check_presence() {
    local folder
    for folder in src backends include; do
        [[ -n $(files_below "$folder") ]] || complain presence "$folder" 'no C file is there'
    done
}

check_harness() {
    local place include name
    while read -r place include; do
        name=${include:1}
        case $include in
            '<'*)
                is_standard "$name" || is_contract "$name" || [[ $name == jansson.h ]] ||
                    complain harness "$place" "<$name> is no header of the C library, jansson or the contract"
                ;;
            '"'*)
                [[ -f src/$name && $name != *..* ]] || complain harness "$place" "\"$name\" is not below src/"
                [[ $place != src/interop/* || $name == ops/* || $name == interop/* ]] ||
                    complain interop "$place" "\"$name\" is neither of ops/ nor of interop/"
                ;;
            *) complain harness "$place" 'an include whose name is a macro cannot be checked' ;;
        esac
    done < <(list_includes src)
}

check_backends() {
    local place include name folder
    while read -r place include; do
        name=${include:1}
        folder=${place%/*}
        case $include in
            '<'*)
                is_standard "$name" || is_contract "$name" || [[ ! -f src/$name && $name != *..* ]] ||
                    complain backends "$place" "<$name> is a header of src/"
                ;;
            '"'*)
                [[ $name != *..* && (-f backends/$name || -f $folder/$name) ]] ||
                    complain backends "$place" "\"$name\" is not below backends/"
                ;;
            *) complain backends "$place" 'an include whose name is a macro cannot be checked' ;;
        esac
    done < <(list_includes backends)
}

check_contract() {
    local place include name
    while read -r place include; do
        name=${include:1}
        [[ $include == '<'* ]] && is_standard "$name" && continue
        [[ $include == '<'* ]] && is_contract "$name" && continue
        complain contract "$place" "$name is neither of the C library nor of the contract"
    done < <(list_includes include)
}

check_names() {
    grep -E '\.[ch]$' <<<"$files" | awk '
        {
            n = split($0, parts, "/"); base = parts[n]
            folder = substr($0, 1, length($0) - length(base))
            stem = substr(base, 1, length(base) - 2)
            if (base in seen) print "names " $0 ": " seen[base] " has the same name"
            else if (stem in home && home[stem] != folder) print "names " $0 ": " home[stem] " has a file of that name"
            seen[base] = $0
            if (!(stem in home)) home[stem] = folder
        }' || true
}

# /home/ann is the made-up home of the tests.
check_words() {
    local pattern='/wor[k]/|/roo[t]/|/home/[a-z]|\<(TO[D]O|FIXM[E])\>'
    xargs -r -d '\n' grep -InHE "$pattern" /dev/null <<<"$files" | sed 's|/home/anna\{0,1\}||g' |
        grep -E "^[^:]*:[0-9]+:.*($pattern)" | sed -E 's/^([^:]*:[0-9]+):/words \1: /' || true
}

check_tree() {
    local files found
    cd -- "$1" || return 1
    files=$(list_files)
    found=$(
        check_presence
        check_harness
        check_backends
        check_contract
        check_names
        check_words
    )
    if [[ -n $found ]]; then
        printf '%s\n' "$found"
        return 1
    fi
    printf 'checked %d includes of src/, %d of backends/, %d of include/; the names of %d C files; %d files for words\n' \
        "$(list_includes src | wc -l)" "$(list_includes backends | wc -l)" "$(list_includes include | wc -l)" \
        "$(grep -cE '\.[ch]$' <<<"$files")" "$(wc -l <<<"$files")"
}

# A small tree in which every rule holds.
make_sound_tree() {
    mkdir -p "$1"/{include/crypto_bench,src/ops,src/plan,src/interop,backends/lib}
    printf '#include <stdint.h>\n' >"$1/include/crypto_bench/contract.h"
    printf '#include <crypto_bench/contract.h>\n' >"$1/src/ops/aead.h"
    printf '#include "ops/aead.h"\n#include <jansson.h>\n#include <sys/wait.h>\n' >"$1/src/plan/plan.c"
    printf '#include "ops/aead.h"\n' >"$1/src/interop/cross.c"
    printf '#include <openssl/evp.h>\n#include "lib/part.h"\n' >"$1/backends/lib.c"
    printf '#include <stddef.h>\n' >"$1/backends/lib/part.h"
    printf '#include "part.h"\n' >"$1/backends/lib/part.c"
}

# Each violation: the rule that must refuse it, the file that gets a line, the line.
readonly violations=(
    'harness|src/plan/plan.c|#include <openssl/evp.h>'
    'harness|src/plan/plan.c|  #  include <sodium.h>'
    'harness|src/ops/aead.h|#include <crypto_bench/absent.h>'
    'harness|src/plan/plan.c|#include "../backends/lib/part.h"'
    'harness|src/plan/plan.c|#include HEADER'
    'interop|src/interop/cross.c|#include "plan/plan.c"'
    'backends|backends/lib.c|#include "ops/aead.h"'
    'backends|backends/lib.c|#include <ops/aead.h>'
    'backends|backends/lib.c|#include "../src/ops/aead.h"'
    'contract|include/crypto_bench/contract.h|#include <jansson.h>'
    'contract|include/crypto_bench/contract.h|#include "ops/aead.h"'
    'names|src/plan/part.c|int n;'
    'names|src/plan/aead.c|int n;'
    'words|src/plan/plan.c|/* see /ho''me/someone/notes */'
    'words|README.md|in /wo''rk/tree'
    'words|src/plan/plan.c|/* TO''DO: more */'
)

self_test() {
    local scratch=$1 violation rule file line output failed=0
    make_sound_tree "$scratch/sound"
    if ! output=$(check_tree "$scratch/sound"); then
        printf 'a sound tree is refused: %s\n' "$output"
        failed=1
    fi
    for violation in "${violations[@]}"; do
        IFS='|' read -r rule file line <<<"$violation"
        rm -rf -- "$scratch/broken"
        make_sound_tree "$scratch/broken"
        printf '%s\n' "$line" >>"$scratch/broken/$file"
        if output=$(check_tree "$scratch/broken") || [[ $output != "$rule $file"* ]]; then
            printf 'not refused by the rule "%s": %s in %s; the check said: %s\n' "$rule" "$line" "$file" "$output"
            failed=1
        fi
    done
    ((failed == 0)) && printf 'each of %d violations is refused\n' "${#violations[@]}"
}

case ${1-} in
    -h | --help) usage ;;
    --self-test)
        scratch=$(mktemp -d)
        trap 'rm -rf -- "$scratch"' EXIT
        self_test "$scratch"
        ;;
    *) check_tree "${1:-$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../..}" ;;
esac
