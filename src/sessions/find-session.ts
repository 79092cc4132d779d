import { Failure, supersededOf, unendedOf } from "../domain/index.ts";
import type { Ports, Sql } from "../platform/ports/index.ts";
import { findSession } from "./sql/find-session.ts";
import { listContestedSessions } from "./sql/list-contested-sessions.ts";
import { listPlanRows } from "../plans/index.ts";
import { listSessionNames } from "./sql/list-session-names.ts";
import { listSessions } from "./sql/list-sessions.ts";
import type { SessionRow } from "../platform/index.ts";

/** More than a person reads through. */
const MOST = 10_000;

/** A session by its id, by an unambiguous beginning of it, or by the id of its run. */
export async function sessionNamed(ports: Ports, name: string): Promise<SessionRow> {
  const database = await ports.database();
  const near = await database.read((sql) => sql.all(listSessionNames, { name }));
  const exact = near.find(({ id, run_id }) => id === name || run_id === name);
  const { id } = exact ?? (near.length === 1 ? near[0]! : { id: undefined });
  const found = id === undefined ? undefined : await database.read((sql) => sql.get(findSession, { id }));
  if (found) return found;
  const what = near.length > 1 ? `${near.length} sessions begin with ${name}` : `There is no session ${name}`;
  throw new Failure("session/unknown", `${what}.`, {
    session_id: name,
    candidates: near.map(({ id }) => id).slice(0, 10),
  });
}

/** How the store calls a worktree: where it is shared, other clones have worktrees of the same name. */
export const storeIdOf = (ports: Ports, id: string): string =>
  `${ports.storeIsShared ? ports.worktreePrefix() : ""}${id}`;

/**
 * Whether the session worked in this clone. On a server there are those of other clones too, and of other machines:
 * their worktrees and their commits are not to be had here.
 */
export const isOfThisClone = (ports: Ports, { worktree_id }: SessionRow): boolean =>
  worktree_id.startsWith(storeIdOf(ports, ""));

/** Newest first. */
export async function allSessions(ports: Ports): Promise<readonly SessionRow[]> {
  const database = await ports.database();
  return database.read(sessionsIn);
}

const sessionsIn = (sql: Sql): Promise<readonly SessionRow[]> =>
  sql.all(listSessions, { plan_path: null, status: null, most: MOST });

/** Those that are never resumed, of all sessions. */
export const supersededSessions = async (
  ports: Ports,
  all: readonly SessionRow[],
): Promise<ReadonlySet<string>> => supersededOf(all, await donePlans(ports));

/** Those that only have to be ended, of all sessions. */
export const unendedSessions = async (
  ports: Ports,
  all: readonly SessionRow[],
): Promise<ReadonlySet<string>> => unendedOf(all, await donePlans(ports));

async function donePlans(ports: Ports): Promise<ReadonlySet<string>> {
  const database = await ports.database();
  return database.read(donePlansIn);
}

/** Those of them that could be gone on with otherwise, for who is reading already. */
export const supersededIn = async (sql: Sql): Promise<ReadonlySet<string>> =>
  supersededOf(await sql.all(listContestedSessions, {}), await donePlansIn(sql));

async function donePlansIn(sql: Sql): Promise<ReadonlySet<string>> {
  const plans = await sql.all(listPlanRows, {});
  return new Set(plans.filter(({ status }) => status === "done").map(({ plan_path }) => plan_path));
}
