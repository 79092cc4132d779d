import type { RemovedWorktree, Saved } from "../../worktrees/index.ts";
import { plural } from "../../domain/index.ts";
import type { Paint } from "./paint.ts";
import { localTime } from "./times.ts";

/** What is not kept, in the words for after it and, in a dry run, before it; nothing when there is nothing. */
export const lostText = (ignoredFiles: number, { dryRun }: { readonly dryRun: boolean }): readonly string[] =>
  ignoredFiles === 0
    ? []
    : [`  ${dryRun ? "would not keep" : "not kept:"} ${plural(ignoredFiles, "file")} that git ignores`];

/** What was kept, each with the command that brings it back. */
export const savedText = (saved: readonly Saved[], paint: Paint): readonly string[] =>
  saved.map(
    ({ what, bringBack }) => `  kept ${paint.plain(what)}; restore it with: ${paint.bold(bringBack)}`,
  );

/** Workers that claimed a step in a worktree while it was being removed: their work has no place there. */
export const claimedText = (
  { claimedMeanwhile }: Pick<RemovedWorktree, "claimedMeanwhile">,
  paint: Paint,
): readonly string[] =>
  claimedMeanwhile.map(
    ({ anchor, planPath, until }) =>
      `  ${paint.yellow("warning")} ${paint.plain(anchor)} of ${paint.plain(planPath)} was claimed there while it was removed; the claim holds ${until === null ? "until it is released" : `until ${localTime(until)}`}`,
  );
