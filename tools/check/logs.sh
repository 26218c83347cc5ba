# Reads the logs of `check`'s stages: how many tests there were, the slowest, what failed and how.
# Sourced by it; uses its variables logs, stages, result, detail, passed and failed.

# Adds the tests that a ctest log counts to passed and failed; returns 1 when there is no count in
# it. ctest counts skipped tests as passed; here they are neither.
count_tests() {
    local line skipped bad=0 all=0
    while IFS= read -r line; do
        [[ $line =~ ([0-9]+)\ tests\ failed\ out\ of\ ([0-9]+) ]] || continue
        bad=$((bad + BASH_REMATCH[1])) all=$((all + BASH_REMATCH[2]))
    done < <(grep -E '^[0-9]+% tests passed, [0-9]+ tests failed out of [0-9]+' "$1")
    [ "$all" -gt 0 ] || return 1
    skipped=$(grep -cE '^ *[0-9]+/[0-9]+ Test .*\*\*\*Skipped' "$1")
    passed=$((passed + all - bad - skipped))
    failed=$((failed + bad))
    detail[$2]="$((all - bad - skipped)) of $all tests"
    if [ "$skipped" -gt 0 ]; then
        local test='^ *[0-9]+\/[0-9]+ Test +#[0-9]+: ([^ ]+)'
        detail[$2]+=", $skipped skipped: $(sed -nE "s/$test .*\*\*\*Skipped.*/\1/p" "$1" |
            tr '\n' ' ')"
    fi
    [ "$bad" -gt 0 ] || [ "${result[$2]}" = ok ]
}

# The slowest tests of the stages that ran, over all their logs.
slowest_tests() {
    local stage found
    found=$(for stage in "${stages[@]}"; do
        if [ "${result[$stage]-}" != "not run" ] && [ -f "$logs/$stage.log" ]; then
            sed -nE "s/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: ([^ ]+) .* ([0-9.]+) sec *\$/\2 $stage \1/p" "$logs/$stage.log"
        fi
    done | sort -rn | head -n 12)
    [ -n "$found" ] || return 0
    printf '\n%-14s %8s  %s\n' "slowest tests" seconds test
    while read -r time stage name; do
        printf '%-14s %8.1f  %s\n' "$stage" "$time" "$name"
    done <<<"$found"
}

# The part of a failed stage's log that a reader needs first, cut to a readable width: the error
# lines, the checks of GoogleTest that failed, the last lines that each failed test printed, or else
# the end of the log.
excerpt() {
    {
        grep -E '(error|warning): |undefined reference' "$1" | head -n 25
        grep -A 5 -E ': Failure$' "$1" | head -n 60
        failed_tests "$1" | head -n 200
        echo ...
        tail -n 15 "$1"
    } | cut -c 1-180 | sed 's/^/  | /'
}

# Each failed test of a ctest log with the last 40 lines of its output. ctest prints the output
# below the line with the result.
failed_tests() {
    awk -v most=40 '
        function tell(i) {
            if (line == "") return
            print line
            for (i = (n > most ? n - most : 0) + 1; i <= n; i++) print output[i]
            line = ""
        }
        /^ *[0-9]+\/[0-9]+ Test +#/ || /^ +Start +[0-9]+: / || /^[0-9]+% tests passed/ {
            tell()
            n = 0
        }
        /^ *[0-9]+\/[0-9]+ Test .*\*\*\*(Failed|Timeout|Exception)/ { line = $0; next }
        line != "" { output[++n] = $0 }
        END { tell() }
    ' "$1"
}
