import * as fs from "node:fs";
import { makeScratch, sweepScratch } from "../../scratch-folder.ts";

const PREFIX = "snapshot-";

/** A folder of ours for the length of one piece of work. What a kill left behind goes with a later one. */
export async function withScratch<T>(folder: string, work: (scratch: string) => Promise<T>): Promise<T> {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  sweepScratch(folder, PREFIX);
  const scratch = makeScratch(folder, PREFIX);
  try {
    return await work(scratch);
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}
