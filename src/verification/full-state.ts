import { fullStop, type Instant } from "../domain/index.ts";
import type { Sql } from "../platform/ports/index.ts";
import { listFullEvents } from "./sql/list-full-events.ts";

/** What a full check failed on, and since when. */
export interface FullFailure {
  readonly check: string;
  readonly branch: string;
  /** The commit and the tree that it failed on. */
  readonly tip: string;
  readonly tree: string;
  readonly culprit: FullCulprit;
  /** One sentence, the same in every view. */
  readonly found: string;
  /** The last lines of the check on the first tree that fails. */
  readonly output: string;
  /** How many full checks it took. */
  readonly runs: number;
}

/** Where a branch went from passing to failing. */
export interface FullCulprit {
  /** `before`: no step is to blame, the tree before the plan fails already. `commit`: one that is no step's. */
  readonly kind: "step" | "commit" | "before";
  readonly commit: string;
  /** What it was made on; empty for `before`. */
  readonly parent: string;
  readonly anchor?: string | undefined;
  readonly title?: string | undefined;
}

export interface FullState {
  /** The last failure, unless a full check passed since, or a person decided to reopen or revert. */
  readonly failure: (FullFailure & { readonly at: Instant; readonly isLeft: boolean }) | undefined;
  /** A full check that was begun and has not ended. */
  readonly begun: { readonly session: string | null; readonly at: Instant } | undefined;
  /** The tree of a failure that a person has just decided to do something about. */
  readonly settled: string | undefined;
  /** The commits that a person decided to leave although they fail. */
  readonly left: ReadonlySet<string>;
}

const MOST = 200;

/** Where the full checks of a plan stand, from the journal. */
export async function fullStateOf(sql: Sql, plan: string): Promise<FullState> {
  const events = await sql.all(listFullEvents, { plan_path: plan, most: MOST });
  const details = events.map((row) => ({
    ...row,
    said: JSON.parse(row.detail) as Partial<FullFailure> & {
      readonly decision?: string;
      readonly commit?: string;
    },
  }));
  const left = new Set(
    details.flatMap(({ event, said }) =>
      event === "full-decided" && said.decision === "leave" && said.commit !== undefined ? [said.commit] : [],
    ),
  );
  const [newest] = details;
  const begun = newest?.event === "full-begun" ? { session: newest.session_id, at: newest.at } : undefined;
  const last = details.find(
    ({ event, said }) =>
      event === "full-passed" ||
      event === "full-failed" ||
      (event === "full-decided" && said.decision !== "leave"),
  );
  const settled = last?.event === "full-decided" ? last.said.tree : undefined;
  if (last?.event !== "full-failed") return { failure: undefined, begun, settled, left };
  const failure = last.said as FullFailure;
  const isLeft = left.has(failure.culprit.commit);
  return { failure: { ...failure, at: last.at, isLeft }, begun, settled, left };
}

/** What every view says of it; null where the full check passes or has not run. */
export function fullWords({ failure }: FullState): string | null {
  if (failure === undefined) return null;
  return failure.isLeft ? leftWords(failure.found) : failure.found;
}

/** A failure that a person has decided about. */
export const leftWords = (found: string): string => `${fullStop(found)} A person decided to leave it.`;
