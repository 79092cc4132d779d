import { Failure, orNothing, plural } from "../../domain/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import {
  findPlan,
  listSteps,
  loadCommittedPlan,
  loadGrowPlan,
  loadSave,
  type Spec,
} from "../../plans/index.ts";
import type { MergeAnswer } from "../../worktrees/index.ts";
import { NOTHING_MORE, type RunAnswer, type RunCallbacks } from "../finish/run-answer.ts";
import { mergeVerified } from "../merge-verified.ts";
import { EXISTING_CHOICES, type ExistingChoice } from "./existing-choices.ts";
import { type FoundBuild, findBuild } from "./find-build.ts";
import { type BuildReview, reviewBuild } from "./review-build.ts";
import { startFresh } from "./start-fresh.ts";

/** What the person who is asked gets to see. */
export interface BuildQuestion {
  readonly found: string;
  readonly build: FoundBuild;
  readonly review: () => Promise<BuildReview>;
}

export interface BuildRequest extends Pick<RunCallbacks, "interruption"> {
  /** What to do with an existing build; asked when left out. */
  readonly existing?: ExistingChoice | undefined;
  /** Undefined as an answer, or no one to ask: a person must decide, and nothing is done. */
  readonly ask?: ((question: BuildQuestion) => Promise<ExistingChoice | undefined>) | undefined;
}

/** How a run continues after what was found. */
export type BuildDecision =
  | { readonly kind: "go-on"; readonly build: FoundBuild | undefined; readonly notes: readonly string[] }
  | { readonly kind: "over"; readonly answer: RunAnswer };

/** Looks for a build of the spec, and does what was chosen about it. Never a silent default. */
export async function decideBuild(ports: Ports, spec: Spec, request: BuildRequest): Promise<BuildDecision> {
  const build = await findBuild(ports, spec);
  if (!build) return { kind: "go-on", build: undefined, notes: [] };
  // Nothing is at stake: nothing was done there yet, or all of it is in the base.
  if (build.commits === 0 && build.uncommittedFiles.length === 0) return { kind: "go-on", build, notes: [] };
  const found = await foundText(ports, spec, build);
  const review = () => reviewBuild(ports, spec.key, build);
  const choice = request.existing ?? (await request.ask?.({ found, build, review }));
  if (choice === undefined)
    throw new Failure("run/build-exists", `There is a build of ${spec.key} already: ${found}.`, {
      plan_path: spec.key,
      made_by: build.madeBy,
      branch_name: build.branch,
      base_branch: build.base,
      worktree_path: build.worktree,
      commits: build.commits,
      uncommitted_files: build.uncommittedFiles.slice(0, 50),
      last_activity_at: build.lastActivityAt,
      choices: EXISTING_CHOICES,
    });
  return ACTS[choice]({ ports, spec, build, found, review, interruption: request.interruption });
}

interface Chosen extends BuildQuestion {
  readonly ports: Ports;
  readonly spec: Spec;
  readonly interruption: RunCallbacks["interruption"];
}

const ACTS: Readonly<Record<ExistingChoice, (chosen: Chosen) => Promise<BuildDecision>>> = {
  continue: async ({ build, found }) => ({ kind: "go-on", build, notes: [`continues ${found}`] }),
  review: async ({ spec, build, review }) => ({
    kind: "over",
    answer: answerFor(spec, build, { ended: "reviewed", review: await review() }),
  }),
  async merge({ ports, spec, build, interruption }) {
    const target = { target: build.branch, into: build.base };
    const merge = await mergeVerified(ports, { ...target, interruption });
    return { kind: "over", answer: answerFor(spec, build, { ended: "merged", merge }) };
  },
  fresh: async ({ ports, spec, build }) => ({
    kind: "go-on",
    build: undefined,
    notes: await startFresh(ports, spec.key, build),
  }),
};

/** `2 of 5 steps done on auto-claude/x in /path, 3 commits, 1 uncommitted file, last touched …`. */
async function foundText(ports: Ports, { key }: Spec, build: FoundBuild): Promise<string> {
  const { done, total } = await countSteps(ports, key);
  return [
    `${done} of ${plural(total, "step")} done on ${build.branch}${build.worktree === null ? "" : ` in ${build.worktree}`}`,
    `${plural(build.commits, "commit")} that ${build.base} does not have`,
    plural(build.uncommittedFiles.length, "uncommitted file"),
    ...(build.lastActivityAt === null ? [] : [`last touched ${build.lastActivityAt}`]),
  ].join(", ");
}

/** Of the plan as the next claim takes it over: it may have grown since it was read. */
async function countSteps(
  ports: Ports,
  key: string,
): Promise<{ readonly done: number; readonly total: number }> {
  const [{ committedPlan }, { readPlanContent }, { stepsIn }] = await Promise.all([
    loadCommittedPlan(),
    loadSave(),
    loadGrowPlan(),
  ]);
  const content = await committedPlan(ports, ports.plans.find(key)).catch(orNothing);
  const database = await ports.database();
  return database.read(async (sql) => {
    const rows = (await sql.all(listSteps, { plan_path: key })).filter(
      ({ parent_anchor }) => parent_anchor === null,
    );
    const done = rows.filter(({ status }) => status === "completed");
    const saved = await sql.get(findPlan, { plan_path: key });
    const read =
      content && saved && (await readPlanContent(ports, key, content, saved.format).catch(orNothing));
    if (!saved || !read) return { done: done.length, total: rows.length };
    const now = await stepsIn(sql, ports, saved, read.plan);
    return { done: done.filter(({ anchor }) => now.has(anchor)).length, total: read.plan.steps.length };
  });
}

const answerFor = (
  { key }: Spec,
  { branch }: FoundBuild,
  over: {
    readonly ended: "reviewed" | "merged";
    readonly review?: BuildReview;
    readonly merge?: MergeAnswer;
  },
): RunAnswer => ({
  planPath: key,
  runId: "",
  sessions: [],
  branch,
  completed: [],
  blocked: [],
  durationMs: 0,
  ...NOTHING_MORE,
  warnings: over.merge?.warnings ?? [],
  ...over,
});
