import * as fs from "node:fs";
import { join } from "node:path";

const DAY_MS = 86_400_000;

/** A folder of ours for the length of one piece of work. What a kill left behind goes with a later one. */
export async function withScratch<T>(folder: string, work: (scratch: string) => Promise<T>): Promise<T> {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  sweep(folder);
  const scratch = fs.mkdtempSync(join(folder, "snapshot-"));
  try {
    return await work(scratch);
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}

function sweep(folder: string): void {
  for (const name of fs.readdirSync(folder)) {
    const path = join(folder, name);
    const stat = fs.lstatSync(path, { throwIfNoEntry: false });
    if (name.startsWith("snapshot-") && stat && Date.now() - stat.mtimeMs > DAY_MS)
      fs.rmSync(path, { recursive: true, force: true });
  }
}
