import type { CommandType, Workflow } from "./workflow.ts";

/** What a checkpoint says of the command that it stands at. */
export interface Position {
  /** From 1. */
  readonly iteration: number;
  /** Which command of the workflow, from 0. */
  readonly position: number;
  readonly type: CommandType;
  readonly ended: Ended;
  /** The spec that a code review wrote, or that was handed on. */
  readonly specId: string | undefined;
}

/** `open`: it was started, and no end is recorded. */
export const ENDED = ["open", "finished", "failed"] as const;
export type Ended = (typeof ENDED)[number];

type Go = "again" | "next";

/**
 * What resume does with the command that was reached.
 *
 * After a command that finished comes the next, otherwise the same again. Lint and custom commands are always run
 * again: the first is quick, and of the second it is unknown. A code review counts as done when it has left a spec, and
 * only then.
 */
const RESUME: Readonly<Record<CommandType, Readonly<Record<Ended, Readonly<Record<Spec, Go>>>>>> = {
  // oxfmt-ignore
  code_review:    { open: both("next", "again"), finished: both("next", "again"), failed: both("again") },
  implement_spec: { open: both("again"), finished: both("next"), failed: both("again") },
  lint: { open: both("again"), finished: both("again"), failed: both("again") },
  plan: { open: both("again"), finished: both("next"), failed: both("again") },
  verify: { open: both("again"), finished: both("next"), failed: both("again") },
  custom: { open: both("again"), finished: both("again"), failed: both("again") },
};

type Spec = "withSpec" | "withoutSpec";

function both(withSpec: Go, withoutSpec: Go = withSpec): Readonly<Record<Spec, Go>> {
  return { withSpec, withoutSpec };
}

/** Where a session continues. */
export type Next =
  | {
      readonly kind: "run";
      readonly iteration: number;
      readonly position: number;
      readonly specId: string | undefined;
      /** Whether the command was started before. */
      readonly again: boolean;
    }
  /** Nothing is left: the step's commands are all done, or the last iteration is. */
  | { readonly kind: "done" }
  /** The checkpoint does not fit the workflow. */
  | { readonly kind: "mismatch"; readonly because: string };

export interface Bounds {
  readonly workflow: Workflow;
  /** Counts only for workflows that iterate. */
  readonly maxIterations: number;
}

/** The command a resumed session starts with; without a checkpoint the first one. */
export function nextPosition(from: Position | undefined, { workflow, maxIterations }: Bounds): Next {
  if (from === undefined) return { kind: "run", iteration: 1, position: 0, specId: undefined, again: false };
  const { iteration, position, specId } = from;
  const command = workflow.commands[position];
  if (command === undefined || command.type !== from.type) {
    const found = command ? `a ${command.type}` : "nothing";
    return {
      kind: "mismatch",
      because: `the checkpoint stands at command ${position + 1}, a ${from.type}, where workflow ${workflow.name} has ${found}`,
    };
  }
  if (RESUME[from.type][from.ended][specId === undefined ? "withoutSpec" : "withSpec"] === "again")
    return { kind: "run", iteration, position, specId: ownSpec(from), again: true };
  return after(from, workflow, maxIterations);
}

/** The command after one that is done. */
export function after(
  { iteration, position, specId }: Pick<Position, "iteration" | "position" | "specId">,
  workflow: Workflow,
  maxIterations: number,
): Next {
  if (position + 1 < workflow.commands.length)
    return { kind: "run", iteration, position: position + 1, specId, again: false };
  if (!workflow.iterates || iteration >= maxIterations) return { kind: "done" };
  return { kind: "run", iteration: iteration + 1, position: 0, specId: undefined, again: false };
}

/** A review that is run again finds its own spec; any other command keeps the one that it was given. */
const ownSpec = ({ type, specId }: Position): string | undefined =>
  type === "code_review" ? undefined : specId;
