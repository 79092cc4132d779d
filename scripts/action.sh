#!/usr/bin/env bash
# What action.yml runs. Every input is a variable, so that none of them is read as a command.
set -uo pipefail

pawl=(pawl)
if ! command -v pawl >/dev/null 2>&1; then
  pawl=(npx --yes --package "pawl@${PAWL_ACTION_VERSION:-latest}" pawl)
  [[ -f "${PAWL_ACTION_VERSION:-}" ]] && pawl=(npx --yes --package "$PAWL_ACTION_VERSION" pawl)
fi

args=(run --json)
[[ -n "${PAWL_ACTION_AGENT:-}" ]] && args+=("--agent=$PAWL_ACTION_AGENT")
[[ -n "${PAWL_ACTION_MAX_MINUTES:-}" ]] && args+=("--max-minutes=$PAWL_ACTION_MAX_MINUTES")
[[ -n "${PAWL_ACTION_MAX_COST:-}" ]] && args+=("--max-cost=$PAWL_ACTION_MAX_COST")
args+=(-- "${PAWL_ACTION_PLAN:?the input plan is missing}")

log=$(mktemp)
trap 'rm -f "$log"' EXIT
"${pawl[@]}" "${args[@]}" | tee "$log"
code=${PIPESTATUS[0]}

if [[ -n "${GITHUB_OUTPUT:-}" ]]; then
  {
    echo "exit-code=$code"
    echo "answer=$(tail -n 1 "$log")"
  } >>"$GITHUB_OUTPUT"
fi
if [[ -n "${GITHUB_STEP_SUMMARY:-}" ]]; then
  {
    echo "### Pawl: exit code $code"
    echo
    "${pawl[@]}" status 2>&1 | sed 's/^/    /'
  } >>"$GITHUB_STEP_SUMMARY"
fi
exit "$code"
