#!/usr/bin/env bash
# Takes the pictures of the window and its film for the documents, from the running app with made-up data.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
# A person with a few clients; the pictures call the folder /home.
person=$dir/ann
cove=$person/.local/bin/cove
mkdir -p "$person"/.local/bin "$person"/.cursor "$person"/.codex "$person"/.gemini "$person"/.config/zed
CGO_ENABLED=0 go build -o "$cove" ./cmd/cove
run() { env -u COVE_HOME -u XDG_CONFIG_HOME HOME="$person" "$cove" "$@"; }
run up --no-window >"$dir/up.out" 2>&1 &
trap 'run stop-app --profiles >/dev/null 2>&1 || true; rm -rf "$dir"' EXIT
for _ in $(seq 100); do run status >/dev/null 2>&1 && break; sleep 0.1; done
link=$(run ui)
token=$(cat "$person/.config/cove_browser/owner.token")
(cd e2e/node && node screenshots.mjs "$link" "$token" ../../docs "$dir" "$dir/film")
go run ./scripts/film "$dir/film/frames.json" docs/window-film.gif
