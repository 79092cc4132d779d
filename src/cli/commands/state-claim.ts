import { ERRORS, EXIT_CODES, plural, shellWord } from "../../domain/index.ts";
import type { ClaimAnswer, MissingReason, MissingWork, Waiting } from "../../claims/index.ts";
import {
  CALLER_OPTIONS,
  LEASE_OPTION,
  leaseSeconds,
  PLAN,
  REQUEST_OPTION,
  whoCalls,
} from "../caller-options.ts";
import { defineCommand } from "../command.ts";
import { stoppedWords } from "../../sessions/index.ts";
import { holderText } from "../text/holder.ts";
import { displayWidth, truncate } from "../text/layout.ts";
import { nameColumn } from "../text/name-column.ts";
import { nextCall, openItemsOf, type OpenItems } from "../text/next-call.ts";
import type { Paint } from "../text/paint.ts";
import { paragraph } from "../text/paragraph.ts";
import { timeLeft } from "../text/time-left.ts";
import { type Issue, snakeCase } from "../../journal/index.ts";

const { worktree } = CALLER_OPTIONS;

export const stateClaimCommand = defineCommand({
  name: "state claim",
  more: `Prints the step and the number of the claim. If nothing can be claimed, it exits with 6 and says for each
open step, or for the one that --step names, what it waits for.`,
  operands: [PLAN],
  options: {
    worktree,
    ...LEASE_OPTION,
    step: { type: "text", value: "ANCHOR", about: "This step instead of the next one" },
    start: { type: "flag", about: "Also start it, as `pawl state start` would" },
    force: { type: "flag", about: "When no step is free, take one from its holder (for people)" },
    ...REQUEST_OPTION,
  },
  examples: [
    "pawl state claim plan.md --worktree .",
    "pawl state claim plan.md --worktree . --step step-3 --json",
  ],
  async run(context, values, [plan = ""]) {
    const { worktree: path, session } = whoCalls(context, { worktree: values.worktree });
    const answer = await (
      await context.pawl()
    ).claim({
      plan,
      worktree: path,
      session,
      step: values.step,
      force: values.force,
      start: values.start,
      leaseSeconds: leaseSeconds(values["lease-duration"]),
      requestId: values["request-id"],
    });
    const openItems = answer.anchor === null ? [] : await openItemsOf(context, { plan, step: answer.anchor });
    const waits = !answer.claimed && !answer.allCompleted;
    return {
      data: snakeCase(answer),
      issues: [
        ...(waits ? [nothingReady(answer, values.step)] : []),
        ...answer.notes.map(planNote),
        ...answer.missingCommits.map(notHere),
        ...answer.missingWork.map((one) => notInWorktree(one, path)),
      ],
      exitCode: waits ? EXIT_CODES.waiting : 0,
      text: (paint) =>
        answer.claimed
          ? describeClaim(answer, { cwd: context.cwd, worktree: path, openItems }, paint)
          : describeNothing(answer, values.step, context.cwd, paint),
    };
  },
});

interface Scene {
  readonly cwd: string;
  /** As the caller wrote it. */
  readonly worktree: string;
  readonly openItems: OpenItems;
}

const MOST_ITEMS = 12;

function describeClaim(answer: ClaimAnswer, { cwd, worktree, openItems }: Scene, paint: Paint): string {
  const { anchor, title, claim, planPath, displaced } = answer;
  const how = displaced ? "Took over" : answer.reclaimed ? "Claimed again" : "Claimed";
  const room = Math.max(paint.columns - how.length - (anchor ?? "").length - 3, 16);
  const lines = [
    `${paint.green(how)} ${paint.bold(anchor ?? "")}  ${truncate(title ?? "", room)}`,
    `  claim ${claim}, lease ${timeLeft(answer.leaseExpires)}; ${answer.remainingReady} more ready, ${answer.remainingCapped ? "at least " : ""}${answer.totalRemaining} to go`,
  ];
  if (displaced?.worktree)
    lines.push(
      `  taken from ${paint.plain(holderText(displaced.worktree, null, cwd))} (claim ${displaced.claim})`,
    );
  if (answer.savedWork !== null)
    lines.push(
      `  its uncommitted work is saved; bring it here with: pawl snapshot restore ${paint.plain(shellWord(answer.savedWork))} --worktree ${paint.plain(shellWord(worktree))} --files-only`,
    );
  if (answer.broughtTo !== null)
    lines.push(
      `  the worktree is now at ${answer.broughtTo.slice(0, 12)}, with the work of the steps before it`,
    );
  for (const item of openItems.slice(0, MOST_ITEMS)) {
    const of = item.anchor === anchor ? "" : `${item.anchor} `;
    lines.push(`  [ ] ${truncate(`${of}${item.kind} ${item.ordinal}: ${item.text}`, paint.columns - 6)}`);
  }
  if (openItems.length > MOST_ITEMS) lines.push(`  … and ${openItems.length - MOST_ITEMS} more`);
  const address = `${shellWord(planPath)} ${shellWord(anchor ?? "")} --worktree ${shellWord(worktree)}`;
  lines.push(
    answer.started
      ? nextCall({ plan: planPath, step: anchor ?? "", worktree }, openItems, paint)
      : `  next: pawl state start ${paint.plain(address)}`,
  );
  return lines.join("\n");
}

