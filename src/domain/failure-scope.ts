import type { ErrorName, Failure } from "./errors.ts";

/**
 * Whose matter a failure is that comes up while a worker is at a step.
 *
 * `run`: the store, the plan, the settings or the machine; the next step would meet it too, so the run ends.
 * `step`: this step's work or the worktree it was done in; the step is blocked with the reason, and the run continues.
 * `work`: the agent can put its files right; they go back to it with the evidence.
 */
export type FailureScope = "run" | "step" | "work";

type Area = ErrorName extends `${infer Name}/${string}` ? Name : never;

/** By what a failure is about. */
const AREAS: Readonly<Record<Area, FailureScope>> = {
  action: "run",
  agent: "run",
  artifact: "step",
  backup: "run",
  branch: "run",
  claim: "run",
  commit: "step",
  desk: "run",
  file: "run",
  full: "run",
  git: "step",
  hooks: "run",
  import: "run",
  init: "run",
  internal: "run",
  item: "step",
  landing: "step",
  library: "run",
  message: "step",
  merge: "step",
  operator: "run",
  plan: "run",
  platform: "run",
  planner: "run",
  prompt: "run",
  reason: "run",
  remote: "step",
  repository: "run",
  request: "run",
  run: "run",
  session: "run",
  settings: "run",
  snapshot: "step",
  step: "step",
  store: "run",
  sync: "step",
  system: "run",
  ui: "run",
  usage: "run",
  verify: "step",
  workflow: "run",
  worktree: "step",
};

/** Where a single failure is about something else than its area. */
const EXCEPTIONS: Readonly<Partial<Record<ErrorName, FailureScope>>> = {
  "commit/hollow-repository": "work",
  "commit/nested-repository": "work",
  "commit/not-addable": "work",
  "git/too-old": "run",
  // The loop takes the step up again.
  "git/stopped": "run",
  "run/not-stopped": "step",
  "run/tree-changed": "step",
  "worktree/no-base": "run",
};

export function scopeOf({
  problem,
  details = {},
}: Pick<Failure, "problem"> & Partial<Failure>): FailureScope {
  if (saysMachine(details["stderr"])) return "run";
  return EXCEPTIONS[problem] ?? AREAS[problem.slice(0, problem.indexOf("/")) as Area];
}

/** What the system tells a git that cannot work anywhere: blocked for it, step after step would wait for a person. */
const MACHINE =
  /No space left on device|Disk quota exceeded|Read-only file system|Input\/output error|Too many open files|Cannot allocate memory|Resource temporarily unavailable/;

export const saysMachine = (said: unknown): boolean =>
  (Array.isArray(said) ? said.map(String) : [typeof said === "string" ? said : ""]).some((line) =>
    MACHINE.test(line),
  );
