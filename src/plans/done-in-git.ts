import { Failure, flatten, type PlanStep, plural, shellWord } from "../domain/index.ts";
import { identityOf } from "./formats/index.ts";
import type { Database, Ports, Sql, TrailerEntry } from "../platform/ports/index.ts";
import { knowsPlan } from "./sql/knows-plan.ts";
import { listSteps } from "./sql/list-steps.ts";
import { raiseNumber } from "./sql/raise-number.ts";
import { journal } from "../journal/index.ts";
import { planRefs } from "./plan-refs.ts";
import type { ReadPlan } from "./save.ts";
import { signedStep } from "./signed-step.ts";

/** A step that commits of this history speak for, though no state knows of it. */
export interface StepInGit {
  readonly anchor: string;
  readonly commit: string;
  /** The highest number that this clone signed for it; 0 where it signed none. */
  readonly claim: number;
}

/**
 * What git says is done of a plan that this store never had.
 *
 * The store was lost, or this is another clone. Where the journal knows the plan, its state was removed on purpose. A
 * step that says something else now is another step, and one that its file ticks off needs no other proof.
 */
export async function doneInGit(
  ports: Ports,
  database: Database,
  { key, plan }: ReadPlan,
): Promise<readonly StepInGit[]> {
  if (await database.read((sql) => sql.get(knowsPlan, { plan_path: key }))) return [];
  const entries = await entriesOf(ports, key);
  if (entries.length === 0) return [];
  return flatten(plan).flatMap(({ step }) => {
    const content = ports.sha256(identityOf(step));
    const found = entries.filter((entry) => speaksFor(entry, step, content));
    const [newest] = found;
    if (newest === undefined || step.progress?.status === "completed") return [];
    const claims = found.map(
      (entry) => signedStep(ports.signer, entry, { plan: key, step: step.anchor, content })?.claim ?? 0,
    );
    return [{ anchor: step.anchor, commit: newest.commit, claim: Math.max(...claims) }];
  });
}

/** Without git nothing is known to be done, and nothing else here needs it. */
async function entriesOf(ports: Ports, key: string): Promise<readonly TrailerEntry[]> {
  try {
    const entries = await ports.git.planCommits({ refs: await planRefs(ports, key) });
    return entries.filter(({ plans, revertedBy }) => plans.includes(key) && revertedBy === undefined);
  } catch (error) {
    if (error instanceof Failure) return [];
    throw error;
  }
}

const speaksFor = ({ steps, contents }: TrailerEntry, { anchor }: PlanStep, content: string): boolean =>
  steps.includes(anchor) && (contents.length === 0 || contents.includes(content));

/** To begin without a word would do finished work again. */
export function refuseDoneBefore(read: ReadPlan, done: readonly StepInGit[]): void {
  if (done.length > 0) throw doneBefore(read, done);
}

export function doneBefore({ key, plan }: ReadPlan, done: readonly StepInGit[]): Failure {
  const names = done.slice(0, 5).map(({ anchor, commit }) => `${anchor} (${commit.slice(0, 12)})`);
  const more = done.length > 5 ? ` and ${done.length - 5} more` : "";
  const path = shellWord(key);
  return new Failure(
    "plan/done-in-git",
    `${key} has no state here, and commits say that ${done.length} of ${plural(flatten(plan).length, "step")} were done: ${names.join(", ")}${more}.`,
    { plan_path: key, done: done.slice(0, 50) },
    {
      hint: `Run \`pawl state reconcile ${path}\`: it gives the plan state and completes what git proves. For people: \`pawl state init ${path} --afresh\` starts with every step open instead, and removes nothing.`,
    },
  );
}

/**
 * Steps whose numbers go on had work under an earlier state of a plan of this name, which was pruned or lost.
 *
 * What was committed under those numbers is no work of these steps, even where their words are the same.
 */
export async function noteEarlierLives(sql: Sql, plan: string, earlier: readonly StepInGit[]): Promise<void> {
  for (const { anchor, claim } of earlier) await sql.run(raiseNumber, { plan_path: plan, anchor, claim });
  for (const { anchor, claim_seq: claim } of await sql.all(listSteps, { plan_path: plan }))
    if (claim > 0) await journal(sql, { event: "begun-anew", plan, anchor, claim });
}
