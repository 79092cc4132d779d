import { plural } from "../../domain/plural.ts";
import { shellWord } from "../../domain/shell-word.ts";
import { ERRORS } from "../../domain/errors.ts";
import type { ClaimAnswer } from "../../flow/claim.ts";
import type { Waiting } from "../../flow/why-nothing.ts";
import {
  CALLER_OPTIONS,
  LEASE_OPTION,
  leaseSeconds,
  PLAN,
  refuseInSession,
  REQUEST_OPTION,
  whoCalls,
} from "../caller-options.ts";
import { defineCommand, type Issue } from "../command.ts";
import { snakeCase } from "../snake-case.ts";
import { timeLeft } from "../text/time-left.ts";
import type { Paint } from "../text/paint.ts";

const { worktree } = CALLER_OPTIONS;

export const stateClaim = defineCommand({
  name: "state claim",
  about: "Get the next ready step, or the one you hold already",
  more: `Answers with the step and the number of the claim. Nothing to claim is an answer too (exit code 6): it says for
each open step, or for the one that --step names, what it waits for.`,
  operands: [PLAN],
  options: {
    worktree,
    ...LEASE_OPTION,
    step: { type: "text", value: "ANCHOR", about: "This step instead of the next one" },
    force: { type: "flag", about: "When nothing is free, take a step from whoever holds it (for people)" },
    ...REQUEST_OPTION,
  },
  examples: [
    "pawl state claim plan.md --worktree .",
    "pawl state claim plan.md --worktree . --step step-3 --json",
  ],
  async run(context, values, [plan = ""]) {
    if (values.force) refuseInSession(context, "state claim --force");
    const { worktree: path, session } = whoCalls(context, { worktree: values.worktree });
    const answer = await (
      await context.pawl()
    ).claim({
      plan,
      worktree: path,
      session,
      step: values.step,
      force: values.force,
      leaseSeconds: leaseSeconds(values["lease-duration"]),
      requestId: values["request-id"],
    });
    const waits = !answer.claimed && !answer.allCompleted;
    return {
      data: snakeCase(answer),
      issues: [...(waits ? [nothingReady(answer, values.step)] : []), ...answer.missingCommits.map(notHere)],
      exitCode: waits ? 6 : 0,
      text: (paint) => describe(answer, values.step, paint),
    };
  },
});

function describe(answer: ClaimAnswer, named: string | undefined, paint: Paint): string {
  if (answer.claimed) {
    const how = answer.displaced ? "Took over" : answer.reclaimed ? "Claimed again" : "Claimed";
    const lines = [
      `${paint.green(how)} ${paint.bold(answer.anchor ?? "")}  ${paint.plain(answer.title ?? "")}`,
      `  claim ${answer.claim}, lease ${timeLeft(answer.leaseExpires)}; ${answer.remainingReady} more ready, ${answer.totalRemaining} to go`,
    ];
    if (answer.displaced?.worktree)
      lines.push(`  taken from ${paint.plain(answer.displaced.worktree)} (claim ${answer.displaced.claim})`);
    return lines.join("\n");
  }
  if (answer.allCompleted) return paint.green("All steps are completed.");
  return [
    named === undefined ? "Nothing is ready to claim:" : "Not to be claimed now:",
    ...answer.waiting.map((step) => `  ${paint.bold(step.anchor)}  ${reason(step, paint)}`),
  ].join("\n");
}

function reason(step: Waiting, paint: Paint): string {
  if (step.reason === "dependencies") return `waits for ${paint.plain(step.blockedBy.join(", "))}`;
  if (step.reason === "held")
    return `held by ${paint.plain(step.heldBy ?? "somebody")}, lease ${timeLeft(step.until)}`;
  const note = step.note === null ? "" : `: ${step.note}`;
  return paint.plain(`${step.reason.replace("_", " ")}${note}`);
}

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

const nothingReady = ({ planPath, totalRemaining, waiting }: ClaimAnswer, named?: string): Issue => ({
  code: ERRORS["claim/nothing-ready"].code,
  name: "claim/nothing-ready",
  severity: "info",
  message:
    named === undefined
      ? `Nothing in ${planPath} is ready to claim; ${plural(totalRemaining, "step is", "steps are")} open.`
      : `${waiting[0]?.anchor ?? named} of ${planPath} is not to be claimed now; other steps may be.`,
  hint: `Wait for a step to finish; \`pawl state ready ${shellWord(planPath)}\` shows what each step waits for.`,
});
