import { plural } from "../../domain/index.ts";
import type { WorktreeView } from "../../worktrees/index.ts";
import type { PageContext } from "../page-context.ts";
import type { Action, ActionSubject } from "./action.ts";
import { needed, notPossible, stale } from "./needed.ts";

async function worktreeNow({ pawl }: PageContext, subject: ActionSubject): Promise<WorktreeView> {
  const path = needed(subject, "worktree");
  const found = (await pawl.listWorktrees({})).worktrees.find((one) => one.worktreePath === path);
  if (found) return found;
  throw notPossible(`There is no worktree ${path} any more.`);
}

const versionOf = ({ head, dirtyFiles, state, lastActivityAt }: WorktreeView): string =>
  [head, dirtyFiles, state, lastActivityAt].join(" ");

/** Takes one worktree down. What it would lose is saved first, by the one way by which worktrees go. */
const clean: Action = {
  name: "clean",
  label: "Clean up",
  about: "Removes a worktree; Pawl saves uncommitted work first",
  async preview(context, subject) {
    const view = await worktreeNow(context, subject);
    const dry = await context.pawl.cleanWorktrees({ olderThanMs: 0, dryRun: true });
    const stays = dry.kept.find(({ worktreePath }) => worktreePath === view.worktreePath);
    if (stays) throw notPossible(stays.reason);
    const would = dry.removed.find(({ worktreePath }) => worktreePath === view.worktreePath);
    if (!view.managed || would === undefined)
      throw notPossible("Pawl did not make this worktree and does not remove it.");
    const ignored = would.ignoredFiles;
    return {
      title: `Clean up ${view.worktreePath}`,
      effects: [
        "Pawl removes the folder and git's record of it.",
        ...(ignored > 0
          ? [`${plural(ignored, "file")} that git ignores are removed with it and not saved.`]
          : []),
      ],
      keeps: [
        would.dirtyFiles > 0
          ? `${plural(would.dirtyFiles, "uncommitted file")} saved in a snapshot first.`
          : "Nothing there is uncommitted.",
        `The branch ${view.branchName ?? ""} stays, with ${plural(would.ahead, "commit")} that its base does not have.`,
      ],
      version: versionOf(view),
      needsReason: false,
      isGrave: true,
    };
  },
  async act(context, subject, { version, reason }) {
    const view = await worktreeNow(context, subject);
    if (versionOf(view) !== version) throw stale(view.worktreePath);
    return context.pawl.removeWorktree({
      target: view.worktreePath,
      reason: reason ?? "cleaned up on the page",
    });
  },
};

export const WORKTREE_ACTIONS: readonly Action[] = [clean];
