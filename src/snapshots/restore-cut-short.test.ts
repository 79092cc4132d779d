import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { embeddedWorld, type EmbeddedWorld } from "../../test/support/embedded-world.ts";
import { beforeRestoring, Failure } from "../domain/index.ts";
import type { KnownTree, Ports, Worktree } from "../platform/ports/index.ts";
import type { SessionRow } from "../platform/index.ts";
import { findSession } from "../sessions/index.ts";
import { restoreCutShort, uncleanEnd, uncleanEndIn } from "./restore-cut-short.ts";

let world: EmbeddedWorld;
let ports: Ports;
let session: SessionRow;
let worktree: Worktree;
/** What git and the disk say, and what was asked of them. */
let scene: {
  head: string | undefined;
  isMountUnbroken: boolean;
  snapshots: readonly object[];
  moveFails: Failure | undefined;
  known: readonly KnownTree[] | undefined;
  evenShorter: boolean | undefined;
  restored: readonly string[];
  isMountNoted: boolean;
};

beforeEach(async () => {
  world = await embeddedWorld();
  scene = {
    head: "head-1",
    isMountUnbroken: false,
    snapshots: [],
    moveFails: undefined,
    known: undefined,
    evenShorter: undefined,
    restored: [],
    isMountNoted: false,
  };
  ports = {
    ...world.ports,
    worktrees: async () => ({
      finishForward: async () => (scene.moveFails ? Promise.reject(scene.moveFails) : undefined),
    }),
    commits: async () => ({ head: async () => scene.head }),
    snapshots: async () => ({
      recordMount: () => (scene.isMountNoted = true),
      isMountUnbroken: () => scene.isMountUnbroken,
      list: async () => scene.snapshots,
      restoreCutShort: async (_: Worktree, asked: { known: readonly KnownTree[]; evenShorter: boolean }) => {
        Object.assign(scene, asked);
        return { files: scene.restored, snapshot: undefined };
      },
    }),
  } as unknown as Ports;
  worktree = ports.repository.worktree("/w");
  const plan = await world.saved({ number: "1" });
  const { id } = await world.pawl.openSession({ plan, worktree: "/w" });
  await world.leaveAgent(id, plan, "step-1", 4711);
  session = (await world.database.read((sql) => sql.get(findSession, { id })))!;
});
afterEach(() => world.close());

const restore = (isReboot = false) => restoreCutShort(ports, worktree, { session, isReboot });

describe("a session ended out of order", () => {
  const ended = (more: Partial<SessionRow>) => uncleanEnd(ports, { ...session, ...more });

  it("when it was killed, or the machine has started anew since, and in no other way", () => {
    expect(ended({})).toBeNull();
    expect(ended({ interruption_type: "usage_limit" })).toBeNull();
    expect(ended({ interruption_type: "process_kill" })).toMatchObject({ isReboot: false });
    expect(ended({ boot_id: "earlier" })).toMatchObject({ isReboot: true });
    expect(ended({ boot_id: "earlier", host_id: "another" })).toBeNull();
  });

  it("is asked of the last one in the worktree", async () => {
    world.dead.add(session.id);
    expect(await uncleanEndIn(ports, worktree)).toMatchObject({ session: { id: session.id } });
    expect(await uncleanEndIn(ports, ports.repository.worktree("/other"))).toBeNull();
  });
});

describe("files that are cut short", () => {
  const checkpoint = (columns: string) =>
    world.run(`update checkpoints set ${columns} where session_id = :id`, { id: session.id });
  const known = async () => {
    await restore();
    return scene.known?.map(({ tree }) => tree);
  };

  it("are looked for after an unclean end alone, and the mount is noted in any case", async () => {
    expect(await restoreCutShort(ports, worktree, null)).toEqual([]);
    expect([scene.known, scene.isMountNoted]).toEqual([undefined, true]);
  });

  it("are looked for after a kill only where the disk may have been away, after a reboot always", async () => {
    scene.isMountUnbroken = true;
    await restore(false);
    expect(scene.known).toBeUndefined();
    await restore(true);
    expect([scene.known?.length, scene.evenShorter]).toEqual([1, true]);
    scene.isMountUnbroken = false;
    await restore(false);
    expect(scene.evenShorter).toBe(false);
  });

  it("are compared with the last checkpoint where the same commit is checked out as then", async () => {
    await checkpoint("head_before = 'head-1', tree_before = 'tree-before'");
    expect(await known()).toEqual(["tree-before", "head-1"]);
    await checkpoint("tree_after = 'tree-after'");
    expect(await known()).toEqual(["tree-after", "head-1"]);
    await checkpoint("head_before = 'another'");
    expect(await known()).toEqual(["head-1"]);
  });

  it("are compared with the newest snapshot of this worktree at this commit, and with none of losses", async () => {
    const snapshot = (commit: string, more: object = {}) => ({
      commit,
      worktreeId: worktree.id,
      head: "head-1",
      because: "by hand",
      takenAt: "2026-11-15T12:00:00.000Z",
      ...more,
    });
    scene.snapshots = [
      snapshot("older"),
      snapshot("newest"),
      snapshot("elsewhere", { worktreeId: "another" }),
      snapshot("at another commit", { head: "another" }),
      snapshot("of losses", { because: beforeRestoring(session.id) }),
    ];
    expect(await known()).toEqual(["newest", "head-1"]);
  });

  it("are named in the answer and in the journal", async () => {
    scene.restored = ["a.txt"];
    expect(await restore()).toEqual([expect.stringMatching(/^1 file in \/w .*a\.txt$/)]);
    const lines = await world.pawl.events({ plan: session.plan_path! });
    expect(lines.filter(({ event }) => event === "files-restored")).toHaveLength(1);
  });

  it("stay as they are in the middle of a move that cannot be finished, and are looked for again", async () => {
    scene.moveFails = new Failure("merge/overtaken", "in the middle", {});
    expect(await restore()).toEqual(["in the middle"]);
    expect([scene.known, scene.isMountNoted]).toEqual([undefined, false]);
    scene.moveFails = new Failure("merge/taken-back", "taken back", {});
    expect(await restore()).toEqual(["taken back"]);
    expect([scene.known?.length, scene.isMountNoted]).toEqual([1, true]);
  });
});
