import type { StepLineView } from "../../views/index.ts";
import { canMove, Failure, isAgainstLanded, isHeld, plural } from "../../domain/index.ts";
import { answerData } from "../answer-data.ts";
import type { PageContext } from "../page-context.ts";
import type { JobAnswer } from "../jobs.ts";
import type { Preview, PreviewField } from "../wire.ts";
import type { Action, Decision, ActionSubject } from "./action.ts";
import { needed, notPossible, stale } from "./needed.ts";

interface StepAction extends Omit<Preview, "version" | "effects" | "keeps" | "title"> {
  readonly name: string;
  readonly label: string;
  readonly about: string;
  readonly isPossible: (step: StepLineView) => boolean;
  readonly effects: (step: StepLineView) => readonly string[];
  readonly keeps: (step: StepLineView) => readonly string[];
  readonly act: (context: PageContext, call: StepCall, step: StepLineView) => Promise<object>;
}

interface StepCall extends Decision {
  readonly options: ActionSubject["options"];
  readonly plan: string;
  readonly step: string;
}

/**
 * Decides by a process of its own: where the plan's file shows how its steps stand, the file is read, brought up to date
 * and written, and a long one would keep everybody else waiting in here.
 */
const byCommand =
  (verb: string, ...flags: readonly string[]): StepAction["act"] =>
  async ({ jobs }, { plan, step, version, requestId, reason }) => {
    const why = reason === undefined ? [] : [`--reason=${reason}`];
    const seen = [`--seen=${version}`, `--request-id=${requestId}`];
    return answerData(await jobs.ask(["state", verb, ...flags, ...seen, ...why, "--", plan, step]));
  };

/** Checks that pass are not enough: the step is completed, or it still waits for a person. */
function isCompleted(code: number | null, answer: JobAnswer): boolean {
  const data = answer?.["data"] as { readonly completed?: boolean } | undefined;
  return code === 0 && data?.completed === true;
}

const HINT: PreviewField = {
  name: "hint",
  label: "A hint for the next agent, if you have one",
  kind: "long",
  placeholder: "Use the helper in src/money.ts; the test expects cents.",
};

/** The hint is sent first: after a crash in between it is there, and the step still waits for its retry. */
const withHint =
  (act: StepAction["act"]): StepAction["act"] =>
  async (context, call, step) => {
    const hint = call.options.hint?.trim();
    if (hint)
      answerData(
        await context.jobs.ask([
          "tell",
          `--plan=${call.plan}`,
          `--request-id=${call.requestId}-hint`,
          "--",
          call.step,
          hint,
        ]),
      );
    return act(context, call, step);
  };

const holder = ({ claimedBy, claim }: StepLineView): readonly string[] =>
  claimedBy === null
    ? []
    : [`${claimedBy} loses it: whatever it still reports under claim ${claim} is refused.`];

const LATE = "Its late result is kept for you, and changes nothing.";
const FILES = "No file is touched: uncommitted work stays in its worktree.";

const ticksOf = ({ itemsCompleted, itemsTotal }: StepLineView): string =>
  `${itemsCompleted} of ${plural(itemsTotal, "item")} ticked: ticks stay; items that were only started or deferred are open again.`;

