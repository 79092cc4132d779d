/** Branches of plans start with this. */
export const BRANCH_PREFIX = "pawl/";

/** Another tool calls the branch of a spec folder so, with the folder's name behind it. */
export const SPEC_BRANCH_PREFIX = "auto-claude/";

/** What Pawl's own locks say; other reasons are other people's. */
export const LOCK_REASON = "pawl: in use for a plan";

/**
 * What a plan's branch and worktree are called: the file's name without its ending.
 *
 * Only what every file system and every git takes in a name is kept, so two plans can come out alike; who makes the
 * branch tells them apart by `distinctSlug`.
 */
export function planSlug(key: string): string {
  const file = (key.split("/").at(-1) ?? key).replace(/(?<=.)\.[^.]*$/, "");
  const slug = Array.from(
    file
      .normalize("NFC")
      .replace(/[^\p{L}\p{N}._-]+/gu, "-")
      .replace(/\.{2,}/g, "."),
  )
    .slice(0, LONGEST)
    .join("")
    .replace(/^[.-]+|(?<![.-])[.-]+$/g, "")
    .replace(/\.lock$/i, "");
  return slug === "" ? "plan" : slug;
}

/** For a plan whose name another plan has taken; `hash` is of the plan's path. */
export const distinctSlug = (key: string, hash: string): string => `${planSlug(key)}-${hash.slice(0, 8)}`;

/** A branch as part of the name of a ref: without blanks, dots in a row and whatever else a ref may not hold. */
export const refName = (name: string): string =>
  name
    .replace(/[^A-Za-z0-9_-]+/g, "-")
    .replace(/^-+|(?<!-)-+$/g, "")
    .slice(0, 80) || "work";

/** More would be another kind of tool. */
export const MOST_WORKERS = 64;

/** What the worktrees of a plan's workers are called, in the order they are taken; no number is ever cut off. */
export const workerNames = (slug: string): readonly string[] => {
  const short = Array.from(slug)
    .slice(0, LONGEST - 10)
    .join("")
    .replace(/(?<![.-])[.-]+$/, "");
  return Array.from({ length: MOST_WORKERS }, (_, index) => `${short}-w${index + 1}`);
};

/** Whether a person may choose this as the name of a worktree; it becomes part of a branch and of a path. */
export const isWorktreeName = (name: string): boolean => name === planSlug(`${name}.md`);

const LONGEST = 80;
