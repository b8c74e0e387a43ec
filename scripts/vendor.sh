#!/usr/bin/env bash
# Writes the libraries of the window, at the versions of package.json, where the bundle finds them.
set -euo pipefail
cd "$(dirname "$0")/.."
out=internal/webui/vendored
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
rm -f "$out"/*
for name in preact @preact/signals @preact/signals-core; do
  version=$(sed -n "s|^ *\"$name\": \"\([^\"]*\)\".*|\1|p" package.json)
  short=${name#@preact/}
  mkdir "$dir/$short"
  (cd "$dir/$short" && npm pack --silent "$name@$version" >/dev/null && tar xzf ./*.tgz --strip-components 1)
  { echo "$name $version"; echo; sed 's/\r$//; s/[[:space:]]*$//' "$dir/$short/LICENSE"; } >"$out/$short.txt"
done
# The maps are not shipped.
copy() { sed '/^\/\/# sourceMappingURL=/d' "$dir/$1" >"$out/$2"; }
copy preact/dist/preact.mjs preact.mjs
copy preact/hooks/dist/hooks.mjs hooks.mjs
copy preact/jsx-runtime/dist/jsxRuntime.mjs jsx-runtime.mjs
copy signals/dist/signals.mjs signals.mjs
copy signals-core/dist/signals-core.mjs signals-core.mjs
