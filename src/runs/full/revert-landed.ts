import { Failure, toInstant } from "../../domain/index.ts";
import { followShared, landRevert, planTip, ROUNDS } from "../../commits/index.ts";
import { journal } from "../../journal/index.ts";
import type { Interruption, Ports } from "../../platform/ports/index.ts";
import type { RunEvent, WorkerEvent } from "../work/run-event.ts";
import { anyWorktree } from "../verify/base-verifier.ts";
import { knownTreeVerdict, verifyTree, withVerifier } from "../verify/verify-tree.ts";
import type { Worker } from "../work/worker.ts";

export interface RevertRequest {
  readonly plan: string;
  readonly branch: string;
  /** What is taken back, and what it was made on. */
  readonly commit: string;
  readonly parent: string;
  /** Why, in one sentence. */
  readonly found: string;
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
  readonly interruption?: Interruption | undefined;
}

/** How far back a revert is looked for that a killed call made. */
const MOST_LOOKED = 1000;

/**
 * Takes back what a commit of the plan's branch changed, with a commit on top of it.
 *
 * It is made in memory, verified like any landing and by the full check, and the branch moves by compare-and-swap. A
 * call that was killed after that finds its commit there.
 */
export async function revertLanded(ports: Ports, request: RevertRequest): Promise<string> {
  const { plan, branch, commit, interruption, onEvent } = request;
  const branches = await ports.branches();
  const report = (event: WorkerEvent) =>
    onEvent?.({ worker: 1, at: toInstant(ports.clock.wallMs()), ...event });
  const place = { plan, operand: undefined, worktree: await anyWorktree(ports), interruption, report };
  return withVerifier(ports, place, async (worker) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await followShared(ports, { plan, branch }, { isFetched: false });
      const tip = await planTip(ports, { plan, branch });
      const landed = await branches.firstParents({ from: commit, tip, most: MOST_LOOKED });
      const made = landed.find(({ reverts }) => reverts.includes(commit));
      if (made) return made.commit;
      const tree = await treeWithout(ports, request, tip);
      await verifyRevert(worker, request, { tip, tree });
      const to = await branches.commitTree({ tree, parent: tip, message: await messageOf(ports, request) });
      await intend(ports, request, { from: tip, to });
      if (await landRevert(ports, { branch, from: tip, to })) return to;
    }
    throw new Failure("worktree/busy", `${branch} kept moving while ${short(commit)} was being reverted.`, {
      branch,
    });
  });
}

const short = (commit: string): string => commit.slice(0, 12);

/** What the branch would be without the change. */
async function treeWithout(
  ports: Ports,
  { branch, commit, parent }: RevertRequest,
  tip: string,
): Promise<string> {
  const branches = await ports.branches();
  const undo = await branches.commitTree({
    tree: await branches.treeOf(parent),
    parent: commit,
    message: `Take back ${commit}`,
  });
  const merged = await branches.mergedTree(tip, undo);
  if (merged.kind === "clean") return merged.tree;
  if (merged.kind === "nothing") return branches.treeOf(tip);
  const files = merged.files.slice(0, 10).join(", ");
  throw new Failure(
    "full/revert-conflicts",
    `${short(commit)} cannot be reverted: what landed on ${branch} since changed the same lines of ${files}.`,
    { branch, commit, files: merged.files },
  );
}

/** A revert lands only where the step's check and the full check pass on it. */
async function verifyRevert(
  worker: Worker,
  { plan, branch, commit }: RevertRequest,
  { tip: head, tree }: { readonly tip: string; readonly tree: string },
): Promise<void> {
  const { command, full, timeoutMs, fullTimeoutMs } = worker.settings.verify;
  const checks = [
    ...(command ? [{ argv: command, timeoutMs }] : []),
    ...(full ? [{ argv: full, timeoutMs: fullTimeoutMs }] : []),
  ];
  for (const { argv, timeoutMs: limit } of checks) {
    const known = await knownTreeVerdict(worker.ports, { tree, argv });
    if (known?.outcome === "passed") continue;
    const seen = await verifyTree(worker, { tree, head, argv, kind: "revert", plan, timeoutMs: limit });
    const check = argv.join(" ");
    if (seen.kind === "cut")
      throw new Failure("full/cut-off", `${check} was stopped before it had verified the revert.`, { check });
    if (seen.verdict.outcome === "passed") continue;
    throw new Failure(
      "full/revert-rejected",
      `${check} fails without ${short(commit)}, too. ${branch} stays at ${short(head)}.`,
      { branch, commit, check, output: (seen.verdict.evidence[0]?.output ?? "").split("\n").slice(-20) },
    );
  }
}

async function messageOf(ports: Ports, { commit, found }: RevertRequest): Promise<string> {
  const branches = await ports.branches();
  const [one] = await branches.firstParents({ from: undefined, tip: commit, most: 1 });
  return `Revert "${one?.subject ?? short(commit)}"\n\nThis reverts commit ${commit}.\n\n${found}`;
}

/** Written down before the branch moves. */
async function intend(
  ports: Ports,
  { plan, branch, commit }: RevertRequest,
  move: { readonly from: string; readonly to: string },
): Promise<void> {
  const database = await ports.database();
  await database.write((sql) =>
    journal(sql, { event: "revert-begun", plan, detail: { branch, commit, ...move } }),
  );
}
