import { Failure, flatten } from "../domain/index.ts";
import type { PlanContent, Ports, Worktree } from "../platform/ports/index.ts";
import { listSteps, loadCommittedPlan, loadSave, savedPlan, writeBackOrNotice } from "../plans/index.ts";
import { formatCarriesStatus } from "../plans/formats/index.ts";
import { leaveOut, withNothingLeftOut } from "./leave-out.ts";

/**
 * The committed files of a plan, by name, that differ in nothing but status in the main checkout. That is what Pawl
 * writes into them. None where the plan has other changes: those are a person's.
 */
async function statusFiles(ports: Ports, key: string): Promise<readonly string[]> {
  const main = mainCheckout(ports);
  const location = ports.plans.find(key);
  if (main === undefined || !location.path?.startsWith(`${main.path}/`)) return [];
  const database = await ports.database();
  const { format } = await database.read((sql) => savedPlan(sql, key));
  if (!formatCarriesStatus(format)) return [];
  const known = new Set((await ports.git.committedFiles(key)).map(({ path }) => path));
  const changed = known.size === 0 ? [] : await (await ports.commits()).uncommitted(main, [key]);
  const files = changed.filter((path) => known.has(path));
  if (files.length === 0) return [];
  const { committedHashOf } = await loadCommittedPlan();
  const { readPlanContent } = await loadSave();
  const lying = await readPlanContent(ports, key, ports.plans.read(location), format);
  return (await committedHashOf(ports, lying)) === lying.hash ? files : [];
}

/**
 * Steps that the file in the main checkout calls completed, while neither the store nor the commit does: an agent that works
 * there may have ticked them, and a committed tick counts.
 */
async function foreignTicks(ports: Ports, key: string): Promise<readonly string[]> {
  const location = ports.plans.find(key);
  const { committedPlan } = await loadCommittedPlan();
  const { readPlanContent } = await loadSave();
  const database = await ports.database();
  const { format, rows } = await database.read(async (sql) => ({
    format: (await savedPlan(sql, key)).format,
    rows: await sql.all(listSteps, { plan_path: key }),
  }));
  const doneIn = async (content: PlanContent | undefined) => {
    const read = content && (await readPlanContent(ports, key, content, format));
    const steps = read ? flatten(read.plan).map(({ step }) => step) : [];
    return steps.filter(({ progress }) => progress?.status === "completed").map(({ anchor }) => anchor);
  };
  const [lying, committed] = [
    await doneIn(ports.plans.read(location)),
    await doneIn(await committedPlan(ports, location)),
  ];
  const known = new Set([
    ...committed,
    ...rows
      .filter(({ status, bound_to }) => status === "completed" || bound_to !== null)
      .map((row) => row.anchor),
  ]);
  return lying.filter((anchor) => !known.has(anchor));
}

const mainCheckout = ({ repository }: Ports): Worktree | undefined =>
  repository.mainTopLevel === undefined ? undefined : repository.worktree(repository.mainTopLevel);

/**
 * The same ports, for which a commit of everything in a worktree leaves some files out, and the status that Pawl wrote into
 * the plan's files.
 */
export async function leaveStatusOut(
  ports: Ports,
  worktree: Worktree,
  key: string,
  others: readonly string[] = [],
): Promise<Ports> {
  const isMain = worktree.path === ports.repository.mainTopLevel;
  return leaveOut(ports, worktree, [...(isMain ? await leftOut(ports, worktree, key) : []), ...others]);
}

/** None in the middle of a merge, of which git commits no part; nor where a plan that is being edited cannot be read. */
async function leftOut(ports: Ports, main: Worktree, key: string): Promise<readonly string[]> {
  if ((await (await ports.commits()).operation(main)) !== undefined) return [];
  return [...(await statusFiles(ports, key).catch(orNoFiles)), ...unfinishedFiles(ports, key)];
}

/** What a writer that was killed left beside the plan's files, until the next one removes it. */
function unfinishedFiles({ files, plans }: Ports, key: string): readonly string[] {
  const { path } = plans.find(key);
  if (path === undefined) return [];
  const inside = files.list(path);
  const [listed, folder] = inside ? [inside, `${key}/`] : [files.list(dirname(path)) ?? [], folderOf(key)];
  const names = new Set(listed.map(({ name }) => name));
  return [...names]
    .filter((name) => names.has(/^\.(.+)\.\d+\.[0-9a-z]+\.tmp$/.exec(name)?.[1] ?? ""))
    .map((name) => `${folder}${name}`);
}

const dirname = (path: string): string => path.slice(0, path.lastIndexOf("/"));
const folderOf = (key: string): string => key.slice(0, key.lastIndexOf("/") + 1);

const orNoFiles = (error: unknown): readonly string[] => {
  if (error instanceof Failure && error.problem !== "git/stopped") return [];
  throw error;
};

/** What became of the status in a plan's files. */
export interface StatusCommit {
  readonly commit?: string;
  /** Why it could not be committed. */
  readonly problem?: string;
}

/**
 * The same after a step was committed in a worktree: only what lands in the main checkout brings its status along. What
 * the step's own commit left out is the very status.
 */
export async function commitStatusFrom(ports: Ports, { path }: Worktree, key: string): Promise<void> {
  if (path !== ports.repository.mainTopLevel) return;
  const { problem } = await commitStatus(withNothingLeftOut(ports), key);
  if (problem === undefined) return;
  const message = `The step is completed, and the status in ${key} could not be committed: ${problem}.`;
  ports.notice?.(new Failure("plan/file-behind", message, { plan_path: key }));
}

/**
 * Commits the status that Pawl wrote into a plan's files, as steps land in the main checkout, where the settings say so.
 *
 * It is a commit of its own, because a step's commit is exactly what was verified. A kill before it leaves changes that the
 * next landing commits.
 */
export async function commitStatus(ports: Ports, key: string): Promise<StatusCommit> {
  const main = mainCheckout(ports);
  if (ports.settings.commit_status !== true || main === undefined) return {};
  try {
    return await commitIn(ports, main, key);
  } catch (error) {
    // The step has landed: that its status could not be committed changes nothing about that.
    if (error instanceof Failure) return { problem: error.message };
    throw error;
  }
}

async function commitIn(ports: Ports, main: Worktree, key: string): Promise<StatusCommit> {
  await writeBackOrNotice(ports, key);
  const paths = await statusFiles(ports, key);
  if (paths.length === 0) return {};
  const commits = await ports.commits();
  const [{ unmerged }, operation] = [await commits.checkout(main), await commits.operation(main)];
  if (operation !== undefined) return { problem: `${main.path} is in the middle of a ${operation}` };
  if (unmerged.length > 0) return { problem: `${main.path} has unresolved conflicts` };
  const foreign = await foreignTicks(ports, key);
  if (foreign.length > 0)
    return { problem: `it says that ${foreign.join(", ")} is done, which Pawl did not write` };
  const message = `Record the status of ${key}`;
  const { made, said } = await commits.make(main, { message, paths, allowEmpty: false });
  if (!made) return { problem: said.split("\n")[0] ?? "git refused" };
  const commit = await commits.read(main);
  await commits.flush(main, commit);
  return { commit: commit.commit };
}
