#!/usr/bin/env bash
# Writes the libraries of the window, at the versions pinned here, as the browser runs them: no bundler, no build step.
set -euo pipefail
cd "$(dirname "$0")/.."
preact=11.2.0
htm=3.1.1
out=internal/webui
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
for pack in preact@$preact htm@$htm; do
  name=${pack%@*}
  (cd "$dir" && npm pack --silent "$pack" >/dev/null && mkdir "$name" && tar xzf "$name"-*.tgz -C "$name" --strip-components 1)
  { echo "$name ${pack#*@}"; echo; sed 's/\r$//; s/[[:space:]]*$//' "$dir/$name/LICENSE"; } >"$out/vendored/$name.txt"
done
# A page finds a module by its address: the one bare name becomes one. The maps are not shipped.
clean() { sed -e 's/from"preact"/from".\/preact.js"/' -e '/^\/\/# sourceMappingURL=/d' "$1"; }
clean "$dir/preact/dist/preact.mjs" >$out/page/preact.js
clean "$dir/preact/hooks/dist/hooks.mjs" >$out/page/hooks.js
clean "$dir/htm/dist/htm.mjs" >$out/page/htm.js
