import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { loadDriver } from "../../src/platform/sqlite/driver.ts";
import { type ChildPrograms, childPrograms } from "../support/child-program.ts";
import { type Conversation, converse } from "../support/lines.ts";

/**
 * The log and its index may be removed while a process has the database open, as by a clean-up of `*.db-*`. Two processes
 * would then each have a log of their own, and whichever closes last would end the other's.
 */

let programs: ChildPrograms<"holder">;
let folder: string;
let path: string;
const processes: Conversation[] = [];

beforeAll(async () => {
  programs = await childPrograms("holder");
});
afterAll(() => programs.remove());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pawl-parted-"));
  path = join(folder, "state.db");
});
afterEach(async () => {
  for (const running of processes.splice(0)) await running.end();
  rmSync(folder, { recursive: true, force: true });
});

function holder(): Conversation {
  const running = converse(programs.start("holder", { path }));
  processes.push(running);
  return running;
}

/** As it ends by itself. */
async function leave({ process: leaving }: Conversation): Promise<void> {
  leaving.stdin!.end();
  await once(leaving, "close");
}

/** What a process finds when no other has it open. */
function found(): unknown {
  const connection = loadDriver().open(path, { readOnly: true });
  try {
    return connection.prepare("select count(*) as n from events").get()?.["n"];
  } finally {
    connection.close();
  }
}

const OK = { opened: "ok", wrote: "ok" };
const LEFT_ALONE = { opened: "E381" };
const REFUSED = { opened: "ok", wrote: "E069" };

describe.each([["-shm"], ["-wal"], ["-wal", "-shm"]])("a database without its %s %s", (...ends) => {
  const part = (real: string) => {
    for (const end of ends.filter((one) => one !== undefined)) rmSync(`${real}${end}`);
  };

  it.each([
    ["ends", leave],
    ["is killed", (one: Conversation) => one.end()],
  ])("is left alone while a process has it open, and nothing is lost when that %s", async (_how, end) => {
    const first = holder();
    expect([await first.ask({}), await first.ask({}), await first.ask({})]).toEqual([OK, OK, OK]);
    part(path);
    expect(await holder().ask({})).toEqual(LEFT_ALONE);
    expect(await first.ask({})).toEqual(REFUSED);
    await end(first);
    const third = holder();
    expect(await third.ask({})).toEqual(OK);
    await leave(third);
    expect(found(), "what was answered with ok is there, and nothing else").toBe(4);
  });

  it("keeps what was written also where nothing is asked before the end", async () => {
    const first = holder();
    expect([await first.ask({}), await first.ask({})]).toEqual([OK, OK]);
    part(path);
    expect(await holder().ask({})).toEqual(LEFT_ALONE);
    await leave(first);
    expect(found()).toBe(2);
  });

  it("is left alone also where a link leads to it", async () => {
    mkdirSync(join(folder, "elsewhere"));
    const real = join(folder, "elsewhere", "real.db");
    symlinkSync(real, path);
    const first = holder();
    expect(await first.ask({})).toEqual(OK);
    part(real);
    expect(await holder().ask({})).toEqual(LEFT_ALONE);
    expect(await first.ask({})).toEqual(REFUSED);
  });

  it("is opened where no process has it open any more", async () => {
    const first = holder();
    expect(await first.ask({})).toEqual(OK);
    first.process.kill("SIGKILL");
    await first.end();
    part(path);
    expect(await holder().ask({})).toHaveProperty("opened", "ok");
  });
});

it("opens for many at once who find neither log nor index", async () => {
  const first = holder();
  expect(await first.ask({})).toEqual(OK);
  await leave(first);
  expect([existsSync(`${path}-wal`), existsSync(`${path}-shm`)]).toEqual([false, false]);
  const many = Array.from({ length: 8 }, holder);
  expect(await Promise.all(many.map((one) => one.ask({})))).toEqual(many.map(() => OK));
});
