#!/usr/bin/env bash
# Installs what a step needs and is not there yet; says what to install where it cannot.
#   need.sh browser      a browser that Cove can open profiles with
#   need.sh test         everything that `make test` needs
#   need.sh npm DIR      the npm packages of DIR's lock file
#   need.sh node         our own Node and npm; prints their folder
#   need.sh lint         golangci-lint, at the version pinned here
set -euo pipefail

golangci_version=v2.14.0

say() { printf '%s\n' "$*" >&2; }

find_browser() {
  if [ -n "${COVE_BROWSER:-}" ] && [ -x "$COVE_BROWSER" ]; then echo "$COVE_BROWSER"; return; fi
  local name path
  for name in google-chrome-stable google-chrome chromium chromium-browser microsoft-edge-stable microsoft-edge brave-browser; do
    if path=$(command -v "$name" 2>/dev/null); then echo "$path"; return; fi
  done
  for path in "/Applications/Google Chrome.app" "/Applications/Chromium.app" "/Applications/Microsoft Edge.app" "/Applications/Brave Browser.app"; do
    if [ -d "$path" ]; then echo "$path"; return; fi
  done
  return 1
}

# apt_install PACKAGE… installs Debian packages, as root or through sudo without a question.
apt_install() {
  local run=()
  command -v apt-get >/dev/null 2>&1 || return 1
  if [ "$(id -u)" != 0 ]; then
    if sudo -n true 2>/dev/null; then run=(sudo -n); else return 1; fi
  fi
  say "Installing $* with apt-get …"
  local log
  log=$(mktemp)
  if ! "${run[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -q >"$log" 2>&1 ||
    ! "${run[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" >>"$log" 2>&1; then
    tail -n 15 "$log" >&2
    rm -f "$log"
    return 1
  fi
  rm -f "$log"
}

need_browser() {
  find_browser >/dev/null && return
  apt_install chromium fonts-liberation && find_browser >/dev/null && return
  say "No browser was found and none could be installed here: install Google Chrome, Chromium, Microsoft Edge or Brave, then run this again."
  exit 1
}

need_test() {
  local missing=()
  command -v chromium >/dev/null 2>&1 || missing+=(chromium fonts-liberation)
  command -v chromedriver >/dev/null 2>&1 || missing+=(chromium-driver)
  command -v Xvfb >/dev/null 2>&1 || missing+=(xvfb)
  command -v xdotool >/dev/null 2>&1 || missing+=(xdotool)
  command -v dbus-daemon >/dev/null 2>&1 || missing+=(dbus-daemon)
  command -v gcc >/dev/null 2>&1 || missing+=(gcc libc6-dev)
  command -v python3 >/dev/null 2>&1 || missing+=(python3)
  command -v curl >/dev/null 2>&1 || missing+=(curl ca-certificates)
  command -v npm >/dev/null 2>&1 || missing+=(nodejs npm)
  if [ ${#missing[@]} -gt 0 ] && ! apt_install "${missing[@]}"; then
    say "The tests need these Debian packages, and they could not be installed here: ${missing[*]}. Install them, then run this again."
    exit 1
  fi
}

# need_npm DIR installs DIR's lock file once; a stamp with the lock file's checksum makes the second time free.
need_npm() {
  local dir=$1 sum stamp
  sum=$(cksum <"$dir/package-lock.json")
  stamp="$dir/node_modules/.cove-installed"
  [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$sum" ] && return
  say "Installing the npm packages of $dir …"
  (cd "$dir" && PUPPETEER_SKIP_DOWNLOAD=1 PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2)
  printf '%s' "$sum" >"$stamp"
}

# need_node prints the folder of our own Node and npm: a machine's may be too old for the clients and for their lock files.
need_node() {
  local dir
  dir="$(cd "$(dirname "$0")" && pwd)/node"
  if ! command -v npm >/dev/null 2>&1 && ! apt_install nodejs npm; then
    say "This needs npm, and it could not be installed here: install Node with npm, then run this again."
    exit 1
  fi
  need_npm "$dir"
  echo "$dir/node_modules/.bin"
}

# need_lint prints the path of the pinned golangci-lint, building it once for this machine.
need_lint() {
  local bin="${XDG_CACHE_HOME:-$HOME/.cache}/cove-tools/golangci-lint-$golangci_version"
  if [ ! -x "$bin/golangci-lint" ]; then
    say "Building golangci-lint $golangci_version (once) …"
    GOBIN="$bin" GOFLAGS= go install "github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$golangci_version" >&2
  fi
  echo "$bin/golangci-lint"
}

case "${1:-}" in
browser) need_browser ;;
test) need_test ;;
npm)
  PATH="$(need_node):$PATH"
  need_npm "$2"
  ;;
node) need_node ;;
lint) need_lint ;;
*) say "usage: need.sh browser | test | npm DIR | node | lint"; exit 2 ;;
esac
