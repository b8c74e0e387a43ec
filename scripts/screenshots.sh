#!/usr/bin/env bash
# Takes the pictures of the window for the documents, from the running app with made-up data.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
mkdir "$dir/bin"
CGO_ENABLED=0 go build -o "$dir/bin/cove" ./cmd/cove
export COVE_HOME="$dir/home"
"$dir/bin/cove" up --no-window >"$dir/up.out" 2>&1 &
trap '"$dir/bin/cove" stop-app --profiles >/dev/null 2>&1 || true; rm -rf "$dir"' EXIT
for _ in $(seq 100); do "$dir/bin/cove" status >/dev/null 2>&1 && break; sleep 0.1; done
cd e2e/node
node screenshots.mjs "$("$dir/bin/cove" ui)" "$(cat "$COVE_HOME/owner.token")" ../../docs
