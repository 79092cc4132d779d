import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ARTIFACT_KINDS } from "../../src/domain/artifact.ts";
import { ITEM_KINDS, ITEM_STATUSES } from "../../src/domain/plan.ts";
import { allMoves, STEP_STATUSES, STEP_TRANSITIONS } from "../../src/domain/step-machine.ts";
import type { Sql } from "../../src/platform/ports/database.ts";
import { type ConformanceWorld, openWorld, type OpenStore, raw } from "./store.ts";

/** The store refuses by itself what the tables of the domain do not have, for every caller. */
export function transitionConformance(name: string, open: OpenStore): void {
  describe(`${name} guards the step machine`, () => {
    let world: ConformanceWorld;
    beforeAll(async () => {
      world = await openWorld(open);
    });
    afterAll(() => world.close());

    /** Does something to a fresh row and takes it back; tells whether the store let it happen. */
    const allowed = async (work: (sql: Sql) => Promise<unknown>): Promise<boolean> => {
      const undo = new Error("undo");
      try {
        await world.database.write(async (sql) => {
          await work(sql);
          throw undo;
        });
        return false;
      } catch (error) {
        return error === undo;
      }
    };

    it("knows exactly the moves of the table, for every status, event and outcome", async () => {
      const events = [...new Set(STEP_TRANSITIONS.map((row) => row.event)), "saved", "nonsense"];
      const wanted = new Set(allMoves().map((move) => `${move.from} ${move.event} ${move.to}`));
      const found = new Set<string>();
      for (const from of STEP_STATUSES) {
        for (const event of events) {
          for (const to of STEP_STATUSES) {
            const moved = await allowed(async (sql) => {
              await insertStep(sql, from);
              await sql.run(
                raw(
                  "update steps set status = :to, last_event = :event, reopen_reason = 'why' where anchor = 's'",
                ),
                { to, event },
              );
            });
            if (moved) found.add(`${from} ${event} ${to}`);
          }
        }
      }
      expect([...found].toSorted()).toEqual([...wanted].toSorted());
    });

    it("reopens nothing without a reason", async () => {
      const reopen = (reason: string | null) =>
        allowed(async (sql) => {
          await insertStep(sql, "completed");
          await sql.run(
            raw(
              "update steps set status = 'pending', last_event = 'reopened', reopen_reason = :reason where anchor = 's'",
            ),
            { reason },
          );
        });
      expect(await reopen(null)).toBe(false);
      expect(await reopen("")).toBe(false);
      expect(await reopen("it broke")).toBe(true);
    });

    it("lets no claim number go down", async () => {
      const change = (to: number) =>
        allowed(async (sql) => {
          await insertStep(sql, "pending");
          await sql.run(raw("update steps set claim_seq = 5 where anchor = 's'"), {});
          await sql.run(raw("update steps set claim_seq = :to where anchor = 's'"), { to });
        });
      expect(await Promise.all([3, 4].map(change))).toEqual([false, false]);
      expect(await Promise.all([5, 6].map(change))).toEqual([true, true]);
    });

    it("holds no step without an owner", async () => {
      const hold = (status: string) =>
        allowed(async (sql) => {
          await insertStep(sql, "pending");
          await sql.run(
            raw(
              "update steps set claimed_by = null, status = :status, last_event = 'claimed' where anchor = 's'",
            ),
            { status },
          );
        });
      expect(await hold("claimed")).toBe(false);
    });

    it.each([
      ["step statuses", STEP_STATUSES, (sql: Sql, value: string) => insertStep(sql, value)],
      ["item kinds", ITEM_KINDS, (sql: Sql, value: string) => insertItem(sql, { kind: value })],
      ["item statuses", ITEM_STATUSES, (sql: Sql, value: string) => insertItem(sql, { status: value })],
      ["artifact kinds", ARTIFACT_KINDS, insertArtifact],
      ["plan statuses", ["active", "done"], insertPlan],
      [
        "session statuses",
        ["in_progress", "completed", "failed", "interrupted", "abandoned"],
        (sql: Sql, value: string) => insertSession(sql, value, null),
      ],
      [
        "interruptions",
        ["user_interrupt", "termination", "hangup", "process_kill", "usage_limit", "unknown"],
        (sql: Sql, value: string) => insertSession(sql, "interrupted", value),
      ],
    ] as const)("knows exactly the %s of the domain", async (_what, known: readonly string[], insert) => {
      for (const value of known) expect(await allowed((sql) => insert(sql, value)), value).toBe(true);
      for (const value of ["nonsense", "", known[0]!.toUpperCase(), `${known[0]} `])
        expect(await allowed((sql) => insert(sql, value)), JSON.stringify(value)).toBe(false);
    });

    it("defers no item without a reason, counts no ordinal twice and none below zero", async () => {
      expect(await allowed((sql) => insertItem(sql, { status: "deferred", reason: null }))).toBe(false);
      expect(await allowed((sql) => insertItem(sql, { status: "deferred", reason: "later" }))).toBe(true);
      expect(await allowed((sql) => insertItem(sql, { ordinal: -1 }))).toBe(false);
      const twice = allowed(async (sql) => {
        await insertItem(sql, {});
        await addItem(sql, {});
      });
      expect(await twice).toBe(false);
    });

    it("keeps every row tied to its plan and its step", async () => {
      const dangling = [
        "insert into steps (plan_path, anchor, step_index, title) values ('no such plan', 'a', 0, 't')",
        "insert into step_deps (plan_path, step_anchor, depends_on) values ('p', 's', 'nowhere')",
        "insert into checklist_items (plan_path, step_anchor, kind, ordinal, text) values ('p', 'nowhere', 'task', 0, 't')",
        "insert into step_artifacts (plan_path, step_anchor, kind, summary, recorded_at) values ('p', 'nowhere', 'auditor_summary', 't', 'now')",
        "delete from plans where plan_path = 'p'",
      ];
      for (const text of dangling) {
        const done = allowed(async (sql) => {
          await insertStep(sql, "pending");
          await sql.run(raw(text), {});
        });
        expect(await done, text).toBe(false);
      }
    });

    it("counts open dependencies down to zero and no further", async () => {
      const counted = allowed(async (sql) => {
        await insertStep(sql, "pending");
        await sql.run(raw("update steps set unmet_deps = unmet_deps - 1 where anchor = 's'"), {});
      });
      expect(await counted).toBe(false);
    });
  });
}

