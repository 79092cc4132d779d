import { Failure } from "../../domain/errors.ts";
import type { MadeCommit } from "../../ports/commits.ts";
import { commit } from "../commit.ts";
import { complete } from "../complete.ts";
import { earlierCommit, isWhole } from "./earlier-commit.ts";
import type { Verdict } from "./evidence.ts";
import { integrate } from "./integrate.ts";
import { callerOf, type Held, type Worker } from "./worker.ts";

/** How the way from a passed verdict to a completed step ended. */
export type Finish =
  | { readonly kind: "completed"; readonly commit: string }
  /** The commit's tree is not the one that was verified: a hook or somebody else changed files. */
  | { readonly kind: "changed" }
  /** A hook or git refused. */
  | { readonly kind: "refused"; readonly said: string }
  /** Git could not sign: the agent has no part in that. */
  | { readonly kind: "unsigned"; readonly said: string }
  | {
      readonly kind: "conflict";
      readonly files: readonly string[];
      readonly commit: string;
      readonly said: string;
    };

/** Commits exactly what was verified, brings it to the plan's branch, and completes the step with it. */
export async function finishStep(worker: Worker, held: Held, verdict: Verdict): Promise<Finish> {
  const { ports, session } = worker;
  const tree = await (await ports.commits()).tree(session.worktree);
  if (tree !== verdict.tree) return { kind: "changed" };
  const earlier = await earlierCommit(worker, held);
  try {
    const landed =
      earlier !== undefined && (await isWhole(worker, held, earlier))
        ? await completeWith(worker, held, earlier)
        : await commitNow(worker, held, verdict);
    worker.tell({ event: "completed", step: held.anchor, commit: landed });
    return { kind: "completed", commit: landed };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.problem === "run/tree-changed") return { kind: "changed" };
    if (NOT_COMMITTED.has(error.problem) && (await wasOvertaken(worker, held, earlier)))
      return finishStep(worker, held, verdict);
    if (error.problem === "commit/not-signed") return { kind: "unsigned", said: saidBy(error) };
    if (error.problem === "commit/refused" || error.problem === "merge/refused")
      return { kind: "refused", said: saidBy(error) };
    if (error.problem !== "merge/conflicts") throw error;
    const { files = [], commit: made = "" } = error.details as { files?: readonly string[]; commit?: string };
    return { kind: "conflict", files, commit: made, said: error.message };
  }
}

/** As it looks, too, when the git of a runner that was killed commits first. */
const NOT_COMMITTED: ReadonlySet<string> = new Set(["commit/nothing", "commit/refused", "commit/not-signed"]);

async function wasOvertaken(worker: Worker, held: Held, before: string | undefined): Promise<boolean> {
  const now = await earlierCommit(worker, held);
  return now !== undefined && now !== before;
}

const saidBy = ({ message, details }: Failure): string =>
  [message, ...((details["output"] as readonly string[] | undefined) ?? [])].join("\n");

async function commitNow(worker: Worker, held: Held, verdict: Verdict): Promise<string> {
  const { ports, operand, asked } = worker;
  let landed: string | undefined;
  let refusal: Failure | undefined;
  const answer = await commit(ports, {
    plan: operand ?? held.plan,
    step: held.anchor,
    caller: callerOf(worker, held),
    // A step may need no change; its commit says that it is done.
    allowEmpty: true,
    ...asked?.request,
    onRefused(error) {
      // The plan is another one by now: that is no judgement about the work.
      if (error.problem.startsWith("plan/")) refusal = error;
    },
    async land(made) {
      worker.tell({ event: "committed", step: held.anchor, commit: made.commit });
      try {
        landed = await bring(worker, held, made, verdict);
        return landed;
      } catch (error) {
        if (error instanceof Failure) refusal = error;
        throw error;
      }
    },
  });
  asked?.onAnswer(answer);
  for (const warning of answer.warnings) worker.warn(held.anchor, warning);
  if (refusal) throw refusal;
  if (answer.completed) return landed ?? answer.commitHash;
  throw new Failure("commit/refused", answer.stateFailureReason ?? "The step was not completed.", {});
}

/** A hook may have rewritten files: what was not verified is not brought anywhere. */
async function bring(worker: Worker, held: Held, made: MadeCommit, verdict: Verdict): Promise<string> {
  if (made.tree !== verdict.tree)
    throw new Failure("run/tree-changed", "The commit holds other files than were verified.", {
      verified: verdict.tree,
      committed: made.tree,
    });
  return toIntegration(worker, held, made.commit);
}

const toIntegration = async (
  { ports, integration, branch }: Worker,
  { plan }: Held,
  commit: string,
): Promise<string> =>
  integration === undefined || branch === undefined
    ? commit
    : integrate(ports, { plan, branch: integration, commit, from: branch });

async function completeWith(worker: Worker, held: Held, made: string): Promise<string> {
  const landed = await toIntegration(worker, held, made);
  await complete(worker.ports, {
    plan: worker.operand ?? held.plan,
    step: held.anchor,
    caller: callerOf(worker, held),
    commit: landed,
    commitIsKnown: true,
  });
  return landed;
}
