import type { LandedCommit } from "../../platform/ports/index.ts";
import { planTip } from "../../commits/index.ts";
import { checksKey, listVerdictsByCheck } from "../../verification/index.ts";
import type { Worker } from "../work/worker.ts";

/** What has landed of a plan, oldest first: each commit has another tree than the one before it. */
export interface LandedTrees {
  readonly branch: string;
  /** The commit before the plan, then those of the plan. */
  readonly commits: readonly Pick<
    LandedCommit,
    "commit" | "tree" | "parent" | "subject" | "plan" | "steps"
  >[];
  readonly tip: { readonly commit: string; readonly tree: string };
  /** How many commits there are behind the last one that a full check has said anything about. */
  readonly sinceVerdict: number;
  /** What full checks have said, by tree. */
  readonly verdicts: ReadonlyMap<string, "passed" | "failed" | "timed_out">;
}

/** More than one plan lands. */
const MOST_COMMITS = 20_000;

/** Looks at what has landed of the worker's plan; undefined where nothing has. */
export async function landedTrees(worker: Worker): Promise<LandedTrees | undefined> {
  const { ports, session, plan, integration, branch, settings } = worker;
  const branches = await ports.branches();
  const tip =
    integration === undefined || plan === undefined
      ? await (await ports.commits()).head(session.worktree)
      : await planTip(ports, { plan, branch: integration });
  if (tip === undefined) return undefined;
  const start = integration && (await branches.planBranch(integration))?.mark?.start;
  const all = await branches.firstParents({ from: start, tip, most: MOST_COMMITS });
  const landed = start === undefined ? sinceFirstStep(all, plan) : all;
  const [first] = landed;
  if (first?.parent === undefined) return undefined;
  const before = { commit: first.parent, tree: await branches.treeOf(first.parent), ...NO_STEP };
  const commits = [before, ...landed].filter(
    ({ tree }, index, list) => index === 0 || tree !== list[index - 1]!.tree,
  );
  const verdicts = await verdictsBy(worker, settings.verify.full ?? []);
  const last = landed.findLastIndex(({ tree }) => verdicts.has(tree));
  return {
    branch: integration ?? branch ?? "HEAD",
    commits,
    tip: { commit: tip, tree: commits.at(-1)!.tree },
    sinceVerdict: landed.length - 1 - last,
    verdicts,
  };
}

const NO_STEP = { parent: undefined, subject: "", plan: undefined, steps: [] };

/** On a person's own branch the plan begins with its first step. */
function sinceFirstStep(all: readonly LandedCommit[], plan: string | undefined): readonly LandedCommit[] {
  const first = all.findIndex((one) => one.steps.length > 0 && one.plan === plan);
  return first === -1 ? [] : all.slice(first);
}

async function verdictsBy({ ports }: Worker, argv: readonly string[]): Promise<LandedTrees["verdicts"]> {
  const database = await ports.database();
  const checks = checksKey([{ kind: "command", source: "configured", argv }])!;
  const rows = await database.read((sql) => sql.all(listVerdictsByCheck, { checks }));
  return new Map(rows.map(({ tree, outcome }) => [tree, outcome]));
}
