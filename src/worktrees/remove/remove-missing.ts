import { shellWord } from "../../domain/index.ts";
import type { ListedWorktree, Ports } from "../../platform/ports/index.ts";
import { noteSaving, type Saved } from "../saved.ts";

/** What the files are that lie aside, and how the place ends where they are to be brought to. */
interface Words {
  readonly what: (path: string) => string;
  readonly ending: string;
}

const LEFT: Words = { what: (path) => `what was left in ${path}`, ending: "-restored" };

/** Beside the place that the snapshot is brought to. */
export const WRITTEN_SINCE: Words = {
  what: (path) => `what was written to ${path} while it was removed`,
  ending: "-late",
};

const MOST_ROUNDS = 3;

/** Lets git forget a worktree that is none any more, and answers where the files are now that were left in its folder. */
export async function removeMissing(
  ports: Ports,
  missing: ListedWorktree,
  words = LEFT,
): Promise<readonly Saved[]> {
  const worktrees = await ports.worktrees();
  const { path, lock } = missing;
  const saved: Saved[] = [];
  for (let round = 1; ; round += 1) {
    const folders = worktrees.moveAside(missing);
    const moved = folders.map((folder, at) => movedSaved(path, folder, words, saved.length + at + 1));
    if (moved.length > 0) await noteSaving(ports, "worktree-saved", path, { saved: moved });
    saved.push(...moved);
    if (lock !== undefined && round === 1) await worktrees.unlock(missing);
    try {
      await worktrees.remove(missing, { evenDirty: false });
      return saved;
    } catch (error) {
      // A program that writes by the old path makes the folder again, and git takes that for no worktree.
      if (round === MOST_ROUNDS || worktrees.occupantOf(path) === "nothing") throw error;
    }
  }
}

function movedSaved(path: string, folder: string, { what, ending }: Words, number: number): Saved {
  const to = `${path}${ending}${number === 1 ? "" : `-${number}`}`;
  return {
    kind: "folder",
    ref: folder,
    what: what(path),
    bringBack: `mv -n ${shellWord(folder)} ${shellWord(to)}`,
  };
}
