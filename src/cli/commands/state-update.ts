import { Failure, ITEM_KINDS, type ItemKind, plural } from "../../domain/index.ts";
import type { ItemChange } from "../../steps/index.ts";
import { CALLER_OPTIONS, PLAN, REQUEST_OPTION, STEP, whoCalls } from "../caller-options.ts";
import { defineCommand } from "../command.ts";
import { nextFor } from "../text/next-call.ts";
import { snakeCase } from "../../journal/index.ts";

const one = (kind: ItemKind) =>
  ({
    type: "pair",
    many: true,
    value: "N STATUS",
    about: `The Nth ${kind} becomes STATUS (also N:STATUS)`,
  }) as const;
const every = (what: string) => ({ type: "text", value: "STATUS", about: `${what} become STATUS` }) as const;

export const stateUpdateCommand = defineCommand({
  name: "state update",
  more: `STATUS is open, in_progress, completed or deferred; deferring needs --reason. Ordinals count from 1 within their
kind. A call makes all of its changes or none. A substep without items is its own task 1: completing that completes it.`,
  operands: [PLAN, STEP],
  options: {
    task: one("task"),
    test: one("test"),
    checkpoint: one("checkpoint"),
    match: {
      type: "pair",
      many: true,
      value: "TEXT STATUS",
      about: "The one item whose text contains TEXT becomes STATUS",
    },
    "all-tasks": every("All tasks"),
    "all-tests": every("All tests"),
    "all-checkpoints": every("All checkpoints"),
    all: every("All items"),
    reason: { type: "text", value: "TEXT", about: "Why items are deferred" },
    ...CALLER_OPTIONS,
    ...REQUEST_OPTION,
  },
  examples: [
    "pawl state update plan.md step-1 --worktree . --task 1 completed --test 2 in_progress",
    'pawl state update plan.md step-1 --worktree . --match "add the migration" completed',
    "pawl state update plan.md step-1 --worktree . --all completed",
  ],
  async run(context, values, [plan = "", step = ""]) {
    const changes: ItemChange[] = [];
    if (values.all !== undefined) changes.push({ all: true, status: values.all });
    for (const kind of ITEM_KINDS) {
      const status = values[`all-${kind}s`];
      if (status !== undefined) changes.push({ kind, all: true, status });
    }
    for (const kind of ITEM_KINDS) {
      for (const [ordinal, status] of values[kind] ?? [])
        changes.push({ kind, ordinal: ordinalOf(kind, ordinal), status });
    }
    for (const [match, status] of values.match ?? []) changes.push({ match, status });
    const pawl = await context.pawl();
    const who = whoCalls(context, values);
    const answer = await pawl.update({
      plan,
      step,
      ...who,
      changes,
      reason: values.reason,
      requestId: values["request-id"],
    });
    const items = plural(answer.itemsUpdated, "item");
    const address = { plan: answer.planPath, step: answer.anchor, worktree: who.worktree };
    const next = await nextFor(context, address);
    return {
      data: snakeCase(answer),
      text: (paint) => `${paint.green("Updated")} ${items} of ${paint.bold(answer.anchor)}.\n${next(paint)}`,
    };
  },
});

function ordinalOf(kind: ItemKind, text: string): number {
  const ordinal = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (ordinal >= 1) return ordinal;
  throw new Failure("item/unknown", `--${kind} ${text}: ordinals are whole numbers from 1.`, {
    kind,
    ordinal: text,
  });
}
