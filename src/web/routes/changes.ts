import { Failure } from "../../domain/index.ts";
import type { Route } from "../route.ts";

export const changesRoute: Route = {
  method: "GET",
  path: "/api/changes",
  command: "ui changes",
  about:
    "A patch: of a commit, of kept work, of what is not committed in a worktree, or of a plan's whole branch",
  takes: ["commit", "kept", "worktree", "plan"],
  async answer({ pawl, operand }, { query }) {
    const plan = query.text("plan");
    const worktree = query.text("worktree");
    if (worktree !== undefined) {
      const { worktrees } = await pawl.listWorktrees({});
      if (!worktrees.some(({ worktreePath }) => worktreePath === worktree))
        throw new Failure("worktree/not-found", `There is no worktree ${worktree} here.`, { worktree });
      return pawl.changes({ worktree });
    }
    if (plan === undefined) return pawl.changes({ commit: query.text("commit"), kept: query.text("kept") });
    const { branchTip, baseTip } = await pawl.mergeWorktree({ target: operand(plan), dryRun: true });
    return pawl.changes({ branch: { tip: branchTip, base: baseTip } });
  },
};
