import { randomUUID } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Run } from "../cli.ts";
import { testRepository, type TestRepository } from "../repository.ts";
import { AGENT, type RunShop, runShop } from "../run-shop.ts";
import { until } from "../until.ts";
import { actsOf, behaviourOf } from "./behaviours.ts";
import { isDue, type KillPoint, killPoints, type Progress, progressOf } from "./kill-points.ts";
import { killMarked, MARK } from "./marked-processes.ts";
import { type SourceCommit, type SourceHistory, sourceHistory } from "./source-history.ts";

export interface ReplayRequest {
  readonly seed: number;
  readonly steps: number;
  readonly workers: number;
  readonly kills: number;
  /** For all of it. */
  readonly limitMs: number;
}

export interface Replay {
  readonly shop: RunShop;
  readonly mark: string;
  readonly anchors: readonly string[];
  /** The tree that the source history ends with, with the plan and the settings in it. */
  readonly tree: string;
  /** How the calls before the last one ended: all of them were killed. */
  readonly killed: readonly Run[];
  readonly last: Run;
}

/** Outside of a sandbox agents can do more harm, and move files into their worktrees whole. */
const SETTINGS = `[verify]
command = ["test", "-f", "shared/index-a.txt"]
[agents.command]
program = ${JSON.stringify(AGENT.slice(1))}
permissions = "full"
`;

const anchorOf = (number: number): string => `step-${number}`;

/** Has agents do a history again, by a plan of its commits, and kills all of it again and again. */
export async function replay({ seed, steps, workers, kills, limitMs }: ReplayRequest): Promise<Replay> {
  const history = sourceHistory(seed, steps);
  const mark = randomUUID();
  const specs = history.commits.map(({ number, dependsOn, ...commit }) => ({
    number: String(number),
    title: `Commit ${number}, by an agent that ${behaviourOf({ number, dependsOn, ...commit })}`,
    dependsOn: dependsOn.map(anchorOf),
    tasks: ["make the changes", "look at them again"],
  }));
  const shop = runShop(specs, SETTINGS, { [MARK]: mark });
  onTestFinished(() => killMarked(mark));
  putBase(shop.repo, history);
  const scripts = history.commits.map(
    (commit) => [anchorOf(commit.number), actsOf(commit, shop.path)] as const,
  );
  shop.script({ steps: Object.fromEntries(scripts) });
  const anchors = history.commits.map(({ number }) => anchorOf(number));
  const killed: Run[] = [];
  const deadline = performance.now() + limitMs;
  for (const point of killPoints(seed, steps, kills))
    killed.push(await runUntil(shop, mark, { point, workers, isFirst: killed.length === 0, deadline }));
  const last = await shop.start(...callOf(workers, killed.length === 0)).ended;
  console.log(`seed ${seed}: ${killed.length} kills, ${toldOf(shop, anchors)}`);
  return {
    shop,
    mark,
    anchors,
    tree: treeOf(shop.repo, history),
    killed,
    last,
  };
}

const callOf = (workers: number, isFirst: boolean): readonly string[] =>
  isFirst ? ["run", "plan.md", "--workers", String(workers), ...AGENT] : ["resume"];

interface Life {
  readonly point: KillPoint;
  readonly workers: number;
  readonly isFirst: boolean;
  readonly deadline: number;
}

/** Runs or resumes until a moment comes, and kills everything then. */
async function runUntil(
  shop: RunShop,
  mark: string,
  { point, workers, isFirst, deadline }: Life,
): Promise<Run> {
  let since: Progress | undefined = point.moment === "it is being resumed" ? progressOf(shop) : undefined;
  const { child, ended } = shop.start(...callOf(workers, isFirst));
  let over: Run | undefined;
  void ended.then((run) => (over = run));
  const isTime = () => {
    if (over !== undefined) return true;
    const now = progressOf(shop);
    if (since === undefined && now.completed >= point.after) since = now;
    return since !== undefined && isDue(point, now, since);
  };
  await until(isTime, JSON.stringify(point), deadline - performance.now());
  await killMarked(mark, child.pid);
  return ended;
}

function putBase(repo: TestRepository, { base }: SourceHistory): void {
  for (const [path, text] of base) repo.write(path, text);
  repo.git("add", "-A");
  repo.git("commit", "-q", "-m", "what the history begins with");
}

/** Makes the source history in a repository of its own, commit by commit, and says which tree it ends with. */
function treeOf({ path }: TestRepository, history: SourceHistory): string {
  const source = testRepository();
  try {
    source.git("fetch", "-q", path, "main");
    source.git("reset", "-q", "--hard", "FETCH_HEAD");
    for (const commit of history.commits) applyTo(source, commit);
    return source.git("rev-parse", "HEAD^{tree}");
  } finally {
    source.remove();
  }
}

function applyTo(source: TestRepository, { number, changes }: SourceCommit): void {
  for (const { path, from, to, isPart } of changes)
    if (to === null) rmSync(join(source.path, path));
    else if (isPart)
      source.write(
        path,
        readFileSync(join(source.path, path), "utf8").replace(from!, () => to),
      );
    else source.write(path, to);
  source.git("add", "-A");
  source.git("commit", "-q", "--allow-empty", "-m", `commit ${number}`);
}

/** What came of it, so that a green replay in which nothing happened is seen. */
function toldOf(shop: RunShop, anchors: readonly string[]): string {
  const count = (sql: string) => Number(shop.query(`select count(*) as n from ${sql}`)[0]!["n"]);
  const commits = (...options: readonly string[]) =>
    shop.repo.git("rev-list", "--count", ...options, "main..pawl/plan");
  return [
    `${anchors.reduce((sum, anchor) => sum + shop.starts(anchor), 0)} starts of agents for ${anchors.length} steps`,
    `${count("checkpoints where outcome = 'killed'")} dead by themselves, ${count("checkpoints where ended_at is null")} cut off`,
    `${count("verdicts where outcome = 'failed'")} failed attempts`,
    `${commits("--merges")} merges`,
    `${commits("--no-merges")} other commits`,
  ].join(", ");
}
