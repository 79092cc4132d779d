import { collectDiagnostics } from "../diagnostics.ts";
import {
  addMember,
  BadJson,
  type JsonObject,
  member,
  objectNode,
  parseJson,
  positionsIn,
  replaceValue,
  type Splice,
  splice,
} from "../../../platform/json/index.ts";
import type { FileEdit, FileProblem, PlanText, PlanProgress, StepState, Written } from "../plan-format.ts";
import { type Showing, shownStatus } from "../shown-status.ts";
import { updateAttempts } from "./attempts.ts";
import { updateCommits } from "./commits.ts";
import type { TrackedSubtask } from "./memory-file.ts";
import { type Child, outlinePhases } from "./outline.ts";
import { subtaskStatus } from "./step.ts";

export const ATTEMPTS = "memory/attempt_history.json";
export const COMMITS = "memory/build_commits.json";

const MEMORY = [
  [ATTEMPTS, updateAttempts],
  [COMMITS, updateCommits],
] as const;

/** The format has no word for these two: what waits for a verdict is still going on, and what is held back is stuck. */
const SHOWING: Showing = {
  instead: { awaiting_verification: "in_progress", on_hold: "blocked" },
  resetsAbandoned: true,
};

export function writeImplementationPlan({ text, companions }: PlanText, progress: PlanProgress): Written {
  const root = rootOf(text);
  if (!root) return { edits: [], problems: [{ name: "", message: "it is no longer a readable plan" }] };
  const followed = trackedSubtasks(root, text, progress);
  const edits: FileEdit[] = [];
  const problems: FileProblem[] = [];
  const keep = (name: string, before: string | undefined, after: string | undefined) => {
    if (after === undefined) problems.push({ name, message: "it is not in its format, and stays as it is" });
    else if (after !== (before ?? "")) edits.push({ name, before, after });
  };
  // What was done is written before the plan says that it was: a reader that sees a completed subtask finds its commit.
  for (const [name, follow] of companions ? MEMORY : []) {
    const before = companions?.get(name);
    keep(name, before, follow(before, followed, progress.now));
  }
  keep(
    "",
    text,
    splice(
      text,
      followed.flatMap(({ child, state }) => statusEdit(text, child, state) ?? []),
    ),
  );
  return { edits, problems };
}

function rootOf(text: string): JsonObject | undefined {
  try {
    const root = objectNode(parseJson(text));
    return root && member(root, "phases")?.type === "array" ? root : undefined;
  } catch (error) {
    if (error instanceof BadJson) return undefined;
    throw error;
  }
}

function trackedSubtasks(root: JsonObject, text: string, { steps }: PlanProgress): readonly TrackedSubtask[] {
  const { report } = collectDiagnostics();
  const found = new Map<string, TrackedSubtask>();
  for (const phase of outlinePhases(root, { text, place: positionsIn(text), report })) {
    for (const child of phase.children) {
      const state = steps.get(child.anchor);
      if (state && !found.has(child.anchor)) found.set(child.anchor, { child, state });
    }
  }
  return [...found.values()];
}

function statusEdit(text: string, { node }: Child, state: StepState): Splice | undefined {
  const status = member(node, "status");
  const wanted = shownStatus(state, subtaskStatus(status) ?? "on_hold", SHOWING);
  if (wanted === undefined) return undefined;
  return status ? replaceValue(text, status, wanted) : addMember(text, node, "status", wanted);
}
