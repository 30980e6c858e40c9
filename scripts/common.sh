# Paths and functions shared by the scripts in this folder. Sourced, never run.
# shellcheck shell=bash

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/adjutant
# Build tools installed by these scripts go here, so that neither the system nor ~/.cargo changes.
TOOLS=$CACHE/tools
export PATH="$TOOLS/bin:$PATH:$HOME/.cargo/bin"
TARGET=${CARGO_TARGET_DIR:-$ROOT/target}
SYSTEM=$(uname -s)
# Options of every build of the whole workspace. Identical features keep Cargo from compiling a library twice.
ALL=(--workspace --features adjutant/packaged,adjutant-models/local-model)

# Prints one line about what happens, on standard error so that it does not mix with a script's output.
say() { printf '%s\n' "$*" >&2; }

# Prints what went wrong and what to do next, and exits.
fail() { printf '\n%s\n' "$@" >&2; exit 1; }

have() { command -v "$1" >/dev/null 2>&1; }

# Succeeds where a window can be shown.
has_display() {
  case $SYSTEM in
    Linux) [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] ;;
    *) true ;;
  esac
}

# Prints the path of the browser for the UI tests; CHROME overrides it.
find_browser() {
  local name
  for name in "${CHROME:-}" chromium chromium-browser google-chrome google-chrome-stable; do
    [ -n "$name" ] && command -v "$name" && return 0
  done
  return 1
}
