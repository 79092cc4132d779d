import type { Ports, Worktree } from "../platform/ports/index.ts";
import { listStepEvents } from "../journal/index.ts";
import { withoutPlanFiles } from "../plans/index.ts";
import type { ClaimedStep } from "../steps/index.ts";
import { pathFileName } from "./path-file-name.ts";

/**
 * The files that had changes in a worktree before a step first began there. They are its person's, not the step's: a
 * claim notes them, and a submission leaves them out.
 *
 * The note is a file, so that a server that is started anew knows it too. It holds until the step is completed: what an
 * agent that lost the step, or gave it back, has left here is the step's own.
 */
export async function noteChangedBefore(
  ports: Ports,
  worktree: Worktree,
  { plan, anchor, claim }: Step & Pick<ClaimedStep, "claim">,
): Promise<readonly string[]> {
  const noted = noteFor(ports, worktree, { plan, anchor });
  const changed = withoutPlanFiles(await changedIn(ports, worktree), plan);
  if (noted !== undefined) return changed.filter((file) => noted.includes(file));
  if (await wasHeldHere(ports, worktree, { plan, anchor, claim })) return [];
  ports.files.makeFolder(`${ports.stateDir}/told`);
  ports.files.jot(noteOf(ports, worktree), JSON.stringify({ plan, anchor, files: changed }));
  return changed;
}

/** Whether the step was begun from this worktree before, in whatever way: its files are in it. */
async function wasHeldHere(
  ports: Ports,
  { path }: Worktree,
  { plan: plan_path, anchor, claim }: Step & Pick<ClaimedStep, "claim">,
): Promise<boolean> {
  const database = await ports.database();
  const events = await database.read((sql) =>
    sql.all(listStepEvents, { plan_path, anchor, most: MOST_EVENTS }),
  );
  return events.some((one) => one.worktree === path && one.claim !== null && one.claim < claim);
}

const MOST_EVENTS = 200;

/** Those of them that still have changes. */
export async function changedBefore(
  ports: Ports,
  worktree: Worktree,
  step: Step,
): Promise<readonly string[]> {
  const noted = noteFor(ports, worktree, step) ?? [];
  if (noted.length === 0) return [];
  const changed = new Set(await changedIn(ports, worktree));
  return noted.filter((file) => changed.has(file));
}

/** The step is completed: whatever has changes here from now on is not its own. */
export function forgetChangedBefore(ports: Ports, worktree: Worktree): void {
  const path = noteOf(ports, worktree);
  if (ports.files.exists(path)) ports.files.jot(path, "{}");
}

type Step = Pick<ClaimedStep, "plan" | "anchor">;

async function changedIn(ports: Ports, worktree: Worktree): Promise<readonly string[]> {
  const commits = await ports.commits();
  const head = await commits.head(worktree);
  return head === undefined ? [] : commits.changed(worktree, head, await commits.tree(worktree));
}

function noteFor(ports: Ports, worktree: Worktree, { plan, anchor }: Step): readonly string[] | undefined {
  const path = noteOf(ports, worktree);
  const text = ports.files.exists(path) ? ports.files.readText(path, MOST_BYTES) : undefined;
  try {
    const note = JSON.parse(text ?? "{}") as Readonly<Record<"plan" | "anchor" | "files", unknown>>;
    if (note.plan !== plan || note.anchor !== anchor || !Array.isArray(note.files)) return undefined;
    return (note.files as readonly unknown[]).filter((file) => typeof file === "string");
  } catch {
    return undefined;
  }
}

const MOST_BYTES = 16 * 1024 * 1024;

const noteOf = ({ stateDir }: Ports, { path }: Worktree): string =>
  `${stateDir}/told/before-${pathFileName(path)}`;
