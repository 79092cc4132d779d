import { toInstant } from "../../domain/index.ts";
import { ownEvidence, type Verdict } from "../../verification/index.ts";
import type { ClaimedStep } from "../../steps/index.ts";
import { type Worker } from "../work/worker.ts";
import { sentBackFor } from "./step-verdicts.ts";

/** What evidence calls lines that two steps have changed. */
export const CONFLICT_CHECK = "merge with what landed meanwhile";

/** What evidence calls a conflict that the agent left in its files. */
export const MARKERS_CHECK = "conflict markers";

const MOST_BYTES = 4 * 1024 * 1024;
const MOST_NAMED = 10;

/** Why a step must not pass that was given a conflict to resolve: its files still have the markers. */
export async function leftMarkers(
  worker: Worker,
  held: ClaimedStep,
  tree: string,
): Promise<Omit<Verdict, "tree"> | undefined> {
  if ((await sentBackFor(worker, held, CONFLICT_CHECK)) === 0) return undefined;
  const { ports, session } = worker;
  const commits = await ports.commits();
  const head = await commits.head(session.worktree);
  const changed = head === undefined ? [] : await commits.changed(session.worktree, head, tree);
  const marked = changed.filter((file) => hasMarkers(worker, file));
  if (marked.length === 0) return undefined;
  const named = marked.slice(0, MOST_NAMED).join(", ");
  const because = `conflict markers are left in ${named}`;
  const at = toInstant(ports.clock.wallMs());
  const output = `Resolve every conflict in ${named}, and remove the markers.`;
  return {
    outcome: "failed",
    because,
    evidence: [ownEvidence({ checked: MARKERS_CHECK, outcome: "failed", output, tree, at })],
  };
}

function hasMarkers({ ports, session }: Worker, file: string): boolean {
  const path = `${session.worktree.path}/${file}`;
  try {
    const text = new TextDecoder().decode(ports.files.read(path, MOST_BYTES));
    return /^<{7} /m.test(text) && /^>{7} /m.test(text);
  } catch {
    // It was removed, or is no text of a usual size.
    return false;
  }
}
