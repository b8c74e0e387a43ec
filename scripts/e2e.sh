#!/usr/bin/env bash
# Runs the end-to-end tests in two halves at the same time: most of their time is waiting for browsers.
#   e2e.sh [PATTERN]     only tests whose name matches
set -euo pipefail
cd "$(dirname "$0")/../e2e"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
CGO_ENABLED=1 go build -race -o "$work/cove" cove/cmd/cove
go test -tags e2e -c -o "$work/e2e.test" .

export COVE_E2E_PROGRAM="$work/cove"
names=$("$work/e2e.test" -test.list "${1:-.}" | grep '^Test' || true)
if [ -z "$names" ]; then
  echo "No end-to-end test has such a name." >&2
  exit 2
fi

# half N runs every second test, and shows what it said when it is done.
half() {
  local pattern
  pattern=$(awk -v n="$1" 'NR % 2 == n { printf "%s%s", sep, $0; sep = "|" }' <<<"$names")
  [ -n "$pattern" ] || return 0
  "$work/e2e.test" -test.run "^($pattern)\$" -test.timeout 40m >"$work/half$1.log" 2>&1
}

status=0
half 0 & first=$!
half 1 & second=$!
wait "$first" || status=1
wait "$second" || status=1
cat "$work"/half*.log
exit $status
