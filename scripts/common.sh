# Shared by the scripts here: where things are kept and how we talk. Sourced, never run.
# shellcheck shell=bash

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/adjutant
# Build tools we install ourselves live here, so nothing of the system or of ~/.cargo is changed.
TOOLS=$CACHE/tools
export PATH="$TOOLS/bin:$PATH:$HOME/.cargo/bin"
TARGET=${CARGO_TARGET_DIR:-$ROOT/target}
SYSTEM=$(uname -s)
# What every build of the whole workspace turns on, so that no two of them compile a library twice.
ALL=(--workspace --features adjutant/packaged,adjutant-models/local-model)

# One line of what happens; goes to stderr so that a script's output stays its own.
say() { printf '%s\n' "$*" >&2; }

# What went wrong, then what to do next.
fail() { printf '\n%s\n' "$@" >&2; exit 1; }

have() { command -v "$1" >/dev/null 2>&1; }

# True where a window can be shown.
has_display() {
  case $SYSTEM in
    Linux) [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] ;;
    *) true ;;
  esac
}

# The browser for the tests of the UI; CHROME wins.
find_browser() {
  local name
  for name in "${CHROME:-}" chromium chromium-browser google-chrome google-chrome-stable; do
    [ -n "$name" ] && command -v "$name" && return 0
  done
  return 1
}
