import { describe, expect, it } from "vitest";
import type { Ancestor } from "../platform/ports/processes.ts";
import type { ProcessRecord } from "../platform/ports/supervisor.ts";
import { agentAmong, type CallerEvidence, type Supervising } from "./calling-agent.ts";

const process = (pid: number, more: Partial<Ancestor> = {}): Ancestor => ({
  pid,
  startedAt: String(pid * 10),
  group: pid,
  session: pid,
  streams: [],
  mark: undefined,
  markedAt: undefined,
  ...more,
});

const AGENT = 500;
const record = (more: Partial<ProcessRecord> = {}): ProcessRecord => ({
  pid: AGENT,
  startedAt: String(AGENT * 10),
  group: AGENT,
  session: "s-1",
  bootId: "boot",
  hostId: "host",
  streams: ["socket:[7]"],
  folder: "/repo/.pawl/worktrees/plan-w1",
  ...more,
});

const supervising = (
  id = "s-1",
  { of = record() as ProcessRecord | null, isLive = true } = {},
): Supervising => ({
  row: {
    id,
    kind: "run",
    status: isLive ? "in_progress" : "interrupted",
    worktree: "/repo/.pawl/worktrees/plan-w1",
    worktree_id: "plan-w1",
    pid: 400,
    process_started_at: "4000",
    boot_id: "boot",
  },
  record: of ?? undefined,
  isLive: () => isLive,
});

const evidence = (more: Partial<CallerEvidence> = {}): CallerEvidence => ({
  lineage: [process(900), process(800), process(300)],
  folders: ["/repo"],
  named: undefined,
  ...more,
});

const found = (more: Partial<CallerEvidence>, all = [supervising()]) => {
  const agent = agentAmong(all, evidence(more));
  return agent && `${agent.session} by ${agent.by}`;
};

describe("an agent is recognised", () => {
  it.each<[string, Partial<CallerEvidence>, string]>([
    ["by an ancestor", { lineage: [process(900), process(800), process(AGENT), process(400)] }, "process"],
    ["as the command itself", { lineage: [process(AGENT), process(400)] }, "process"],
    ["by its group, its parent gone", { lineage: [process(900, { group: AGENT })] }, "process"],
    ["by its session, its group left", { lineage: [process(900, { session: AGENT })] }, "process"],
    ["by its output", { lineage: [process(900, { streams: ["/dev/null", "socket:[7]"] })] }, "process"],
    [
      "by the environment of a parent",
      { lineage: [process(900), process(800, { mark: "s-1" })] },
      "environment",
    ],
    ["by its folder", { folders: ["/repo/.pawl/worktrees/plan-w1"] }, "folder"],
    ["below its folder", { folders: ["/repo/.pawl/worktrees/plan-w1/src"] }, "folder"],
    ["by its own word, where nothing else is known", { named: "s-1" }, "name"],
  ])("%s", (_, more, by) => {
    expect(found(more)).toBe(`s-1 by ${by}`);
  });

  it("by its process before anything that it says", () => {
    const lineage = [
      process(900, { mark: "s-2" }),
      process(800, { mark: "s-2" }),
      process(AGENT, { mark: "s-1" }),
    ];
    const all = [supervising("s-2", { of: null }), supervising()];
    expect(found({ lineage, named: "s-2" }, all)).toBe("s-1 by process");
  });

  it("by the outermost environment: a name that it gives to what it starts is inside its own", () => {
    const lineage = [process(900), process(800, { mark: "s-2" }), process(700, { mark: "s-1" })];
    const all = [supervising("s-2", { of: null }), supervising("s-1", { of: null })];
    expect(found({ lineage }, all)).toBe("s-1 by environment");
  });

  it("after its runner was killed, as long as it runs", () => {
    const agent = agentAmong(
      [supervising("s-1", { isLive: false })],
      evidence({ lineage: [process(AGENT)] }),
    );
    expect(agent).toMatchObject({ session: "s-1", by: "process", isLive: false });
  });

  it("by a name that is not known here", () => {
    expect(agentAmong([], evidence({ named: "s-9" }))).toEqual({
      session: "s-9",
      kind: null,
      worktree: undefined,
      by: "name",
      isLive: false,
    });
  });
});

describe("a person is not taken for an agent", () => {
  it.each<[string, Partial<CallerEvidence>]>([
    ["in another terminal", {}],
    ["in the shell that the run was started from", { lineage: [process(900), process(350)] }],
    [
      "below the runner, as what its page starts",
      { lineage: [process(900), process(400, { startedAt: "4000" })] },
    ],
    ["beside the worktree", { folders: ["/repo/.pawl/worktrees/plan-w10"] }],
    [
      "with a number that the agent had before",
      { lineage: [process(AGENT, { startedAt: "99999", group: 1, session: 1 })] },
    ],
    [
      "in a group whose number is older than the agent",
      { lineage: [process(900, { startedAt: "10", group: AGENT })] },
    ],
    [
      "whose own environment alone names a session that is over",
      { lineage: [process(900, { mark: "s-0" })] },
    ],
  ])("%s", (_, more) => {
    expect(found(more)).toBeUndefined();
  });

  it("in a worktree whose session is over", () => {
    expect(
      found({ folders: ["/repo/.pawl/worktrees/plan-w1"] }, [supervising("s-1", { isLive: false })]),
    ).toBeUndefined();
  });

  it("in a checkout of their own that a session works in", () => {
    const all = [supervising("s-1", { of: record({ folder: undefined }) })];
    expect(found({ folders: ["/repo"] }, all)).toBeUndefined();
  });

  it("by a record that says nothing", () => {
    const all = [
      supervising("s-1", { of: {} as ProcessRecord }),
      supervising("s-2", { of: record({ pid: -1, group: -1 }) }),
    ];
    expect(found({}, all)).toBeUndefined();
  });
});
