import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { embeddedWorld, type EmbeddedWorld } from "../../test/support/embedded-world.ts";
import type { SessionRow } from "../platform/rows.ts";
import { deleteSession } from "./sql/delete-session.ts";
import { endSession } from "./sql/end-session.ts";
import { findSession } from "./sql/find-session.ts";
import { lastCheckpoint } from "./sql/last-checkpoint.ts";
import { lastInWorktree } from "./sql/last-in-worktree.ts";
import { lastSessionOf } from "./sql/last-session-of.ts";
import { lastSessionOfWorktree } from "./sql/last-session-of-worktree.ts";
import { listCommandsHere } from "./sql/list-commands-here.ts";
import { listLeftOvers } from "./sql/list-left-overs.ts";
import { noteSnapshot } from "./sql/note-snapshot.ts";
import { rehomeSession } from "./sql/rehome-session.ts";
import { reopenSessionRow } from "./sql/reopen-session.ts";
import { closeCheckpoint } from "./sql/close-checkpoint.ts";
import { noteUsage } from "./sql/note-usage.ts";
import { sumStepUsage } from "./sql/sum-usage.ts";

let world: EmbeddedWorld;
beforeEach(async () => {
  world = await embeddedWorld();
});
afterEach(() => world.close());

const PROCESS = { pid: 7, process_started_at: "100", boot_id: "boot-1" };
const NOW = "2026-11-15T12:00:00.000Z";

type Columns = Readonly<Record<string, string | number | null>>;

async function insert(table: string, row: Columns): Promise<void> {
  const names = Object.keys(row);
  await world.run(
    `insert into ${table} (${names.join(", ")}) values (${names.map((name) => `:${name}`).join(", ")})`,
    row,
  );
}

const session = (id: string, more: Columns = {}) =>
  insert("sessions", {
    id,
    plan_path: "plan.md",
    worktree: "/w",
    worktree_id: "w",
    ...PROCESS,
    host_id: "host",
    status: "in_progress",
    started_at: NOW,
    resumable: 0,
    kind: "run",
    configuration: "{}",
    ...more,
  });

const checkpoint = (session_id: string, number: number, more: Columns = {}) =>
  insert("checkpoints", {
    session_id,
    number,
    plan_path: "plan.md",
    anchor: "step-1",
    iteration: 1,
    position: 0,
    command: "agent",
    type: "custom",
    process: "{}",
    started_at: NOW,
    ...more,
  });

const rowOf = async (id: string): Promise<SessionRow> =>
  (await world.database.read((sql) => sql.get(findSession, { id })))!;

const ending = (status: string) => ({
  status,
  interrupted_at: status === "interrupted" ? NOW : null,
  interruption_type: status === "interrupted" ? "process_kill" : null,
  now: NOW,
});

describe("the end of a session", () => {
  const end = (status: string, more: Partial<typeof PROCESS> = {}) =>
    world.database.write((sql) => sql.run(endSession, { id: "s-1", ...PROCESS, ...more, ...ending(status) }));

  it.each(["completed", "failed", "interrupted", "abandoned"])(
    "is recorded once: a late reaper leaves one that is %s",
    async (status) => {
      await session("s-1", { status });
      expect(await end("interrupted")).toBe(0);
      expect(await rowOf("s-1")).toMatchObject({ status, resumable: 0 });
    },
  );

  it.each([{ pid: 8 }, { process_started_at: "101" }, { boot_id: "boot-2" }])(
    "is recorded only for the process that has the session, not for %j",
    async (other) => {
      await session("s-1");
      expect(await end("interrupted", other)).toBe(0);
      expect((await rowOf("s-1")).status).toBe("in_progress");
    },
  );

  it.each([
    ["interrupted", {}, 1],
    ["completed", {}, 0],
    ["interrupted", { configuration: null }, 0],
    ["interrupted", { kind: "verify" }, 0],
  ] as const)("as %s of a session with %j leaves resumable %i", async (status, more, resumable) => {
    await session("s-1", more);
    expect(await end(status)).toBe(1);
    expect(await rowOf("s-1")).toMatchObject({ status, resumable });
  });
});

