import { shellWord } from "../../domain/index.ts";
import type { ProposalKind } from "../../commits/index.ts";
import { PLAN, REQUEST_OPTION } from "../caller-options.ts";
import { defineCommand } from "../command.ts";
import { snakeCase } from "../../journal/index.ts";

/** What a person can do about what git does not settle, where there is something. */
const WAYS_OUT: ReadonlyMap<ProposalKind, (plan: string) => string> = new Map([
  ["unsigned", (plan: string) => `believe unsigned ones: pawl state reconcile ${plan} --trust-unsigned`],
  ["other-content", (plan: string) => `if only the wording changed: pawl state reconcile ${plan} --force`],
  [
    "unknown-content",
    (plan: string) => `if these commits belong to this plan: pawl state reconcile ${plan} --force`,
  ],
  [
    "waits",
    (plan: string) =>
      `if its prerequisites are done, claim and start each, then: pawl state complete ${plan} <step> --worktree . --force REASON`,
  ],
  ["reverted", (plan: string) => `to redo a reverted step: pawl state reopen ${plan} <step> --reason TEXT`],
]);

export const stateReconcileCommand = defineCommand({
  name: "state reconcile",
  more: `Reads the trailers Pawl-Plan and Pawl-Step (also Tug-Plan and Tug-Step) of the commits on the plan's branches.
A trailer counts when this clone signed it, as \`pawl commit\` does, for what the step says now; any other is only
proposed: one that is not signed unless --trust-unsigned, one that was made for other words unless --force.
A plan without state gets it, so this is also the way back after a lost database.
Where the database has another commit for a completed step, the database wins; with --force, git does.`,
  operands: [PLAN],
  options: {
    force: { type: "flag", about: "Git wins over what the database has and what steps say (for people)" },
    "trust-unsigned": {
      type: "flag",
      about: "Also believe trailers that this clone did not sign (for people)",
    },
    "dry-run": { type: "flag", about: "Say what would be completed, and change nothing" },
    ...REQUEST_OPTION,
  },
  examples: ["pawl state reconcile plan.md --dry-run", "pawl state reconcile plan.md"],
  async run(context, values, [plan = ""]) {
    const { force = false, "dry-run": dryRun = false, "request-id": requestId } = values;
    const { "trust-unsigned": trustUnsigned = false } = values;
    const pawl = await context.pawl();
    const answer = await pawl.reconcile({ plan, force, dryRun, trustUnsigned, requestId });
    const isForPeople = answer.proposals.length > 0 && (await pawl.callingAgent()) === undefined;
    const mismatches = answer.skippedMismatches.map((one) => ({
      code: "W001",
      name: "commit/mismatch",
      severity: "warning" as const,
      message: `${one.stepAnchor} is completed with ${one.dbHash}, but git says ${one.gitHash}; left as it is.`,
      hint: "Look at both commits with `git show`.",
    }));
    return {
      data: snakeCase(answer),
      issues: mismatches,
      text: (paint) => {
        const verb = dryRun ? "Would complete" : "Completed";
        const lines = answer.reconciled.map(
          (one) => `${paint.green(verb)} ${paint.bold(one.stepAnchor)} from ${one.gitHash.slice(0, 12)}`,
        );
        for (const one of answer.followed)
          lines.push(
            `${paint.green("Followed")} ${paint.bold(one.stepAnchor)} from ${one.dbHash.slice(0, 12)} to ${one.gitHash.slice(0, 12)}`,
          );
        for (const one of answer.proposals)
          lines.push(
            `${paint.yellow("Not settled:")} ${paint.bold(one.stepAnchor)} in ${one.gitHash.slice(0, 12)}: ${paint.plain(one.reason)}`,
          );
        const kinds = new Set(answer.proposals.map(({ kind }) => kind));
        for (const [kind, wayOut] of WAYS_OUT)
          if (kinds.has(kind) && isForPeople)
            lines.push(`  ${paint.plain(wayOut(shellWord(answer.planPath)))}`);
        return lines.length === 0
          ? "Nothing to reconcile: every completed step in git is already recorded."
          : lines.join("\n");
      },
    };
  },
});
