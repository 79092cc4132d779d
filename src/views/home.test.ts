import { describe, expect, it } from "vitest";
import { nextCommand } from "./home.ts";

const claude = { name: "claude", profile: "sandboxed", containedBy: "own", isDefault: true } as const;

/** A repository that is set up and has nothing in it, with these changes. */
const nextWith = (facts: Partial<Parameters<typeof nextCommand>[0]>): string =>
  nextCommand({
    root: "/shop",
    hasSettings: true,
    plans: [],
    unread: [],
    checklists: [],
    agents: [claude],
    running: [],
    waiting: [],
    agent: "claude",
    usedLast: null,
    newPlan: "plan",
    ...facts,
  });

const plan = (planPath: string, stepsCompleted: number, isToMerge = false) => ({
  planPath,
  stepsTotal: 2,
  stepsCompleted,
  stepsInterrupted: 0,
  stepsBlocked: 0,
  isToMerge,
});

describe("the command to type next", () => {
  it.each([
    [
      "what waits for a person first",
      { waiting: [{ found: "", command: "pawl resume" }], running: ["a.md"] },
      "pawl resume",
    ],
    ["what runs", { running: ["plan.md"], plans: [plan("plan.md", 1)] }, "pawl status --watch"],
    ["a plan with open steps", { plans: [plan("plan.md", 1), plan("b.md", 2, true)] }, "pawl run plan.md"],
    [
      "a plan with open steps, settings or not",
      { plans: [plan("plan.md", 1)], hasSettings: false },
      "pawl run plan.md",
    ],
    [
      "a finished plan that is not merged",
      { plans: [plan("my plan.md", 2, true)] },
      "pawl worktree merge 'my plan.md'",
    ],
    ["a repository without settings", { hasSettings: false, unread: ["plan.md"] }, "pawl init"],
    ["a plan without state", { unread: ["plan.md"] }, "pawl run plan.md"],
    [
      "a plan where the settings name no agent",
      { unread: ["p.md"], agent: null },
      "pawl run p.md --agent claude",
    ],
    [
      "a plan where no agent is installed",
      { unread: ["p.md"], agent: null, agents: [] },
      "pawl run p.md --agent NAME",
    ],
    [
      "a plan, with the agent of the last run",
      { unread: ["p.md"], agent: null, usedLast: "--agent codex" },
      "pawl run p.md --agent codex",
    ],
    ["a checklist, which may be no plan", { checklists: ["todo.md"] }, "pawl plan check todo.md"],
    [
      "plans that are all done and merged",
      { plans: [plan("plan.md", 2)], newPlan: "plan-2" },
      'pawl plan new plan-2 --from "What is to be built"',
    ],
    ["nothing, and no agent", { agents: [], agent: null }, "pawl plan new plan"],
    ["a bare repository", { root: null }, "git worktree list"],
  ] as const)("is about %s", (_, facts, expected) => expect(nextWith(facts)).toBe(expected));
});
