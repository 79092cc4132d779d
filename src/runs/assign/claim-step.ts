import {
  claim,
  type ClaimAnswer,
  type ClaimRequest,
  type MissingCommit,
  ready as readySteps,
} from "../../claims/index.ts";
import { type ClaimedStep, release } from "../../steps/index.ts";
import { sleepUnlessInterrupted } from "./wait-for-agent.ts";
import type { LoopEnd } from "../finish/run-answer.ts";
import { workerCaller, type Worker } from "../work/worker.ts";

/** What an answer hands out. */
export const heldBy = ({ planPath, anchor, title, claim: number }: ClaimAnswer): ClaimedStep => ({
  plan: planPath,
  anchor: anchor!,
  title: title!,
  claim: number!,
});

/** A step that builds on commits of other machines which are not here. */
interface Absent {
  readonly anchor: string;
  readonly title: string;
  readonly commits: readonly MissingCommit[];
}

/**
 * Claims a step whose foundations are here. One that builds on what another machine has not shared yet is left for
 * later: done without it, it would be other work than the plan means.
 */
export async function claimBuildable(
  worker: Worker,
  kept: string | undefined,
): Promise<{ readonly answer: ClaimAnswer; readonly absent?: Absent }> {
  const first = await claimOne(worker);
  const isBuildable = ({ anchor, missingCommits }: ClaimAnswer) =>
    anchor === null || anchor === kept || missingCommits.length === 0;
  if (isBuildable(first)) return { answer: first };
  await letGo(worker, first);
  const { ready: others } = await readySteps(worker.ports, { plan: worker.operand ?? worker.plan! });
  for (const { anchor } of worker.only === undefined ? others : []) {
    if (anchor === first.anchor) continue;
    const answer = await claimOne(worker, anchor);
    if (answer.anchor !== null && isBuildable(answer)) return { answer };
    if (answer.anchor !== null) await letGo(worker, answer);
  }
  const absent = { anchor: first.anchor!, title: first.title!, commits: first.missingCommits };
  return { answer: first, absent };
}

const letGo = (worker: Worker, answer: ClaimAnswer) =>
  release(worker.ports, {
    plan: worker.operand ?? worker.plan!,
    step: answer.anchor!,
    caller: workerCaller(worker, heldBy(answer)),
  });

/** How often a remote is asked for commits that are not here: soon at first, because others push before they complete. */
const FIRST_FETCH_MS = 300;
const FETCH_MS = 10_000;

/** With a remote to ask they may come at any time; without one only a person can bring them. */
export async function waitForCommits(
  worker: Worker,
  { anchor, title, commits }: Absent,
  told: string,
): Promise<LoopEnd | undefined> {
  const names = commits.map(({ anchor: step, commit }) => `${step} (${commit.slice(0, 12)})`);
  if (told !== anchor) {
    const fetch = commits.find((one) => one.fetch !== null)?.fetch;
    const how = fetch ? `; they come with: ${fetch}` : ", and they have not been pushed yet";
    worker.report({
      event: "note",
      text: `${anchor} builds on commits that are not here: ${names.join(", ")}${how}`,
    });
  }
  if (worker.ports.settings.remote === undefined) {
    const blockedBy = commits.map((one) => one.anchor);
    const note = "commits of other machines are not here";
    return {
      kind: "stuck",
      waiting: [
        {
          anchor,
          title,
          reason: "dependencies",
          blockedBy,
          heldBy: null,
          otherHost: null,
          session: null,
          stopped: null,
          until: null,
          note,
        },
      ],
    };
  }
  if (told !== anchor) worker.report({ event: "waiting", for: names });
  await sleepUnlessInterrupted(worker, told === anchor ? FETCH_MS : FIRST_FETCH_MS);
  return undefined;
}

export async function claimOne(
  worker: Worker,
  step = worker.only,
  before?: ClaimRequest["before"],
): Promise<ClaimAnswer> {
  const { ports, session, config } = worker;
  const answer = await claim(ports, {
    plan: worker.operand ?? worker.plan!,
    caller: { worktree: session.worktree, session: session.id },
    leaseSeconds: config.leaseSeconds,
    step,
    start: true,
    // A worktree of a run is brought to where the plan is, not to single commits.
    asItIs: worker.integration !== undefined,
    before,
  });
  tellOnce(worker, answer.notes);
  return answer;
}

/** What the workers of a run have said about their plan. */
const said = new WeakMap<Worker["pauses"], Set<string>>();

/** An uncommitted change is found by every claim of every worker; people read of it once. */
function tellOnce({ pauses, report }: Worker, notes: readonly string[]): void {
  const before = said.get(pauses) ?? new Set();
  said.set(pauses, before);
  for (const text of notes) {
    if (!before.has(text)) report({ event: "note", text });
    before.add(text);
  }
}
