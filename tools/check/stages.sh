# What ./check can do, sourced by it: one function for each stage, called from the root of the tree
# in a subshell with errexit, its output in the log; which stages are quick, and what each needs.
# $jobs: how many compilers and tests run at once.
# shellcheck shell=bash
# shellcheck disable=SC2034  # the lists are read by ./check

stage_format() { tools/lint/check_format; }

stage_lint() {
    python3 -m unittest discover -s tools/lint -p '*_test.py'
    # Each lint has its say before the stage fails.
    local failed=0 lint
    for lint in layers rooms memory_orders models variables links abi; do
        python3 "tools/lint/check_$lint.py" || failed=1
    done
    python3 tools/docs/performance.py --check || failed=1
    mkdocs build --strict --quiet || failed=1
    return "$failed"
}

build() { # preset [cmake --build arguments]
    local preset=$1
    shift
    cmake --preset "$preset" --log-level=WARNING
    cmake --build --preset "$preset" -j "$jobs" "$@" -- -k 0
}

# Sanitizers of gcc 12 cannot map their shadow where some kernels' address randomisation puts
# programs.
fixed_addresses() {
    if setarch "$(uname -m)" -R true 2>/dev/null; then
        setarch "$(uname -m)" -R "$@"
    else
        "$@"
    fi
}

tests() { # build folder, ctest arguments...
    local folder=$1
    shift
    # A suite without tests yet is no failure, nothing built is.
    [ -f "$folder/CTestTestfile.cmake" ] || { echo "nothing was built in $folder"; return 1; }
    fixed_addresses ctest --test-dir "$folder" --output-on-failure --timeout 300 "$@"
}

not_unit='^(unit|stress|conformance|model)$'

stage_build() { build release; }
stage_unit() { tests build -L '^unit$' -j "$jobs"; }
# Those of their own label share the CPUs, all others have them for themselves.
process_tests() { # build folder, labels that are left out
    local failed=0
    tests "$1" -LE "$2" -L '^parallel$' -j "$jobs" || failed=1
    tests "$1" -LE "$2|^parallel$" || failed=1
    return "$failed"
}
stage_process() { process_tests build "$not_unit"; }
stage_consumer() {
    python3 tools/lint/check_abi.py --library build/lib/libartel.so.0
    python3 tools/lint/check_abidiff.py build/lib/libartel.so.0
    tests/consumer/run build
}

stage_asan_build() { build asan; }
sanitizer_tests() { # build folder
    local failed=0
    tests "$1" -L '^unit$' -LE '^no-sanitizer$' -j "$jobs" || failed=1
    process_tests "$1" "$not_unit|^no-sanitizer$" || failed=1
    return "$failed"
}

stage_asan_tests() {
    export ASAN_OPTIONS=detect_stack_use_after_return=0:${ASAN_OPTIONS-}
    export UBSAN_OPTIONS=print_stacktrace=1
    sanitizer_tests build/asan
}
stage_tsan_build() { build tsan; }
stage_tsan_tests() {
    export TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1:${TSAN_OPTIONS-}
    sanitizer_tests build/tsan
}
stage_models() {
    build model
    python3 tools/lint/check_models.py --build build/model
    tests build/model -L '^model$' -j "$jobs" --timeout 900
}
# Most of them last for a given time, and a busy machine is what they are about.
stage_stress() { tests build -L '^stress$' -j "$jobs" --timeout 900; }
stage_clang_build() { build clang; }
stage_clang_unit() { tests build/clang -L '^unit$' -j "$jobs"; }
stage_conformance() { tests build -L '^conformance$'; }

stage_archive() {
    packaging/build-archive --build build
    tests/install/archive build/packages/artel-*.tar.xz
}
stage_wheel() {
    packaging/build-wheel --build build
    tests/install/wheel build/packages/artel-*.whl
}
stage_packages() { packaging/build-deb; }
# Each as a test of its own, for the count and the names of what was skipped.
stage_roots() {
    local suite number=0 bad=0 status begin
    for suite in bookworm trixie; do
        number=$((number + 1)) status=0 begin=$SECONDS
        tests/install/in_root "$suite" build/packages || status=$?
        case $status in
            0)
                printf '%d/2 Test #%d: %s ... Passed %d sec\n' \
                    $number $number "$suite" $((SECONDS - begin))
                ;;
            77) printf '%d/2 Test #%d: %s ...***Skipped\n' $number $number "$suite" ;;
            *)
                printf '%d/2 Test #%d: %s ...***Failed\n' $number $number "$suite"
                bad=$((bad + 1))
                ;;
        esac
    done
    printf '%d%% tests passed, %d tests failed out of 2\n' $((100 - 50 * bad)) $bad
    [ $bad -eq 0 ]
}

quick_stages=(format lint build unit process consumer)
full_stages=(
    "${quick_stages[@]}" asan_build asan_tests tsan_build tsan_tests models stress
    clang_build clang_unit conformance archive wheel packages roots
)
declare -A needs=(
    [unit]=build [process]=build [consumer]=build [stress]=build [conformance]=build
    [archive]=build [roots]=packages
    [asan_tests]=asan_build [tsan_tests]=tsan_build [clang_unit]=clang_build
)
