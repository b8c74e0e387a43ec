#!/usr/bin/env bash
# Runs the end-to-end tests, three at a time for two processors: a test often waits for a page or a client.
#   e2e.sh                     the usual ones: all but the groups of e2e/groups.txt, and those named in COVE_E2E_GROUPS
#   e2e.sh PATTERN             only tests whose name matches, those of groups too
#   PKG=policy e2e.sh          only the tests of one package below e2e, those of groups too
#   COVE_E2E_ONLY="siege kills" e2e.sh   only the tests of these groups; all: of every group
#   COVE_E2E_AT_ONCE=1 e2e.sh  one at a time
set -euo pipefail
cd "$(dirname "$0")/../e2e"
PATH="$(../scripts/need.sh node):$PATH"
export PATH

packages=${PKG:-api tools policy clients window compat external}
work=$(mktemp -d)
export work
mkdir "$work/running"

for dir in e2e/node e2e/clients e2e/conformance e2e/widgets; do ../scripts/need.sh npm "../$dir"; done
echo "Building the program and the end-to-end tests …"
CGO_ENABLED=1 go build $(../scripts/race.sh) -o "$work/cove" cove/cmd/cove
export COVE_E2E_PROGRAM="$work/cove"
for pkg in $packages; do
  if [ ! -f "$pkg/main_test.go" ]; then
    echo "There is no package $pkg of end-to-end tests. Choose from: api tools policy clients window compat external" >&2
    exit 2
  fi
  go test -tags e2e -c -o "$work/$pkg.test" "./$pkg"
  "$work/$pkg.test" -test.list "${1:-.}" | sed -n "s/^Test/$pkg Test/p" >>"$work/tests"
done
if [ ! -s "$work/tests" ]; then
  echo "No end-to-end test has such a name." >&2
  exit 2
fi

# The tests of some groups are "package TestName" lines that match these patterns.
patterns() {
  awk -v wanted=" $1 " '/^[a-z]/ && $3 && (index(wanted, " all ") || index(wanted, " " $1 " ")) { print $2 " Test(" $3 ")" }' groups.txt
}
in_groups() { grep -xE -f <(patterns "$1") "$work/tests" || true; }

known=" $(awk '/^[a-z]/ { print $1 }' groups.txt | uniq | tr '\n' ' ')"
for group in ${COVE_E2E_ONLY:-} ${COVE_E2E_GROUPS:-}; do
  if [[ $known != *" $group "* ]]; then
    echo "There is no group $group of end-to-end tests. Choose from:$known" >&2
    exit 2
  fi
done

# What takes long begins first, so that none of it runs alone at the end: the groups, and these.
long=' Test(Window|SiteRulesStopEveryWayOut|APageThatCannotBeReadIsAskedAbout|FrozenTab|HostilePages|NoCommandReachesOtherTabs|PuppeteerPlaywrightAndSeleniumAtTheSameTime|WindowConnectsAnAgent|WindowSetsTheRulesAndAnswersAgents|ProgramsOfThisComputerCanUseTheAPI|Frames|Files|Journal|ClientsOf.*)$'
in_groups all >"$work/grouped"
grep -vxF -f "$work/grouped" "$work/tests" >"$work/usual" || true
if [ -n "${COVE_E2E_ONLY:-}" ]; then
  in_groups "$COVE_E2E_ONLY" >"$work/order"
else
  if [ -n "${1:-}${PKG:-}" ]; then cat "$work/grouped"; else in_groups "${COVE_E2E_GROUPS:-}"; fi >"$work/order"
  grep -E "$long" "$work/usual" >>"$work/order" || true
  grep -Ev "$long" "$work/usual" >>"$work/order" || true
fi
if [ ! -s "$work/order" ]; then
  echo "No end-to-end test is left to run." >&2
  exit 2
fi
total=$(wc -l <"$work/order")
export total

# one runs a test, and says how it ended.
one() {
  local pkg=$1 name=$2 log="$work/log.$1.$2" word=ok began=$SECONDS number
  touch "$work/running/$name"
  (cd "$pkg" && "$work/$pkg.test" -test.v -test.run "^$name\$" -test.timeout 40m) >"$log" 2>&1 || word=FAIL
  rm "$work/running/$name"
  number=$(flock "$work/done" sh -c 'echo >>"$work/done"; wc -l <"$work/done"')
  printf '[%3d/%d] %-4s %s/%s (%d s)\n' "$number" "$total" "$word" "$pkg" "$name" $((SECONDS - began))
  [ "$word" = ok ]
}
export -f one

# Whoever waits sees what is running.
while sleep 60; do
  names=$(cd "$work/running" && echo *)
  [ "$names" = '*' ] || echo "… running: $names"
done &
watch=$!
trap 'kill "$watch" 2>/dev/null || true; rm -rf "$work"' EXIT

status=0
xargs -n 2 -P "${COVE_E2E_AT_ONCE:-$((($(nproc) * 3 + 1) / 2))}" bash -c 'one "$@"' one <"$work/order" || status=1

left=$(($(wc -l <"$work/tests") - total))
[ "$left" = 0 ] || [ -n "${COVE_E2E_ONLY:-}" ] || echo "$left tests of groups were left out; \`make test-all\` has them."

# What a failed test said comes last, its verdicts once more at the end.
failed=()
for log in "$work"/log.*; do
  tail -n 1 "$log" | grep -aqx PASS || failed+=("$log")
done
for log in "${failed[@]}"; do
  grep -av '^=== ' "$log" || true
done
for log in "${failed[@]}"; do
  grep -aE '^ *--- FAIL|^ +[a-z0-9_]+(_test)?\.go:|^panic:|DATA RACE' "$log" | cut -c 1-400 || tail -n 5 "$log"
done
exit $status
