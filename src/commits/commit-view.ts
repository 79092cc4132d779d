import { Failure } from "../domain/index.ts";
import type { CommitText, Ports } from "../platform/ports/index.ts";

/** A hash and nothing else: what git would take for an option, a range or a path never gets there. */
const HASH = /^[0-9a-f]{7,64}$/;

/** A commit as text: who, when, why, and what it changed. */
export async function commitView(ports: Ports, { commit }: { readonly commit: string }): Promise<CommitText> {
  const known = HASH.test(commit) ? await ports.git.commitExists(commit) : undefined;
  if (known === undefined)
    throw new Failure("commit/invalid", `There is no commit ${commit} here.`, { commit });
  return ports.git.commitText(known);
}
