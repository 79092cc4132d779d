import type { RunGit } from "../process/run-git.ts";

const FULL_NAME = /^([0-9a-f]{40}|[0-9a-f]{64}) commit$/;

/**
 * The full object name of each commit that exists, by the name it was asked for; the others are left out.
 *
 * Names go in by standard input, one line each, where nothing can be taken for an option. A name that holds a line
 * break would be two questions, so it is none.
 */
export async function nameCommits(
  run: RunGit,
  names: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const asked = [...new Set(names)].filter((name) => name !== "" && !/[\0\r\n]/.test(name));
  const full = new Map<string, string>();
  if (asked.length === 0) return full;
  const answer = await run({
    args: ["cat-file", "--batch-check=%(objectname) %(objecttype)"],
    access: "read",
    input: asked.map((name) => `${name}^{commit}\n`).join(""),
  });
  for (const [index, line] of answer.split("\n").entries()) {
    const name = FULL_NAME.exec(line)?.[1];
    const question = asked[index];
    if (name !== undefined && question !== undefined) full.set(question, name);
  }
  return full;
}
