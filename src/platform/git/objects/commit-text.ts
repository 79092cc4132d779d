import type { CommitText } from "../../ports/index.ts";
import type { RunGit } from "../process/run-git.ts";

/** More than a person reads on a page. */
const MOST_BYTES = 400 * 1024;

/**
 * A commit with its changes, cut where it gets too long.
 *
 * No program that the repository's settings or attributes name is run for it: no external diff, no text conversion.
 */
export async function commitText(run: RunGit, commit: string): Promise<CommitText> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let isCut = false;
  await run({
    args: [
      "show",
      "--no-color",
      "--no-ext-diff",
      "--no-textconv",
      "--no-show-signature",
      "--encoding=UTF-8",
      "--first-parent",
      "-m",
      "--stat=100",
      "--patch",
      "--format=%H%x00%an%x00%aI%x00%B%x00",
      commit,
      "--",
    ],
    access: "read",
    onOutput(chunk) {
      const room = MOST_BYTES - bytes;
      if (room > 0) chunks.push(chunk.subarray(0, room));
      isCut ||= chunk.length > room;
      bytes += chunk.length;
    },
  });
  const [hash = commit, author = "", authoredAt = "", message = "", ...rest] = Buffer.concat(chunks)
    .toString("utf8")
    .split("\0");
  return { commit: hash, author, authoredAt, message: message.trim(), diff: rest.join("\0").trim(), isCut };
}
