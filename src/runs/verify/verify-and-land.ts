import { Failure, toInstant } from "../../domain/index.ts";
import type { VerdictRow } from "../../platform/index.ts";
import type { Heartbeat } from "../../platform/ports/index.ts";
import { type ClaimedStep, lastFreshClaim } from "../../steps/index.ts";
import {
  type Evidence,
  listVerdicts,
  ownEvidence,
  seenBeside,
  type Verdict,
  whereRun,
} from "../../verification/index.ts";
import { type Attempt, beginAttempt, endAttempt, takeBack } from "./attempt.ts";
import type { BlockReason } from "../finish/block-step.ts";
import { COMMIT_CHECK } from "./failing-checks.ts";
import { landStep } from "../land/land-step.ts";
import { keepVerified } from "../land/kept-work.ts";
import { blockAfterKills } from "../finish/block-after-kills.ts";
import { blockStep } from "../finish/block-step.ts";
import { escalate, failedIn, reject } from "./reject.ts";
import { type StepResult, lost } from "../finish/step-end.ts";
import { verifyStep } from "./verify-step.ts";
import type { Worker } from "../work/worker.ts";

/** Verdicts on a step since it was last begun: one that was put back or reopened is judged anew. */
async function verdictsOn({ ports }: Worker, { plan, anchor }: ClaimedStep): Promise<readonly VerdictRow[]> {
  const step = { plan_path: plan, anchor };
  const database = await ports.database();
  return database.read(async (sql) => {
    const fresh = (await sql.get(lastFreshClaim, step))?.claim ?? 0;
    return (await sql.all(listVerdicts, step)).filter(({ claim }) => (claim ?? 0) >= fresh);
  });
}

/** Whoever was killed between the verdict and the commit has its work judged already, as long as it is the same. */
async function passedBefore(worker: Worker, held: ClaimedStep, tree: string): Promise<Verdict | undefined> {
  const last = (await verdictsOn(worker, held)).at(-1);
  if (last?.outcome !== "passed" || last.tree !== tree) return undefined;
  const evidence = JSON.parse(last.evidence) as readonly Evidence[];
  return { outcome: "passed", because: last.because, evidence, tree };
}

/** How often a tree is verified that is another one afterwards. */
const MOST_ROUNDS = 3;
const NEVER_STILL =
  "its files change each time they are verified, so that nothing is ever verified as it is: let the check write elsewhere, or have git ignore what it writes";

/** Verifies and, when it passes, commits and completes. `go` means that the work goes back, and says why. */
export async function verifyAndLand(
  worker: Worker,
  held: ClaimedStep,
  heart: Heartbeat,
  { extended, tree: left }: { readonly extended: boolean; readonly tree: string | undefined },
): Promise<StepResult<string>> {
  const commits = await worker.ports.commits();
  let counts = true;
  for (let round = 1; ; round += 1) {
    const isFirst = round === 1;
    // What the last command left is known; after a verdict that came to nothing it must be looked at.
    const tree = (isFirst ? left : undefined) ?? (await commits.tree(worker.session.worktree));
    const passed = isFirst ? await passedBefore(worker, held, tree) : undefined;
    if (passed) {
      const finish = await landStep(worker, held, passed);
      if (finish.kind === "completed") return finish;
    }
    const cutOff = held.claim > 1 || !isFirst ? await blockAfterKills(worker, held, heart) : undefined;
    if (cutOff) return cutOff;
    const attempt = await beginAttempt(worker, held, { tree, counts });
    if (attempt === undefined) return escalate(worker, held);
    worker.report({ event: "verifying", step: held.anchor, attempt: attempt.counted });
    const seen = await verifyStep(worker, held, heart, { tree, extended });
    if (heart.isLost()) return lost(await heart.lost);
    if (seen.kind !== "verdict") await takeBack(worker, held);
    if (seen.kind === "cut") return { kind: "interrupted" };
    // Its checkpoint says that it was cut off, and those are counted by themselves.
    if (seen.kind === "killed") continue;
    if (seen.kind === "paused") return seen;
    const { verdict } = seen;
    if (verdict.outcome === "failed") return reject(worker, held, attempt, verdict);
    await endAttempt(worker, held, attempt, verdict);
    counts = false;
    reportVerdict(worker, held, attempt, verdict);
    if (verdict.outcome === "timed_out")
      return blockStep(worker, held, heart, blockedBy(verdict, "verification_timeout", verdict.because));
    const finish = await landStep(worker, held, verdict);
    switch (finish.kind) {
      case "completed":
        return finish;
      case "conflict": {
        const note = `${finish.said} Its commit ${finish.commit.slice(0, 12)} is kept.`;
        await keepCommit(worker, held, finish.commit);
        return blockStep(worker, held, heart, { reason: "merge_conflict", note });
      }
      case "refused":
        // Ctrl-C in a terminal reaches git and its hooks as well, and that is no judgement.
        if (worker.interruption.signal() !== undefined) {
          await takeBack(worker, held);
          return { kind: "interrupted" };
        }
        return backFromCommit(worker, held, heart, finish.said);
      case "unsigned":
        return keepAndBlock(worker, held, heart, { tree: verdict.tree, said: finish.said });
      case "changed":
        if (round === MOST_ROUNDS)
          return blockStep(worker, held, heart, blockedBy(verdict, "verification_escalated", NEVER_STILL));
        await takeBack(worker, held);
    }
  }
}

