import { existsSync } from "node:fs";
import { join } from "node:path";
import { syncPaths } from "../../index.ts";

/**
 * Brings the folders to the disk in which git has put a ref by renaming.
 *
 * Git flushes the files, not their folders: after a power cut a branch could be back at the commit before, while the
 * database already says that the step is completed.
 */
export async function flushRef(commonDir: string, ref: string): Promise<void> {
  const parts = ref.split("/").slice(0, -1);
  // `refs` itself is as old as the repository; what lies below may have been made for this ref.
  const folders = parts.map((_, index) => join(commonDir, ...parts.slice(0, index + 1))).slice(1);
  await syncPaths(
    commonDir,
    [...folders, join(commonDir, "reftable")].filter((folder) => existsSync(folder)),
  );
}
