import { refName, shellWord } from "../../domain/index.ts";
import type { Database, KeptRef } from "../../platform/ports/index.ts";
import { listCheckpointSnapshots } from "../../sessions/index.ts";
import { listHeldRefs } from "../../steps/index.ts";
import { branchNamesOf } from "../../plans/index.ts";
import { journal } from "../../journal/index.ts";
import type { Garbage, Search } from "./garbage.ts";

/**
 * Snapshots, rescued branches and late results of plans that are finished.
 *
 * What belongs to a plan that is not, or to none that is known, stays: it may be the only copy of a worker's work. The
 * journal notes the commit before its ref goes.
 */
export async function findRefs(search: Search, database: Database): Promise<readonly Garbage[]> {
  const branches = await search.ports.branches();
  const planOf = await planFinder(search, database);
  const kept = await branches.listKept();
  return kept.flatMap((ref) => {
    const plan = planOf(ref);
    if (ref.madeAtMs > search.beforeMs || plan === undefined || !search.finished.has(plan)) return [];
    return {
      kind: "ref",
      name: ref.ref,
      bytes: 0,
      because: `${plan} is completed and merged`,
      wayBack: `git update-ref ${shellWord(ref.ref)} ${ref.commit}`,
      async remove() {
        await database.write((sql) =>
          journal(sql, { event: "kept-ref-removed", plan, detail: { ref: ref.ref, commit: ref.commit } }),
        );
        return branches.dropKept(ref);
      },
    } satisfies Garbage;
  });
}

type PlanOf = (ref: KeptRef) => string | undefined;

/** Whose a kept ref is: by the row that names it, else by the branch it was taken of. */
async function planFinder({ ports, finished }: Search, database: Database): Promise<PlanOf> {
  const [checkpoints, late] = await database.read(async (sql) => [
    await sql.all(listCheckpointSnapshots, {}),
    await sql.all(listHeldRefs, {}),
  ]);
  const byRef = new Map([...checkpoints, ...late].map(({ ref, plan_path }) => [ref, plan_path]));
  const byBranch = new Map<string, string>();
  for (const plan of finished)
    for (const branch of branchNamesOf(ports, plan)) byBranch.set(refName(branch), plan);
  // A branch that is marked is its plan's, whatever its name looks like.
  for (const [branch, { plan }] of (await ports.branches()).marks()) byBranch.set(refName(branch), plan);
  return ({ ref, plan, branch }) =>
    byRef.get(ref) ?? plan ?? (branch === undefined ? undefined : byBranch.get(refName(branch)));
}
