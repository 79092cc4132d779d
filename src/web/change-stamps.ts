import { stat } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../domain/index.ts";
import type { Pawl } from "../api.ts";

/** The newest line of the journal. Without a database nothing has happened yet. */
export async function newestLineOf(pawl: Pick<Pawl, "newestLine">): Promise<number> {
  try {
    return await pawl.newestLine();
  } catch (error) {
    if (error instanceof Failure && error.problem === "plan/not-initialised") return 0;
    throw error;
  }
}

/** Another one when a file was changed, went or came. */
export async function changeStamp(path: string): Promise<string> {
  try {
    const { mtimeMs, size, ino } = await stat(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return "";
  }
}

/** How many plans have their files checked. */
export const MOST_FILES = 200;

/** Another one when anything was written to the journal or to the file of a plan. */
export async function stateStamp(
  pawl: Pick<Pawl, "newestLine" | "list">,
  pathOf: (planPath: string) => string,
): Promise<string> {
  const newest = await newestLineOf(pawl);
  const plans = newest === 0 ? [] : await pawl.list();
  const files = await Promise.all(
    plans.slice(0, MOST_FILES).map(({ planPath }) => changeStamp(pathOf(planPath))),
  );
  return JSON.stringify([newest, ...files]);
}

/** Where people and tools keep plans; a file that comes or goes changes the time of its folder. */
const FOLDERS = ["", ".tugtool", "plans", "docs", "roadmap", "docs/plans", ".claude/tasks"];

export const folderStamp = async (root: string | null): Promise<string> =>
  root === null
    ? ""
    : (await Promise.all(FOLDERS.map((folder) => changeStamp(join(root, folder))))).join(" ");

/** How many looks may pass until the files themselves are read again: one may have got its first box. */
const LOOKS = 10;

/** The plans that could be read, asked for anew when a folder changed, and now and then. */
export function foundPlans(
  pawl: Pick<Pawl, "startingPoints">,
  stamp: () => Promise<string>,
): () => Promise<string> {
  let known: { readonly stamp: string; readonly found: string; looks: number } | undefined;
  return async () => {
    const now = await stamp();
    if (known?.stamp === now && known.looks < LOOKS) {
      known.looks += 1;
      return known.found;
    }
    const { unread, checklists } = await pawl.startingPoints();
    known = { stamp: now, found: JSON.stringify([unread, checklists]), looks: 0 };
    return known.found;
  };
}