describe("a session is taken up again", () => {
  const reopen = (branch: string | null = null) =>
    world.database.write((sql) =>
      sql.run(reopenSessionRow, {
        id: "s-1",
        worktree: "/x",
        worktree_id: "x",
        branch,
        ...PROCESS,
        host_id: "host",
      }),
    );

  it.each([
    [{ status: "interrupted" }, 1],
    [{ status: "in_progress" }, 0],
    [{ status: "completed" }, 0],
    [{ status: "abandoned" }, 0],
    [{ status: "interrupted", configuration: null }, 0],
  ])("from %j: %i", async (more, changed) => {
    await session("s-1", more);
    expect(await reopen()).toBe(changed);
  });

  it.each([
    ["pawl/plan-w2", "pawl/plan-w2"],
    [null, "pawl/plan-w1"],
  ])("on %s, and is on %s then", async (to, branch) => {
    await session("s-1", { status: "interrupted", branch: "pawl/plan-w1" });
    await reopen(to);
    expect(await rowOf("s-1")).toMatchObject({ worktree: "/x", branch });
  });
});

describe("a session moves to another worktree", () => {
  it.each([
    ["in_progress", 1],
    ["interrupted", 0],
  ])("while it is %s: %i", async (status, changed) => {
    await session("s-1", { status });
    const moved = { id: "s-1", ...PROCESS, worktree: "/x", worktree_id: "x", branch: null };
    expect(await world.database.write((sql) => sql.run(rehomeSession, moved))).toBe(changed);
  });
});

describe("the snapshot of a session", () => {
  it.each([
    [{ status: "interrupted" }, 1],
    [{ status: "abandoned" }, 1],
    [{ status: "abandoned", snapshot_ref: "refs/old" }, 0],
    [{ status: "in_progress" }, 0],
    [{ status: "completed" }, 0],
  ])("of %j is noted: %i", async (more, changed) => {
    await session("s-1", more);
    const note = { id: "s-1", ...PROCESS, snapshot_ref: "refs/new" };
    expect(await world.database.write((sql) => sql.run(noteSnapshot, note))).toBe(changed);
  });
});

describe("sessions are deleted", () => {
  it.each([
    ["completed", null, 0],
    ["failed", null, 0],
    ["abandoned", null, 0],
    ["interrupted", NOW, 0],
    // Resumed since it was found, and interrupted again.
    ["interrupted", "2000-01-01T00:00:00.000Z", 1],
    ["in_progress", null, 1],
  ])("when they are %s, found with the end %s: %i checkpoint stays", async (status, interrupted_at, left) => {
    await session("s-1", { status, interrupted_at: status === "interrupted" ? NOW : null });
    await checkpoint("s-1", 1);
    await world.database.write(async (sql) => {
      for (const one of deleteSession) await sql.run(one, { id: "s-1", interrupted_at });
    });
    const open = await world.database.read((sql) => sql.all(listCommandsHere, { boot_id: "boot-1" }));
    expect(open).toHaveLength(left);
  });
});

describe("commands that may still run", () => {
  const everywhere = { host_id: "host", everywhere: 1 };
  const nowhere = { host_id: "host", everywhere: 0 };
  const NONE = { session_id: null, worktree_id: null, plan_path: null, anchor: null };
  const found = (where: Columns) =>
    world.database
      .read((sql) => sql.all(listLeftOvers, { ...NONE, ...where } as never))
      .then((rows) => rows.map(({ session_id }) => session_id));

  it.each([
    ["interrupted", 1],
    ["completed", 1],
    ["failed", 1],
    ["abandoned", 1],
    ["in_progress", 0],
  ])("are those of a session that is %s: %i", async (status, count) => {
    await session("s-1", { status });
    await checkpoint("s-1", 1);
    expect(await found(everywhere)).toHaveLength(count);
  });

  it.each([
    ["whose end is on record", { ended_at: NOW, outcome: "finished" }],
    ["that nothing is known of", { process: null }],
  ])("are not those %s", async (_, more) => {
    await session("s-1", { status: "interrupted" });
    await checkpoint("s-1", 1, more);
    expect(await found(everywhere)).toEqual([]);
  });

  it("are not those of another machine", async () => {
    await session("s-1", { status: "interrupted", host_id: "other" });
    await checkpoint("s-1", 1);
    expect(await found(everywhere)).toEqual([]);
  });

  it.each([
    [{ session_id: "s-1" }, ["s-1"]],
    [{ worktree_id: "w2" }, ["s-2"]],
    [{ plan_path: "plan.md", anchor: "step-1" }, ["s-1"]],
    [{ plan_path: "plan.md", anchor: "step-9" }, []],
    [{ plan_path: "other.md", anchor: "step-1" }, []],
    [{}, []],
  ])("are found by %j", async (where, ids) => {
    await session("s-1", { status: "interrupted" });
    await checkpoint("s-1", 1);
    await session("s-2", { status: "interrupted", worktree_id: "w2" });
    await checkpoint("s-2", 1, { anchor: "step-2" });
    expect(await found({ ...nowhere, ...where })).toEqual(ids);
  });
});

