import { Failure } from "../../../domain/index.ts";
import { nameCommits } from "./name-commits.ts";
import type { RunGit } from "../process/run-git.ts";
import { flushCommits } from "../objects/flush-objects.ts";
import { flushRef } from "./flush-ref.ts";

/** Only plain characters: what a ref may be called is decided by git, but nothing here may read as an expression. */
const HELD_REF = /^refs\/pawl\/(?:late|rescue)\/[A-Za-z0-9_][A-Za-z0-9._/_-]*$/;
const MAX_NAMES = 1_000;

/**
 * Puts a commit under a ref of its own and never moves a ref that holds another one.
 *
 * The create is a compare-and-swap against "does not exist": of two processes that hold different commits under one
 * name, one gets the name and the other the next. A process that died after the create finds its ref when it asks again.
 */
export async function holdCommit(
  { run, commonDir }: { readonly run: RunGit; readonly commonDir: string },
  ref: string,
  commit: string,
): Promise<string> {
  if (!HELD_REF.test(ref)) {
    throw new Failure("internal/bug", `${ref} is not a name under refs/pawl/late/ or refs/pawl/rescue/.`, {
      ref,
    });
  }
  await flushCommits(run, commonDir, [commit]);
  for (let number = 1; number <= MAX_NAMES; number += 1) {
    const name = number === 1 ? ref : `${ref}-${number}`;
    if (!(await createOrFind(run, name, commit))) continue;
    await flushRef(commonDir, name);
    return name;
  }
  throw new Failure("git/failed", `${ref} and its ${MAX_NAMES} followers are all taken.`, { ref });
}

/** True when the ref holds the commit now, false when it holds another one. */
async function createOrFind(run: RunGit, ref: string, commit: string): Promise<boolean> {
  try {
    await run({ args: ["update-ref", "--no-deref", ref, commit, MUST_NOT_EXIST], access: "write" });
    return true;
  } catch (failure) {
    const held = (await nameCommits(run, [ref])).get(ref);
    if (held === undefined) throw failure;
    return held === commit;
  }
}

const MUST_NOT_EXIST = "";
