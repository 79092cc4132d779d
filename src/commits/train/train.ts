import type { Ports, Sql } from "../../platform/ports/index.ts";
import type { LandingRow } from "../../platform/index.ts";
import { planTip } from "../land/integrate.ts";
import { findSession, isStoppedRunner, storeIdOf } from "../../sessions/index.ts";
import { listTrain } from "./list-train.ts";
import { setCandidate } from "./set-candidate.ts";

/** A step in the train of a branch. */
export interface Passenger {
  readonly plan: string;
  readonly anchor: string;
  readonly claim: number;
  readonly branch: string;
}

/** The tree that a step would land as, and the commit that it was built on. */
export interface Candidate {
  readonly base: string;
  readonly baseTree: string;
  readonly tree: string;
}

/** What a step builds on: the plan's branch, or the step ahead of it, as it will be there. */
export interface Ground {
  readonly commit: string;
  readonly tree: string;
}

export interface Place {
  /** The step ahead; undefined where it is the branch itself. */
  readonly behind: LandingRow | undefined;
  /** Undefined while the step ahead has not said which tree it will be. */
  readonly ground: Ground | undefined;
}

export const cloneOf = (ports: Ports): string => storeIdOf(ports, "");

/**
 * The steps that land before this one, the next one last.
 *
 * One whose process is gone or stopped holds up no other step: it joins again when its session continues. The order is
 * for fairness alone; no step lands on anything but the commit that it was verified on.
 */
export async function stepsAhead(
  ports: Ports,
  { plan, anchor, branch }: Passenger,
): Promise<readonly LandingRow[]> {
  const database = await ports.database();
  return database.read(async (sql) => {
    const train = await sql.all(listTrain, { branch, clone: cloneOf(ports) });
    const own = train.findIndex((one) => one.plan_path === plan && one.anchor === anchor);
    const ahead: LandingRow[] = [];
    for (const one of own === -1 ? train : train.slice(0, own))
      if (await isInTrain(ports, sql, one)) ahead.push(one);
    return ahead;
  });
}

/** Whether its session is open, and its process lives and is not stopped. */
export async function isInTrain(
  ports: Ports,
  sql: Sql,
  { session_id: id }: Pick<LandingRow, "session_id">,
): Promise<boolean> {
  if (id === null) return true;
  if (ports.lifelines.look(id) === "free") return false;
  const session = await sql.get(findSession, { id });
  // A worker that ended over an error leaves its step as it was, and the others of its run must not wait for it.
  return session?.status === "in_progress" && !isStoppedRunner(ports, session);
}

/** Where a step is in the train, and what it builds on there. */
export async function groundOf(ports: Ports, passenger: Passenger): Promise<Place> {
  const branches = await ports.branches();
  const last = (await stepsAhead(ports, passenger)).at(-1);
  if (last === undefined) {
    const commit = await planTip(ports, passenger);
    return { behind: undefined, ground: { commit, tree: await branches.treeOf(commit) } };
  }
  const { base, tree, anchor } = last;
  if (base === null || tree === null) return { behind: last, ground: undefined };
  const message = `${anchor} as it will land`;
  const commit = await standIn(base, tree, () => branches.commitTree({ tree, parent: base, message }));
  return { behind: last, ground: { commit, tree } };
}

/** Commits that stand in for steps ahead, by what they were made of: a step that waits asks again and again. */
const standIns = new Map<string, string>();
const MOST_STAND_INS = 1000;

async function standIn(base: string, tree: string, make: () => Promise<string>): Promise<string> {
  const key = `${base} ${tree}`;
  const made = standIns.get(key) ?? (await make());
  if (standIns.size >= MOST_STAND_INS) standIns.clear();
  standIns.set(key, made);
  return made;
}

/** Says which tree the step will land as, so that those behind it can build on that. */
export async function announce(
  ports: Ports,
  { plan: plan_path, anchor, claim }: Passenger,
  { base, baseTree: base_tree, tree }: Candidate,
): Promise<void> {
  const database = await ports.database();
  await database.write((sql) => sql.run(setCandidate, { plan_path, anchor, claim, base, base_tree, tree }));
}
