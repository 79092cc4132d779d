import type { Branches } from "../platform/ports/index.ts";

/** A branch, and the commit of its base that has all of it in another form. */
export interface Join {
  readonly branch: string;
  /** The tip of the branch that was squashed. */
  readonly tip: string;
  readonly base: string;
  /** The commit of the base. */
  readonly commit: string;
}

/** A merge of the two. Its tree is the base's, which has all that the branch has. */
export const joinCommit = (branches: Branches, { branch, tip, base, commit }: Join): Promise<string> =>
  branches.commitMerge({
    base: tip,
    branch: commit,
    branchName: base,
    tree: `${commit}^{tree}`,
    squash: false,
    title: `Merge ${base} into ${branch}, which it has squashed`,
  });
