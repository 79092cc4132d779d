import type { Route } from "../route.ts";
import { answerData } from "../answer-data.ts";

export const worktreesRoute: Route = {
  method: "GET",
  path: "/api/worktrees",
  command: "worktree list",
  about: "Worktrees: plan, branch, who works there, what is not committed; with size=1 how large they are",
  takes: ["size"],
  async answer({ pawl, jobs }, { query }) {
    // Measuring a folder reads all of it; that is done beside us.
    if (query.text("size") === "1") return answerData(await jobs.ask(["worktree", "list", "--size"]));
    return await pawl.listWorktrees({});
  },
};
