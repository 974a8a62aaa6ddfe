# For the tests of this folder: what a command must print and how it must end. Sourced, not run.

# expect STATUS COMMAND...: runs it and compares standard output with standard input of `expect`; keeps standard error in $TMP/stderr.
expect() {
    local wanted=$1 status=0
    shift
    cat >"$TMP/expected"
    "$@" >"$TMP/stdout" 2>"$TMP/stderr" || status=$?
    if [ "$status" -ne "$wanted" ]; then
        echo "FAILED $*: exit status $status, expected $wanted"
        cat "$TMP/stderr"
        exit 1
    fi
    diff -u "$TMP/expected" "$TMP/stdout" || { echo "FAILED $*"; exit 1; }
}

# expect_error: standard error of the last command must be what stands on standard input.
expect_error() {
    diff -u - "$TMP/stderr" || { echo "FAILED: what the last command said on standard error"; exit 1; }
}

# quiet STATUS COMMAND...: prints nothing on standard output.
quiet() {
    expect "$@" </dev/null
}

# absent OPTION-OR-PATTERN... FILE...: grep must find nothing. (A bare `! grep` does not end a script.)
absent() {
    if grep "$@"; then
        echo "FAILED: found by grep $*"
        exit 1
    fi
}
