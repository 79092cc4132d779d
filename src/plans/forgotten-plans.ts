import { Failure, shellWord } from "../domain/index.ts";
import { openIfThere } from "../journal/index.ts";
import type { Database, Ports } from "../platform/ports/index.ts";
import { doneBefore, doneInGit } from "./done-in-git.ts";
import { planPathFromHere } from "./plan-path-from-here.ts";
import { readPlan } from "./save.ts";
import { knowsPlan } from "./sql/knows-plan.ts";

/**
 * Plans that git shows earlier work of and the store never had, each with what to run about it.
 *
 * The state was lost and made anew since, or this is another clone: a run would be refused, or begin from nothing.
 */
export async function forgottenPlans(ports: Ports): Promise<readonly Failure[]> {
  const database = await openIfThere(ports);
  if (database === undefined) return [];
  const branches = await ports.branches();
  const marked = (await branches.planBranches()).filter(({ commit, mark }) => mark && mark.start !== commit);
  const entries = await ports.git.planCommits({
    refs: ["HEAD", ...marked.map(({ name }) => `refs/heads/${name}`)],
  });
  const keys = new Set([
    ...marked.flatMap(({ mark }) => mark?.plan ?? []),
    ...entries.filter(({ revertedBy }) => revertedBy === undefined).flatMap(({ plans }) => plans),
  ]);
  const found: Failure[] = [];
  for (const key of keys) {
    if (!ports.plans.existsAnywhere(key)) continue;
    if (await database.read((sql) => sql.get(knowsPlan, { plan_path: key }))) continue;
    const branch = marked.find(({ mark }) => mark?.plan === key)?.name;
    const failure = await earlierWork(ports, database, key, branch);
    if (failure !== undefined) found.push(failure);
  }
  return found;
}

async function earlierWork(
  ports: Ports,
  database: Database,
  key: string,
  branch: string | undefined,
): Promise<Failure | undefined> {
  try {
    const read = await readPlan(ports, planPathFromHere(ports, key));
    const done = await doneInGit(ports, database, read);
    if (done.length > 0) return doneBefore(read, done);
  } catch (error) {
    // A file that cannot be read says nothing about what was done.
    if (!(error instanceof Failure)) throw error;
  }
  if (branch === undefined) return undefined;
  return new Failure(
    "plan/done-in-git",
    `${key} has no state here, and the branch ${branch} has work of it.`,
    { plan_path: key, branch_name: branch },
    {
      hint: `Run \`pawl state reconcile ${shellWord(key)}\`: it completes what git proves, and nothing else.`,
    },
  );
}

const told = new WeakSet<Ports>();

/** Says so beside an answer, once: `--watch` would repeat it every second. */
export async function noticeForgotten(ports: Ports): Promise<void> {
  if (ports.notice === undefined || told.has(ports)) return;
  told.add(ports);
  try {
    for (const failure of await forgottenPlans(ports)) ports.notice(failure);
  } catch (error) {
    // Without git nothing is known of it, and nothing else here needs git.
    if (!(error instanceof Failure)) throw error;
  }
}