const insertPlan = (sql: Sql, status: string): Promise<number> =>
  sql.run(
    raw(
      "insert into plans (plan_path, plan_hash, status, created_at, updated_at) values ('p', 'h', :status, :now, :now)",
    ),
    { status, now: sql.now },
  );

async function insertStep(sql: Sql, status: string): Promise<void> {
  await insertPlan(sql, "active");
  await sql.run(
    raw(
      "insert into steps (plan_path, anchor, step_index, title, status, claimed_by) values ('p', 's', 0, 't', :status, '/w')",
    ),
    { status },
  );
}

interface Item {
  readonly kind?: string;
  readonly status?: string;
  readonly ordinal?: number;
  readonly reason?: string | null;
}

async function insertItem(sql: Sql, item: Item): Promise<void> {
  await insertStep(sql, "pending");
  await addItem(sql, item);
}

const addItem = (
  sql: Sql,
  { kind = "task", status = "open", ordinal = 0, reason = "r" }: Item,
): Promise<number> =>
  sql.run(
    raw(
      "insert into checklist_items (plan_path, step_anchor, kind, ordinal, text, status, reason) values ('p', 's', :kind, :ordinal, 't', :status, :reason)",
    ),
    { kind, status, ordinal, reason },
  );

async function insertArtifact(sql: Sql, kind: string): Promise<void> {
  await insertStep(sql, "pending");
  await sql.run(
    raw(
      "insert into step_artifacts (plan_path, step_anchor, kind, summary, recorded_at) values ('p', 's', :kind, 't', :now)",
    ),
    { kind, now: sql.now },
  );
}

const insertSession = (sql: Sql, status: string, interruption: string | null): Promise<number> =>
  sql.run(
    raw(`insert into sessions (id, worktree, worktree_id, pid, process_started_at, boot_id, host_id, status, started_at, interruption_type, resumable)
         values ('x', '/w', 'w', 1, '1', 'b', 'h', :status, :now, :interruption, 0)`),
    { status, interruption, now: sql.now },
  );