function describeNothing(answer: ClaimAnswer, named: string | undefined, cwd: string, paint: Paint): string {
  const name = nameColumn(answer.waiting);
  if (answer.allCompleted)
    return [
      paint.green("All steps are completed."),
      ...answer.waiting.map(
        ({ anchor, title }) => `  ${paint.bold(name(anchor))}  optional: ${paint.plain(title)}`,
      ),
      ...answer.waiting
        .slice(0, 1)
        .map(
          ({ anchor }) =>
            `  to have it done: pawl state retry ${paint.plain(shellWord(answer.planPath))} ${paint.plain(shellWord(anchor))}`,
        ),
    ].join("\n");
  return [
    named === undefined ? "Nothing is ready to claim:" : "Not to be claimed now:",
    ...answer.waiting.map((step) => {
      const indent = displayWidth(name(step.anchor)) + 4;
      // Behind a long name a reason would become a column of single words.
      return indent > paint.columns / 2
        ? `  ${paint.bold(step.anchor)}\n      ${paragraph(reason(step, cwd), 6, paint.columns)}`
        : `  ${paint.bold(name(step.anchor))}  ${paragraph(reason(step, cwd), indent, paint.columns)}`;
    }),
  ].join("\n");
}

function reason(step: Waiting, cwd: string): string {
  if (step.reason === "dependencies") return `waits for ${step.blockedBy.join(", ")}`;
  if (step.reason === "held")
    return `held by ${holderText(step.heldBy, step.otherHost, cwd)}, ${step.stopped === null ? `lease ${timeLeft(step.until)}` : `which is ${stoppedWords(step.stopped)}`}`;
  const note = step.note === null ? "" : `: ${step.note}`;
  return `${step.reason.replace("_", " ")}${note}`;
}

const planNote = (message: string): Issue => ({
  code: "W005",
  name: "plan/grown",
  severity: "info",
  message,
  hint: "You need to do nothing: the claim holds.",
});

const notHere = ({ anchor, commit, fetch }: ClaimAnswer["missingCommits"][number]): Issue => ({
  code: "W002",
  name: "commit/not-here",
  severity: "warning",
  message: `The work of ${anchor} (commit ${commit}) is not in this clone.`,
  hint:
    fetch === null
      ? "Its owner has not pushed it yet; wait for that before you build on it."
      : `Run \`${fetch}\` before you start.`,
});

/** Why the claim left the worktree without it. */
const WHY_MISSING: Readonly<Record<MissingReason, string>> = {
  not_here: "the commit is not in this repository",
  uncommitted: "the worktree has uncommitted changes",
  conflicts: "it conflicts with what is checked out",
  refused: "git could not bring the worktree forward",
};

const MOST_FILES = 5;

function notInWorktree({ anchor, commit, reason: why, files }: MissingWork, worktree: string): Issue {
  const some = files.slice(0, MOST_FILES).join(", ");
  const more = files.length > MOST_FILES ? " …" : "";
  const merge = `\`git -C ${shellWord(worktree)} merge ${commit}\``;
  return {
    code: "W004",
    name: "commit/not-in-worktree",
    severity: "warning",
    message: `The work of ${anchor} (commit ${commit}) is not in this worktree: ${WHY_MISSING[why]}${some === "" ? "" : ` (${some}${more})`}.`,
    hint: HOW_TO_GET[why](anchor, merge),
  };
}

const HOW_TO_GET: Readonly<Record<MissingReason, (step: string, merge: string) => string>> = {
  not_here: (step) => `Find out where ${step} was committed and fetch that before you start.`,
  uncommitted: (_, merge) => `Commit what belongs to this step, then run ${merge} before you continue.`,
  conflicts: (_, merge) => `Run ${merge} and resolve the conflicts before you start.`,
  refused: (_, merge) => `Run ${merge} before you start; git says there what is in the way.`,
};

/** Waiting does not help with a step that only a person lets go on. */
const wayOut = (plan: string, step: Waiting | undefined): string =>
  step && isStuck(step)
    ? `For people: \`pawl state retry ${shellWord(plan)} ${shellWord(step.anchor)}\` lets ${step.anchor} be claimed again.`
    : "Wait for a step to finish;";

const isStuck = ({ reason: why }: Waiting): boolean => why === "on_hold" || why === "blocked";

/** The step that all others hang on, directly or not, because no worker holds any step. */
const stuckOn = (waiting: readonly Waiting[]): Waiting | undefined =>
  waiting.some(({ reason: why }) => why === "held" || why === "ready") ? undefined : waiting.find(isStuck);

const nothingReady = ({ planPath, totalRemaining, waiting }: ClaimAnswer, named?: string): Issue => ({
  code: ERRORS["claim/nothing-ready"].code,
  name: "claim/nothing-ready",
  severity: "info",
  message:
    named === undefined
      ? `Nothing in ${planPath} is ready to claim; ${plural(totalRemaining, "step is", "steps are")} open.`
      : `${waiting[0]?.anchor ?? named} of ${planPath} is not to be claimed now; other steps may be.`,
  hint: `${wayOut(planPath, named === undefined ? stuckOn(waiting) : waiting[0])} \`pawl state ready ${shellWord(planPath)}\` shows what each step waits for.`,
});
