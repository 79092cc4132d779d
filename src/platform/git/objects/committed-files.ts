import type { CommittedFile } from "../../ports/index.ts";
import { readBlobs } from "../files/read-blobs.ts";
import type { RunGit } from "../process/run-git.ts";

/** The files at or below a path as HEAD of the git directory has them; none where there is no commit yet. */
export async function committedFiles(run: RunGit, path: string): Promise<readonly CommittedFile[]> {
  let code = 0;
  const listed = await run({
    args: ["ls-tree", "-r", "-z", "--full-tree", "HEAD", "--", path],
    access: "read",
    answers: [128],
    onExit: (exit) => {
      code = exit;
    },
  });
  if (code !== 0) return [];
  const entries = listed
    .split("\0")
    .map((line) => /^100\d{3} blob ([0-9a-f]+)\t(.+)$/s.exec(line))
    .filter((match) => match !== null)
    .map(([, name, at]) => ({ name: name!, path: at!, chunks: [] as Buffer[] }));
  await readBlobs(
    run,
    entries.map(({ name }) => name),
    (at) => ({ write: (chunk) => entries[at]!.chunks.push(chunk), end: () => undefined }),
  );
  return entries.map(({ path: at, chunks }) => ({ path: at, bytes: Buffer.concat(chunks) }));
}
