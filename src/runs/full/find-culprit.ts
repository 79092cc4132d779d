import { plural } from "../../domain/index.ts";
import { landedStepOf } from "../../commits/index.ts";
import { findStep } from "../../plans/index.ts";
import {
  bisect,
  type Evidence,
  type FullCulprit,
  type FullFailure,
  type Verdict,
} from "../../verification/index.ts";
import { knownTreeVerdict, verifyTree } from "../verify/verify-tree.ts";
import type { Worker } from "../work/worker.ts";
import type { LandedTrees } from "./landed-trees.ts";

/** What the full check says about a commit; what it said before is not asked again. Undefined when it was cut off. */
export async function fullVerdict(
  worker: Worker,
  { commit, tree }: { readonly commit: string; readonly tree: string },
): Promise<Verdict | undefined> {
  const { ports, settings, plan } = worker;
  const argv = settings.verify.full!;
  const known = await knownTreeVerdict(ports, { tree, argv });
  if (known) return known;
  const timeoutMs = settings.verify.fullTimeoutMs;
  const seen = await verifyTree(worker, { tree, head: commit, argv, kind: "full", plan, timeoutMs });
  return seen.kind === "verdict" ? seen.verdict : undefined;
}

const MOST_OUTPUT = 4000;

/** Finds what broke the full check, with as few more of them as possible. Undefined when it was cut off. */
export async function findCulprit(worker: Worker, landed: LandedTrees): Promise<FullFailure | undefined> {
  const { commits, verdicts, tip, branch } = landed;
  const seen = new Map([...verdicts].map(([tree, outcome]) => [tree, outcome === "passed"]));
  seen.set(tip.tree, false);
  let runs = 1;
  const check = worker.settings.verify.full!.join(" ");
  const at = await bisect({
    count: commits.length,
    known: (index) => seen.get(commits[index]!.tree),
    async passes(index) {
      const one = commits[index]!;
      worker.report({
        event: "note",
        text: `full check: ${check} fails; looking for the step that broke it, now on ${one.commit.slice(0, 12)} (${index} of ${plural(commits.length - 1, "landing")})`,
      });
      const verdict = await fullVerdict(worker, one);
      runs += 1;
      if (verdict) seen.set(one.tree, verdict.outcome === "passed");
      return verdict && verdict.outcome === "passed";
    },
  });
  if (at === undefined) return undefined;
  const first = commits[at]!;
  const culprit = await culpritOf(worker, commits, at);
  const verdict = await fullVerdict(worker, first);
  const output = outputOf(verdict?.evidence.at(-1));
  return {
    check,
    branch,
    tip: tip.commit,
    tree: tip.tree,
    culprit,
    found: foundWords(check, culprit, output),
    output,
    runs,
  };
}

const outputOf = (evidence: Evidence | undefined): string => (evidence?.output ?? "").slice(-MOST_OUTPUT);

async function culpritOf(
  { ports, plan }: Worker,
  commits: LandedTrees["commits"],
  at: number,
): Promise<FullCulprit> {
  const { commit, parent = "", steps, plan: ofPlan } = commits[at]!;
  if (at === 0) return { kind: "before", commit, parent: "" };
  const database = await ports.database();
  return database.read(async (sql) => {
    const landed = await sql.get(landedStepOf, { plan_path: plan!, commit_hash: commit });
    const anchor = landed?.anchor ?? (ofPlan === plan ? steps[0] : undefined);
    const step = anchor === undefined ? undefined : await sql.get(findStep, { plan_path: plan!, anchor });
    return step === undefined
      ? { kind: "commit", commit, parent }
      : { kind: "step", commit, parent, anchor: step.anchor, title: step.title };
  });
}

/** The sentence that every view has. */
function foundWords(check: string, { kind, anchor, title, commit }: FullCulprit, output: string): string {
  const last = output
    .split("\n")
    .findLast((line) => line.trim() !== "")
    ?.trim()
    .slice(0, MOST_LINE);
  const said = last === undefined ? "." : `: ${last}`;
  const name = commit.slice(0, 12);
  if (kind === "before") return `${check} fails already on the tree before the plan (commit ${name})${said}`;
  if (kind === "commit") return `${check} fails since commit ${name}, which is no step's${said}`;
  return `${check} fails since ${anchor} "${title}" (commit ${name})${said}`;
}

const MOST_LINE = 200;
