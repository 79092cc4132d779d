import type { GitCall, RunGit } from "./run-git.ts";

/** All that git writes, as bytes. */
export async function bytesOf(run: RunGit, call: GitCall): Promise<Buffer> {
  const chunks: Buffer[] = [];
  await run({ ...call, onOutput: (chunk) => chunks.push(chunk) });
  return Buffer.concat(chunks);
}

/** The records of NUL-separated output, with every byte kept. */
export async function recordsOf(run: RunGit, call: GitCall): Promise<readonly string[]> {
  const records = (await bytesOf(run, call)).toString("latin1").split("\0");
  records.pop();
  return records;
}
