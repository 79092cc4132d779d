import { expect, it } from "vitest";
import type { WorktreeView } from "../../worktrees/worktree-list.ts";
import { displayWidth } from "./layout.ts";
import { plainPaint } from "./paint.ts";
import { worktreesText } from "./show-worktrees.ts";

const NAME = "2026-11-17-rework-the-billing-of-recurring-orders";

const view = (name: string, part: Partial<WorktreeView> = {}): WorktreeView => ({
  worktreePath: `/repo/.pawl/worktrees/${name}`,
  branchName: `pawl/${name}`,
  head: "0123456789abcdef",
  isMain: false,
  managed: true,
  planPath: `docs/plans/${NAME}.md`,
  baseBranch: "main",
  ahead: 2,
  behind: 0,
  dirtyFiles: 3,
  state: "free",
  held: [],
  session: null,
  operation: null,
  locked: false,
  lockReason: null,
  missing: false,
  prunable: null,
  problem: null,
  createdAt: null,
  lastActivityAt: null,
  sizeBytes: null,
  ...part,
});

const lines = (columns: number, ...views: readonly WorktreeView[]): readonly string[] =>
  worktreesText(views, "/repo", plainPaint(columns)).split("\n");

it("breaks no row at 80 columns, however long the names are", () => {
  const shown = lines(80, view(`${NAME}-w1`), view(`${NAME}-w2`));
  expect(shown.filter((line) => displayWidth(line) > 80)).toEqual([]);
  expect(shown).toEqual([
    `.pawl/worktrees/${NAME}-w1`,
    "    pawl/2026-11-17-re…curring-orders-w1 · docs/plans/2026-11…curring-orders.md",
    "    ↑2 ↓0 · 3 dirty",
    `.pawl/worktrees/${NAME}-w2`,
    "    pawl/2026-11-17-re…curring-orders-w2 · docs/plans/2026-11…curring-orders.md",
    "    ↑2 ↓0 · 3 dirty",
  ]);
});

it("keeps a table where it fits", () => {
  expect(lines(80, view("plan-w1", { planPath: "plan.md" }))).toEqual([
    "PATH                     BRANCH        PLAN     AHEAD  FILES",
    ".pawl/worktrees/plan-w1  pawl/plan-w1  plan.md  ↑2 ↓0  3 dirty",
  ]);
});
