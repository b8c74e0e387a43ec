#!/usr/bin/env bash
# Runs the end-to-end tests, two lots at the same time: most of their time is waiting for browsers.
#   e2e.sh [PATTERN]     only tests whose name matches
set -euo pipefail
cd "$(dirname "$0")/../e2e"
PATH="$(../scripts/need.sh node):$PATH"
export PATH

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

# The longest begin first, so that none of them runs alone at the end.
long='^(TestToolsDoWhatUpstreamDoes|TestWindowAsksAndRemembers|TestNoWebPageCanUseTheAPIOrTheGate|TestNoPageInAnOpenProfile.*|TestSoak|TestLargePages|TestWindow|TestVerifyStopsAtTheStepThatFails|TestJournal|TestLighthouse|TestFiles|TestFrames)$'
names=$(grep -E "$long" <<<"$names" || true; grep -Ev "$long" <<<"$names" || true)

# batch runs some tests and keeps what they said; the next one begins as soon as another has ended.
batch() {
  local log
  log=$(mktemp "$work/log.XXXXXX")
  "$work/e2e.test" -test.v -test.run "^($(IFS='|' && echo "$*"))\$" -test.timeout 40m >"$log" 2>&1
}
export work
export -f batch

status=0
xargs -n 3 -P "${COVE_E2E_AT_ONCE:-2}" bash -c 'batch "$@"' batch <<<"$names" || status=1
# Of a batch that failed everything is shown, of the others how long each test took; what went wrong comes last, once more.
failed=()
for log in "$work"/log.*; do
  if tail -n 1 "$log" | grep -aqx PASS; then
    grep -a '^--- ' "$log" || true
  else
    grep -av '^=== ' "$log" || true
    failed+=("$log")
  fi
done
for log in "${failed[@]}"; do
  awk '/^=== RUN +[^\/]+$/ { said = "" } { said = said $0 "\n" } /^--- PASS/ { said = "" } /^--- FAIL/ { printf "%s", said; said = "" } END { if (said !~ /^(PASS|FAIL)\n/) printf "%s", said }' "$log" |
    grep -aE '^ *--- FAIL|^ +[a-z0-9_]+_test\.go:|^panic:|DATA RACE' | cut -c 1-400 || tail -n 5 "$log"
done
exit $status