function reportVerdict(
  worker: Worker,
  { anchor: step }: ClaimedStep,
  attempt: Attempt,
  { outcome, because, evidence }: Verdict,
): void {
  const where = whereRun(evidence);
  worker.report({ event: "verdict", step, attempt: attempt.counted, outcome, because, where });
  const beside = seenBeside(evidence);
  if (outcome === "passed" && beside.length > 0)
    worker.warn(step, `not_in_commit: the checks could see what no commit holds: ${beside.join("; ")}`);
}

/** Where everything passed, the last check is the one that would have to leave the files alone. */
const blockedBy = ({ evidence }: Verdict, reason: BlockReason, note: string) => ({
  reason,
  note,
  check: failedIn(evidence) ?? evidence.at(-1)?.checked,
});

/** The branch it is on is made anew for the next step, so the commit gets a name of its own. */
async function keepCommit({ ports }: Worker, { anchor }: ClaimedStep, commit: string): Promise<void> {
  if (commit !== "") await (await ports.branches()).rescue(anchor, commit);
}

/** Verified work waits for a person with a name of its own; retried, it is committed without an agent. */
async function keepAndBlock(
  worker: Worker,
  held: ClaimedStep,
  heart: Heartbeat,
  { tree, said }: { readonly tree: string; readonly said: string },
): Promise<StepResult<string>> {
  const kept = await keepVerified(worker, held, tree);
  const note = `the work passed, and git refused the commit (${firstLine(said)}). It is kept as ${kept.ref}; once the commit can be made, \`pawl state retry\` has it committed without an agent.`;
  return blockStep(worker, held, heart, { reason: "commit_refused", note, kept, check: COMMIT_CHECK });
}

const firstLine = (said: string): string => said.split("\n").find((line) => line.trim() !== "") ?? "";

/** Whether a hook has refused these very files before: an agent that left them so would only do it again. */
const wasRefused = async (worker: Worker, held: ClaimedStep, tree: string): Promise<boolean> =>
  (await verdictsOn(worker, held)).some(
    ({ tree: refused, evidence }) => refused === tree && evidence.includes(`"checked":"${COMMIT_CHECK}"`),
  );

/** A hook that refuses is evidence like a failed check, and the agent gets it. */
async function backFromCommit(
  worker: Worker,
  held: ClaimedStep,
  heart: Heartbeat,
  said: string,
): Promise<StepResult<string>> {
  const tree = await (await worker.ports.commits()).tree(worker.session.worktree);
  if (await wasRefused(worker, held, tree)) return keepAndBlock(worker, held, heart, { tree, said });
  await takeBack(worker, held);
  const attempt = await beginAttempt(worker, held, { tree, counts: false });
  if (attempt === undefined)
    throw new Failure("internal/bug", "A step that just passed has no attempt left.", {});
  const at = toInstant(worker.ports.clock.wallMs());
  const evidence = ownEvidence({ checked: COMMIT_CHECK, outcome: "failed", output: said, tree, at });
  const because = `the commit was refused: ${firstLine(said)}`;
  return reject(worker, held, attempt, { because, evidence: [evidence], tree });
}
