import { Failure } from "../../domain/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import { type Caller, type ClaimedStep, complete } from "../../steps/index.ts";
import { savedStep } from "../../plans/index.ts";

/**
 * Keeps what an agent brings after its step went to another worker, and answers with the refusal it gets.
 *
 * Its work is not committed, so a snapshot stands for it: the record of the late result holds that.
 */
export async function keepLate(
  ports: Ports,
  { held, caller }: { readonly held: ClaimedStep; readonly caller: Caller },
): Promise<Failure> {
  const database = await ports.database();
  const step = await database.read((sql) => savedStep(sql, held.plan, held.anchor));
  // Under the number that holds, this would complete the step although it is not verified.
  if (step.claim_seq <= held.claim)
    return new Failure("session/over", `The session that held ${held.anchor} is over.`, {
      anchor: held.anchor,
    });
  const because = `late result of ${held.anchor}, claim ${held.claim}`;
  const snapshot = await (await ports.snapshots()).take(caller.worktree, because);
  try {
    await complete(ports, {
      plan: held.plan,
      step: held.anchor,
      caller,
      ...(snapshot ? { commit: snapshot.commit, commitIsKnown: true } : {}),
    });
  } catch (error) {
    if (error instanceof Failure) return withSnapshot(error, snapshot?.ref);
    throw error;
  }
  return new Failure("internal/bug", `${held.anchor} was completed by a claim that is over.`, {});
}

const withSnapshot = ({ problem, message, details, hint }: Failure, ref: string | undefined): Failure =>
  new Failure(problem, message, { ...details, snapshot_ref: ref ?? null }, { hint });