describe("the command that was reached last for a step", () => {
  const last = async () =>
    world.database.read((sql) =>
      sql.get(lastCheckpoint, { plan_path: "plan.md", anchor: "step-1", worktree_id: "w" }),
    );
  const at = (second: number) => `2026-11-15T12:00:0${second}.000Z`;

  it("is the newest by time: each session counts its commands from 1", async () => {
    await session("s-1", { status: "interrupted" });
    await session("s-2");
    await checkpoint("s-1", 5, { started_at: at(1), ended_at: at(2), outcome: "finished" });
    await checkpoint("s-2", 1, { started_at: at(3) });
    expect(await last()).toMatchObject({ session_id: "s-2", number: 1 });
  });

  it("is the later one of two that began in the same millisecond", async () => {
    await session("s-1");
    await checkpoint("s-1", 1, { ended_at: at(1), outcome: "finished" });
    await checkpoint("s-1", 2);
    expect(await last()).toMatchObject({ number: 2 });
  });

  it.each([{ plan_path: "other.md" }, { anchor: "step-2" }, { position: -1 }])(
    "is not one with %j",
    async (more) => {
      await session("s-1");
      await checkpoint("s-1", 1, more);
      expect(await last()).toBeUndefined();
    },
  );

  it("is not one of another worktree", async () => {
    await session("s-1", { worktree_id: "w2" });
    await checkpoint("s-1", 1);
    expect(await last()).toBeUndefined();
  });
});

describe("what was last", () => {
  const at = (second: number) => `2026-11-15T12:00:0${second}.000Z`;
  const sessionOfStep = () =>
    world.database.read((sql) => sql.get(lastSessionOf, { plan_path: "plan.md", anchor: "step-1" }));
  const stepIn = (worktree: string) => world.database.read((sql) => sql.get(lastInWorktree, { worktree }));

  it("is the newest by time, although an older session has the higher number", async () => {
    await session("s-1", { status: "interrupted", started_at: at(1) });
    await session("s-2", { started_at: at(3) });
    await checkpoint("s-1", 5, { started_at: at(2), ended_at: at(2), outcome: "finished", anchor: "step-2" });
    await checkpoint("s-1", 4, { started_at: at(2), ended_at: at(2), outcome: "finished" });
    await checkpoint("s-2", 1, { started_at: at(4) });
    expect(await sessionOfStep()).toMatchObject({ id: "s-2" });
    expect(await stepIn("/w")).toMatchObject({ plan_path: "plan.md", anchor: "step-1", started_at: at(4) });
  });

  it("in a worktree is the later one of two commands that began in the same millisecond", async () => {
    await session("s-1");
    await checkpoint("s-1", 1, { ended_at: NOW, outcome: "finished", anchor: "step-2" });
    await checkpoint("s-1", 2);
    expect(await stepIn("/w")).toMatchObject({ anchor: "step-1" });
    expect(await stepIn("/other")).toBeUndefined();
  });

  it.each([{ plan_path: "other.md" }, { anchor: "step-2" }])(
    "of a step is not of one with %j",
    async (more) => {
      await session("s-1");
      await checkpoint("s-1", 1, more);
      expect(await sessionOfStep()).toBeUndefined();
    },
  );

  it("in a worktree is the session that began last there", async () => {
    await session("s-1", { started_at: at(3), status: "interrupted" });
    await session("s-2", { started_at: at(2), status: "interrupted" });
    await session("s-3", { started_at: at(4), worktree_id: "w2" });
    const last = await world.database.read((sql) => sql.get(lastSessionOfWorktree, { worktree_id: "w" }));
    expect(last).toMatchObject({ id: "s-1" });
  });
});

