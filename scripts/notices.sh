#!/usr/bin/env bash
# Writes THIRD_PARTY_NOTICES.md: the licences of everything that is linked into the program, on any system.
set -euo pipefail
cd "$(dirname "$0")/.."
out=THIRD_PARTY_NOTICES.md
{
  echo "# Third-party notices"
  echo
  echo "Cove is linked with the modules below. Made by \`make notices\` from the modules' own licence files."
  for os in linux darwin windows; do
    GOOS=$os go list -deps -f '{{with .Module}}{{.Path}} {{.Version}} {{.Dir}}{{end}}' ./cmd/cove
  done | sort -u | while read -r path version dir; do
    [ "$path" = cove ] && continue
    [ -n "$dir" ] || continue
    echo
    echo "## $path $version"
    for file in "$dir"/LICENSE* "$dir"/COPYING* "$dir"/LICENCE*; do
      [ -f "$file" ] || continue
      echo
      echo '```'
      sed 's/\r$//; s/[[:space:]]*$//' "$file"
      echo '```'
    done
  done
  for file in internal/webui/vendored/*.txt; do
    echo
    echo "## $(head -n 1 "$file") (npm, in the window's page)"
    echo
    echo '```'
    tail -n +3 "$file"
    echo '```'
  done
  echo
  echo "## The Go standard library"
  echo
  echo '```'
  cat "$(go env GOROOT)/LICENSE"
  echo '```'
} >"$out"
