import { Failure, isWorktreeName } from "../../domain/index.ts";
import type { Interruption, Ports } from "../../platform/ports/index.ts";
import { type EnsureRequest, ensureWorktree } from "./ensure-worktree.ts";
import { type NewWorktree, prepareWorktree, removeHalfMade } from "./prepare-worktree.ts";
import { type OpenedPlan, openPlan } from "../../plans/index.ts";
import { saveForWorktree } from "./save-for-worktree.ts";

export interface CreateRequest extends EnsureRequest {
  readonly plan: string;
  /** The same plan, where the caller has read it. */
  readonly opened?: OpenedPlan | undefined;
  /** Cuts its set-up short: the worktree stays without its mark, and the next call sets it up. */
  readonly interruption?: Interruption | undefined;
}

export interface CreateAnswer {
  readonly worktreePath: string;
  readonly branchName: string;
  readonly baseBranch: string;
  readonly planPath: string;
  readonly totalSteps: number;
  readonly reused: boolean;
  readonly stateInitialized: boolean;
  readonly warnings: readonly string[];
}

/**
 * Gives a plan a worktree of its own, and finds it again however often it is called.
 *
 * A call that died half way leaves a worktree without its mark; the next call finishes what is missing, or makes it
 * anew where git itself died in it. Otherwise only a worktree that this very call made is ever taken away again, when
 * its set-up fails.
 */
export async function createWorktree(ports: Ports, request: CreateRequest): Promise<CreateAnswer> {
  return (await addWorktree(ports, request, prepareWorktree)).answer;
}

/** The same up to a set-up command, which may take minutes: for callers that hold a lock, and furnish it afterwards. */
export async function addUnprepared(
  ports: Ports,
  request: CreateRequest,
): Promise<{ readonly answer: CreateAnswer; readonly made: NewWorktree }> {
  if (ports.settings.worktree_setup === undefined) return addWorktree(ports, request, prepareWorktree);
  const worktrees = await ports.worktrees();
  return addWorktree(ports, request, async (_, { worktree }) => worktrees.state(worktree) !== "gone");
}

async function addWorktree(
  ports: Ports,
  request: CreateRequest,
  furnish: typeof prepareWorktree,
): Promise<{ readonly answer: CreateAnswer; readonly made: NewWorktree }> {
  if (request.name !== undefined && !isWorktreeName(request.name)) {
    throw new Failure(
      "usage/wrong",
      `${request.name} cannot be the name of a worktree.`,
      { name: request.name },
      { hint: "Use letters, digits, dots, dashes and underscores." },
    );
  }
  const plan = request.opened ?? (await openPlan(ports, request.plan));
  await makeDatabase(ports);
  const locks = await ports.locks();
  const remade: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const found = await locks.during("worktrees", () => ensureWorktree(ports, plan, request));
    const warnings = [...remade, ...found.warnings];
    const isDone = await locks.during(found.branch, async () => {
      remade.push(...(await removeHalfMade(ports, found)));
      return furnish(ports, found, { warnings, interruption: request.interruption });
    });
    // Another process removed it before it was our turn, or we did because half of it was missing.
    if (!isDone) continue;
    const stateInitialized = await saveForWorktree(ports, plan, found, warnings);
    const answer = {
      worktreePath: found.worktree.path,
      branchName: found.branch,
      baseBranch: found.base,
      planPath: plan.key,
      totalSteps: await plan.totalSteps(),
      reused: !found.isNew,
      stateInitialized,
      warnings,
    };
    return { answer, made: found };
  }
  throw new Failure("worktree/busy", "Another process removed the worktree each time Pawl made it.", {
    plan_path: plan.key,
  });
}

/**
 * Before the first mark of a branch: marks without a database mean that one was lost, so a call that dies in between
 * must not leave them. What else keeps it from being made is reported when the plan is saved.
 */
async function makeDatabase(ports: Ports): Promise<void> {
  try {
    await ports.database({ create: true });
  } catch (error) {
    if (!(error instanceof Failure) || error.problem === "store/missing") throw error;
  }
}

/** How often a worktree may be gone again before it was our turn. */
const ROUNDS = 5;
