import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../domain/index.ts";
import { makeFolders } from "../index.ts";
import { newId } from "./node-crypto.ts";
import { nodeFiles } from "./node-files.ts";

/** Makes the folder that Pawl keeps its own files in; only its owner can enter. */
export function makeStateFolder(folder: string): void {
  try {
    makeFolders(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Failure(
      "store/read-only",
      `${folder} cannot be made (${code}).`,
      { path: folder },
      { cause: error },
    );
  }
}

/** A user who can write to the folder can assign other people's steps. */
export function refuseOpenToAll(folder: string): void {
  const { mode } = statSync(folder);
  if ((mode & 0o002) === 0) return;
  throw new Failure(
    "store/open-failed",
    `Every user of this machine can write to ${folder}, and could change the state of its plans.`,
    { path: folder },
    { hint: "Name a folder of your own in PAWL_STATE_DIR, or one below this; Pawl makes it private." },
  );
}

/** In a folder that lies elsewhere: whose it is. */
const OWNER = "repository";

/**
 * Keeps two repositories from using one folder, where each would own the steps of the other.
 *
 * The folder remembers whose it is. A repository that is not where it was has moved, and takes its folder along.
 */
export function refuseForeign(folder: string, commonDir: string): void {
  const owner = ownerOf(folder);
  if (owner === undefined || owner === commonDir || !existsSync(owner)) return;
  throw new Failure(
    "store/open-failed",
    `${folder} holds the state of another repository, ${owner}.`,
    { path: folder, repository: owner },
    { hint: "Give each repository a state folder of its own with PAWL_STATE_DIR." },
  );
}

/** Says that the folder is this repository's. */
export function bindToRepository(folder: string, commonDir: string): void {
  if (ownerOf(folder) !== commonDir) nodeFiles.replace(join(folder, OWNER), `${commonDir}\n`);
}

function ownerOf(folder: string): string | undefined {
  const path = join(folder, OWNER);
  return existsSync(path) ? readFileSync(path, "utf8").trimEnd() : undefined;
}

/** A random id in a file that is written once, by the first process. */
export function idIn(path: string): string {
  if (!existsSync(path)) {
    try {
      nodeFiles.create(path, `${newId()}\n`);
    } catch (error) {
      // Another process made it first; its id counts.
      if (!(error instanceof Failure && error.problem === "file/exists")) throw error;
    }
  }
  return readFileSync(path, "utf8").trim();
}
