import { doneElsewhere } from "../domain/index.ts";
import type { Sql } from "../platform/ports/index.ts";
import { findVerification, listVerifications, type VerificationRow } from "./sql/list-verifications.ts";

/** How a completed step was verified. */
export interface VerifiedBy {
  /**
   * `passed`: its checks passed on the tree that landed. `not_verified`: nothing but its checklist decided. `unverified`:
   * a person completed it past its checks.
   */
  readonly outcome: "passed" | "not_verified" | "unverified";
  /** What passed, as people call it: `npm test`, `agent claude`. */
  readonly checks: readonly string[];
  readonly where: "clean" | "in-place" | null;
  readonly tree: string | null;
  /** What it landed as. */
  readonly commit: string | null;
  /** Why nothing verified it; null where checks passed. */
  readonly because: string | null;
}

/** Why a step is not verified that nothing but its checklist decided about. */
export const NO_CHECK = "no check is configured";

/** The verifications of a plan's completed steps, by anchor. */
export async function verificationsIn(sql: Sql, plan_path: string): Promise<ReadonlyMap<string, VerifiedBy>> {
  return byAnchor(await sql.all(listVerifications, { plan_path }));
}

export const byAnchor = (rows: readonly VerificationRow[]): ReadonlyMap<string, VerifiedBy> =>
  new Map(rows.map((row) => [row.anchor, stepVerification(row)]));

/** How one step was verified; undefined while it is not completed. */
export async function verificationOf(
  sql: Sql,
  plan_path: string,
  anchor: string,
): Promise<VerifiedBy | undefined> {
  const row = await sql.get(findVerification, { plan_path, anchor });
  return row && stepVerification(row);
}

function stepVerification(row: VerificationRow): VerifiedBy {
  const { commit_hash: commit, complete_reason: forced } = row;
  const without = { checks: [], where: null, tree: null, commit };
  if (row.unverified !== null)
    return {
      ...without,
      outcome: "unverified",
      because: `a person committed it without its checks: ${reasonIn(row.unverified)}`,
    };
  const elsewhere = forced === null ? undefined : doneElsewhere(forced);
  if (elsewhere !== undefined) return { ...without, outcome: "not_verified", because: `it was ${elsewhere}` };
  if (forced !== null)
    return { ...without, outcome: "unverified", because: `a person completed it by force: ${forced}` };
  const { checks, where } = checksIn(row);
  if (row.outcome !== "passed" || checks.length === 0)
    return { ...without, outcome: "not_verified", because: NO_CHECK };
  return { outcome: "passed", checks, where, tree: row.tree, commit, because: null };
}

const reasonIn = (detail: string): string => String((JSON.parse(detail) as { reason?: unknown }).reason);

function checksIn({ checked, because }: VerificationRow): Pick<VerifiedBy, "checks" | "where"> {
  if (checked === null) {
    // A step without items and without a check passes as it is.
    const isNamed = because?.startsWith(PASSED) === true && !because.endsWith(NO_CHECK);
    const said = isNamed ? because.slice(PASSED.length).split(", ") : [];
    return { checks: said.filter((one) => one !== "checklist"), where: null };
  }
  const [place, names] = [checked.slice(0, checked.indexOf(" ")), checked.slice(checked.indexOf(" ") + 1)];
  const checks = (JSON.parse(names) as readonly (readonly string[])[]).map((words) => words.join(" "));
  return { checks, where: place === "clean" ? "clean" : "in-place" };
}

/** What a verdict begins with that names what it was made from. */
const PASSED = "passed: ";

/** For people: `tree 0123456789ab, passed: npm test (clean checkout)`, or why it is not verified. */
export function verificationWords({ outcome, checks, where, tree, because }: VerifiedBy): string {
  if (outcome !== "passed") return `not verified: ${because}`;
  const on = tree === null ? "" : `tree ${tree.slice(0, 12)}, `;
  const place = where === null ? "" : ` (${where === "clean" ? "clean checkout" : "in place"})`;
  return `${on}passed: ${checks.join(", ")}${place}`;
}
