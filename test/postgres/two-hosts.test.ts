import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuiltProgram, buildProgram } from "./built-program.ts";
import { drain, STEPS } from "./drain.ts";
import { startProxy } from "./proxy.ts";
import { ownServer } from "./shared-server.ts";

const shared = ownServer();
let program: BuiltProgram;

beforeAll(async () => {
  program = await buildProgram("drain");
}, 60_000);
afterAll(() => program?.remove());

const DAY_MS = 24 * 3600 * 1000;

describe("two machines on one server", () => {
  // proves G-clock-robs-no-owner, G-never-completed-twice
  test("complete every step of a large plan once, though one machine's clock is a day ahead", async () => {
    const { lines, failures } = await drain({ program, url: shared.url, clockErrorMs: DAY_MS });
    expect(failures).toEqual([]);
    expect(lines.filter((line) => line.told === "completed")).toHaveLength(STEPS);
  });

  test("lose and double nothing when their connections are ended by the server at random", async () => {
    let killed = 0;
    await drain({
      program,
      url: shared.url,
      clockErrorMs: -DAY_MS,
      async meanwhile(isOver) {
        while (!isOver()) {
          const victims = await shared.ask(
            `select pg_terminate_backend(pid) from pg_stat_activity
              where application_name = 'pawl' order by random() limit 1`,
          );
          killed += victims.length;
          await sleep(60);
        }
      },
    });
    expect(killed).toBeGreaterThan(20);
  });

  test("lose and double nothing when connections break just before and just after a commit arrives", async () => {
    const random = seeded(7);
    let cut = 0;
    const proxy = await startProxy(shared.server.port, ({ text }) => {
      if (text !== "commit" || random() > 0.08) return "pass";
      cut += 1;
      return random() < 0.8 ? "cut-after" : "cut-before";
    });
    try {
      await drain({ program, url: shared.url, workerUrl: proxy.through(shared.url) });
    } finally {
      await proxy.close();
    }
    expect(cut).toBeGreaterThan(100);
  });

  test("lose and double nothing when the server crashes and comes back, three times", async () => {
    let crashes = 0;
    await drain({
      program,
      url: shared.url,
      async meanwhile(isOver) {
        while (!isOver() && crashes < 3) {
          await sleep(700);
          if (isOver()) break;
          await shared.server.crashAndRestart();
          crashes += 1;
        }
      },
    });
    expect(crashes).toBe(3);
  });
});

/** The same cuts in every run, as far as the order of messages allows. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
