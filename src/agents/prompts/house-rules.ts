import { PARTS } from "./parts.ts";
import type { PromptContext } from "./prompt-context.ts";

/** What every agent that changes files is told. */
export function houseRules(context: PromptContext): string {
  const tick = PARTS.ticking.write(context);
  return [
    "## How to work",
    "",
    "- Work in the current folder only. It is a git worktree of its own, and its branch is yours alone.",
    "- Do not commit, push, switch branches, or discard changes: Pawl verifies your work and commits it.",
    "- Keep what is already there: files that you find changed are earlier work on the same task.",
    ...(tick === undefined
      ? []
      : [`- Tick each item of the checklist once it is true, and only then: \`${tick}\``]),
    "- When you cannot finish, stop and say what is missing. Unfinished work that says so is worth more than work that pretends.",
  ].join("\n");
}