const TABLE: readonly StepAction[] = [
  {
    name: "verify",
    label: "Verify again",
    about: "Verifies the step now; if it passes, Pawl commits and completes it",
    // Work that conflicts with what landed passes its checks and conflicts again.
    isPossible: ({ status, sessionId, blockReason }) =>
      status === "awaiting_verification" ||
      (status === "blocked" && blockReason !== "merge_conflict") ||
      (isHeld(status) && sessionId !== null),
    effects: () => [
      "Pawl verifies it now, in the worktree where its work is, with the longer limit.",
      "If it passes, Pawl commits the work and completes the step; if not, the step is blocked with the evidence.",
    ],
    keeps: () => [FILES],
    needsReason: false,
    isGrave: false,
    act: async ({ jobs }, { plan, step }) => ({
      job: jobs.start("verify", step, ["verify", plan, step], isCompleted),
    }),
  },
  {
    name: "retry",
    label: "Retry",
    about: "Makes a blocked step, or one on hold, claimable again",
    isPossible: ({ status }) => canMove(status, "retried"),
    effects: () => ["It becomes pending: the next worker can claim it, with new attempts."],
    keeps: () => ["The evidence of earlier attempts stays.", FILES],
    needsReason: false,
    isGrave: false,
    fields: [HINT],
    act: withHint(byCommand("retry")),
  },
  {
    name: "redo",
    label: "Redo on top of the newer work",
    about: "Redoes a step that conflicts with what landed; its old work is kept",
    isPossible: ({ status, blockReason }) => canMove(status, "retried") && blockReason === "merge_conflict",
    effects: () => [
      "It becomes pending, and the next worker redoes it on top of everything that has landed by then.",
    ],
    keeps: () => ["Its conflicting work stays under its ref, so you can still merge it by hand.", FILES],
    needsReason: false,
    isGrave: false,
    fields: [HINT],
    act: withHint(byCommand("retry", "--fresh")),
  },
  {
    name: "merged",
    label: "I merged it by hand",
    about: "Verifies a step whose conflict a person has resolved in its worktree, and completes it",
    isPossible: ({ status, blockReason }) => status === "blocked" && blockReason === "merge_conflict",
    effects: ({ claimedBy }) => [
      `Its worktree${claimedBy === null ? "" : ` ${claimedBy}`} is verified as it is now.`,
      "If it passes and merges, Pawl commits it and completes the step; if not, it stays blocked with the evidence.",
    ],
    keeps: () => [FILES],
    needsReason: false,
    isGrave: false,
    act: async ({ jobs }, { plan, step }) => ({
      job: jobs.start("verify", step, ["verify", plan, step], isCompleted),
    }),
  },
  {
    name: "tell",
    label: "Send a message",
    about: "Sends a message to the agent of a step",
    isPossible: ({ status, parentAnchor }) => status !== "completed" && parentAnchor === null,
    effects: ({ lane }) => [
      lane === "working"
        ? "Its agent gets your message in its conversation if it can, else with its next start; the answer says which."
        : "Its next agent gets your message.",
    ],
    keeps: () => ["No session is interrupted.", "The journal keeps the message and when an agent got it."],
    needsReason: true,
    isGrave: false,
    act: async ({ jobs }, { plan, step, requestId, reason = "" }) =>
      answerData(await jobs.ask(["tell", `--plan=${plan}`, `--request-id=${requestId}`, "--", step, reason])),
  },
  {
    name: "hold",
    label: "Put on hold",
    about: "Puts a step on hold, so that no worker claims it",
    isPossible: ({ status }) => status !== "on_hold" && canMove(status, "held"),
    effects: (step) => [
      `It goes from ${step.status.replaceAll("_", " ")} to on hold: no worker claims it until a person retries it.`,
      ...holder(step),
      ...(isHeld(step.status) && step.sessionId !== null
        ? ["Its run notices at the next heartbeat, stops the agent, and continues with another step."]
        : []),
      "Steps that wait for it keep waiting.",
    ],
    keeps: (step) => [
      FILES,
      ...(step.itemsTotal > 0 ? [ticksOf(step)] : []),
      ...(isHeld(step.status) ? [LATE] : []),
      "Retry releases the hold; the journal records who held it.",
    ],
    needsReason: false,
    isGrave: false,
    act: byCommand("hold"),
  },
  {
    name: "release",
    label: "Release",
    about: "Takes a step from the worker that holds it; its ticks stay",
    isPossible: ({ status, parentAnchor }) => isHeld(status) && parentAnchor === null,
    effects: (step) => ["It becomes pending: any worker can claim it.", ...holder(step)],
    keeps: () => [FILES, LATE],
    needsReason: true,
    isGrave: true,
    act: byCommand("release", "--force"),
  },
  {
    name: "reset",
    label: "Reset",
    about: "Puts a step back to pending, even if a worker holds it",
    isPossible: ({ status }) => isHeld(status),
    effects: (step) => ["It becomes pending, and its open items are open again.", ...holder(step)],
    keeps: () => [FILES, LATE],
    needsReason: true,
    isGrave: true,
    act: byCommand("reset"),
  },
  {
    name: "reopen",
    label: "Reopen",
    about: "Reopens a completed step; needs a reason",
    isPossible: ({ status }) => canMove(status, "reopened"),
    effects: () => ["It becomes pending again; steps that depend on it wait."],
    keeps: () => ["Its commit stays where it is.", "The reason stays visible."],
    needsReason: true,
    isGrave: true,
    act: byCommand("reopen"),
  },
];

/** What can be done with a step as it stands, the one to think of first first. */
export function choicesFor(step: StepLineView): readonly string[] {
  const names = TABLE.filter(({ isPossible }) => isPossible(step)).map(({ name }) => name);
  if (!isAgainstLanded(step.blockReason)) return names;
  const first = step.blockReason === "merge_conflict" ? ["redo", "merged"] : ["retry"];
  return [...first.filter((name) => names.includes(name)), ...names.filter((name) => !first.includes(name))];
}

const versionOf = ({ status, claim }: StepLineView): string => `${status}:${claim}`;

async function stepNow({ pawl, operand }: PageContext, subject: ActionSubject): Promise<StepLineView> {
  const anchor = needed(subject, "step");
  const plan = operand(needed(subject, "plan"));
  const [line] = (await pawl.stepLines({ plan, anchors: [anchor] })).steps;
  if (line) return line;
  throw new Failure("step/unknown", `There is no step ${anchor}.`, { anchor });
}

export const STEP_ACTIONS: readonly Action[] = TABLE.map((row) => ({
  name: row.name,
  label: row.label,
  about: row.about,
  async preview(context, subject) {
    const step = await stepNow(context, subject);
    if (!row.isPossible(step))
      throw notPossible(
        `${step.anchor} is ${step.status.replaceAll("_", " ")}: there is nothing to ${row.name}.`,
      );
    return {
      title: `${row.label}: ${step.title}`,
      effects: row.effects(step),
      keeps: row.keeps(step),
      version: versionOf(step),
      needsReason: row.needsReason,
      isGrave: row.isGrave,
      ...(row.fields === undefined ? {} : { fields: row.fields }),
    };
  },
  async act(context, subject, decision: Decision) {
    const { version, reason } = decision;
    const step = await stepNow(context, subject);
    // The others ask inside their transaction; this one only starts something.
    if ((row.name === "verify" || row.name === "merged") && versionOf(step) !== version)
      throw stale(step.anchor);
    if (row.needsReason && !reason?.trim())
      throw new Failure("reason/required", `${row.label} needs a reason.`, {}, { hint: "Say why." });
    const plan = context.operand(needed(subject, "plan"));
    return row.act(context, { plan, step: step.anchor, options: subject.options, ...decision }, step);
  },
}));
