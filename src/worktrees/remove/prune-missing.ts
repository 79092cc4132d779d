import type { ListedWorktree, Ports } from "../../platform/ports/index.ts";
import { removeMissing } from "./remove-missing.ts";
import type { Saved } from "../saved.ts";
import { keepLoneCommits } from "./remove-worktree.ts";

export interface PrunedWorktree {
  readonly saved: readonly Saved[];
  /** Where there were files, only the `.git` among them was gone. */
  readonly hadFiles: boolean;
}

/** Makes room where a worktree is gone and git still has its entry. What only the entry or the place holds is kept first. */
export async function pruneMissing(ports: Ports, missing: ListedWorktree): Promise<PrunedWorktree> {
  const lone = await keepLoneCommits(ports, missing);
  const moved = await removeMissing(ports, missing);
  return { saved: [...lone, ...moved], hadFiles: moved.length > 0 };
}