describe("the sessions a caller is compared with", () => {
  const here = () => world.database.read((sql) => sql.all(listCommandsHere, { boot_id: "boot-1" }));

  it("are those at work, also between two commands", async () => {
    await session("s-1");
    await checkpoint("s-1", 1, { ended_at: NOW, outcome: "finished" });
    expect(await here()).toMatchObject([{ id: "s-1", process: null }]);
  });

  it("are those that ended and left a command without an end", async () => {
    await session("s-1", { status: "interrupted" });
    await checkpoint("s-1", 1);
    expect(await here()).toMatchObject([{ id: "s-1", process: "{}" }]);
  });

  it.each([
    [{ status: "interrupted" }, { ended_at: NOW, outcome: "finished" }],
    [{ status: "interrupted" }, { process: null }],
    [{ status: "interrupted", boot_id: "boot-0" }, {}],
    [{ boot_id: "boot-0" }, {}],
  ])("are not %j with a command %j", async (of, command) => {
    await session("s-1", of);
    await checkpoint("s-1", 1, command);
    expect(await here()).toEqual([]);
  });
});

it("closes a checkpoint once", async () => {
  await session("s-1");
  await checkpoint("s-1", 1);
  const close = (outcome: string) =>
    world.database.write((sql) =>
      sql.run(closeCheckpoint, {
        session_id: "s-1",
        number: 1,
        exit_code: 0,
        outcome,
        output_tail: "",
        files_modified: "[]",
        agent_session: null,
        snapshot_ref: null,
        spec_found: null,
        tree_after: null,
        resets_at: null,
        now: NOW,
      }),
    );
  expect(await close("finished")).toBe(1);
  expect(await close("killed")).toBe(0);
});

describe("what commands used", () => {
  const use = (number: number, more: Partial<Parameters<typeof noted>[0]> = {}) =>
    world.database.write((sql) => sql.run(noteUsage, noted({ number, ...more })));
  const noted = (more: {
    number: number;
    position?: number;
    input_tokens?: number;
    cost_micros?: number | null;
    anchor?: string;
  }) => ({
    session_id: "s-1",
    plan_path: "plan.md",
    anchor: "step-1",
    claim: 1,
    position: 0,
    agent: "claude",
    input_tokens: 100,
    output_tokens: 10,
    cost_micros: 1,
    now: NOW,
    ...more,
  });
  const attempt = (number: number) =>
    insert("attempts", { plan_path: "plan.md", anchor: "step-1", number, started_at: NOW });
  const ofStep = () =>
    world.database.read((sql) => sql.all(sumStepUsage, { plan_path: "plan.md", anchor: "step-1" }));

  it("is written again as it grows, and counted once", async () => {
    await use(1);
    await use(1, { input_tokens: 300, cost_micros: 5 });
    expect(await ofStep()).toEqual([
      { attempt: 1, input_tokens: 300, output_tokens: 10, cost_micros: 5, unpriced_tokens: 0 },
    ]);
  });

  it("belongs to the attempt that the work will be, and a judge to the one that it judges", async () => {
    await use(1);
    await attempt(1);
    await use(2, { position: -1 });
    // Its attempt stays the one it began in.
    await use(1, { input_tokens: 200 });
    await use(3);
    expect((await ofStep()).map((row) => [row.attempt, row.input_tokens])).toEqual([
      [1, 300],
      [2, 100],
    ]);
  });

  it("has no cost where none of it has a price, and says how much of it has none", async () => {
    await use(1, { cost_micros: null });
    expect(await ofStep()).toMatchObject([{ cost_micros: null, unpriced_tokens: 110 }]);
    await use(2, { cost_micros: 7 });
    expect(await ofStep()).toMatchObject([{ cost_micros: 7, unpriced_tokens: 110 }]);
  });

  it("of a session that is deleted still counts for its plan", async () => {
    await session("s-1", { status: "completed", ended_at: NOW });
    await checkpoint("s-1", 1, { ended_at: NOW, outcome: "finished" });
    await use(1);
    for (const one of [deleteSession].flat())
      await world.database.write((sql) => sql.run(one, { id: "s-1", interrupted_at: null }));
    expect(await ofStep()).toHaveLength(1);
  });
});
