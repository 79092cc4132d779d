import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { planText } from "../support/plans.ts";
import { sharedServer } from "../postgres/shared-server.ts";
import { openNewPostgres } from "./postgres.ts";
import { openNewSqlite } from "./sqlite.ts";
import { type ConformanceWorld, openWorld, type OpenStore, outcomeOf } from "./store.ts";

const shared = sharedServer();

/**
 * All that the two engines do differently. Everything else is the same sentence in a suite that both run; a new
 * difference needs a line here, with its reason.
 */
const CAPABILITIES = {
  "keeps a NUL character in a text": {
    sqlite: "ok",
    postgres: "E066",
    because: "PostgreSQL's text cannot hold one, so the call is refused and nothing is changed",
    ask: async ({ pawl, plans }: ConformanceWorld) => {
      plans.set("nul.md", planText([{ number: "1" }]));
      await pawl.init({ plan: "nul.md" });
      await pawl.claim({ plan: "nul.md", worktree: "/a" });
      return outcomeOf(
        pawl.artifact({
          plan: "nul.md",
          step: "step-1",
          worktree: "/a",
          kind: "auditor_summary",
          summary: "a\0b",
        }),
      );
    },
  },
  "takes the time from": {
    sqlite: "the machine",
    postgres: "the server",
    because: "machines that share a server must agree on what time it is",
    ask: async ({ database, clock }: ConformanceWorld) => {
      clock.wall += 10 * 365 * 86_400_000;
      const now = await database.read(async (sql) => sql.now);
      return now.slice(0, 13) === new Date(clock.wall).toISOString().slice(0, 13)
        ? "the machine"
        : "the server";
    },
  },
  "runs transactions of one process": {
    sqlite: "one after another",
    postgres: "side by side",
    because:
      "a file has one writer; on a server only rows are locked, so writers of different steps do not wait",
    ask: async ({ database }: ConformanceWorld) => {
      let inside = 0;
      let most = 0;
      let bothEntered: () => void = () => undefined;
      const both = new Promise<void>((resolve) => (bothEntered = resolve));
      // The first to enter waits for the other. Where the other must wait for the first, none comes in this time.
      const alone = new Promise<void>((resolve) => setTimeout(resolve, 3_000));
      let entered = 0;
      const work = async (): Promise<void> => {
        most = Math.max(most, (inside += 1));
        if ((entered += 1) === 2) bothEntered();
        await Promise.race([both, alone]);
        inside -= 1;
      };
      await Promise.all([database.write(work), database.write(work)]);
      return most === 1 ? "one after another" : "side by side";
    },
  },
} as const;

describe.each([
  ["sqlite", openNewSqlite],
  ["postgres", openNewPostgres(() => shared.url)],
] as const satisfies readonly (readonly ["sqlite" | "postgres", OpenStore])[])("%s", (engine, open) => {
  let world: ConformanceWorld;
  beforeAll(async () => {
    world = await openWorld(open);
  });
  afterAll(() => world?.close());

  test.each(Object.entries(CAPABILITIES))("%s", async (_what, capability) => {
    expect(await capability.ask(world), capability.because).toBe(capability[engine]);
  });
});
