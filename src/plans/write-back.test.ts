import { readFileSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cleanEnv, testRepository, type TestRepository } from "../../test/support/repository.ts";
import { raw } from "../../test/conformance/store.ts";
import { type Pawl, pawlOn } from "../api.ts";
import { compose } from "../compose.ts";
import type { Ports } from "../platform/ports/index.ts";
import { writeBack } from "./write-back.ts";

const PLAN = ".kiro/specs/wall/tasks.md";
const TEXT = "# Wall\n\n- [ ] 1. Build it\n- [ ] 2. Paint it\n";
const FIRST = TEXT.replace("[ ] 1.", "[x] 1.");
const BOTH = FIRST.replace("[ ] 2.", "[x] 2.");

let repo: TestRepository;
let ports: Ports;
let path: string;

beforeEach(async () => {
  repo = testRepository();
  ports = await compose({ cwd: repo.path, env: cleanEnv() });
});
afterEach(async () => {
  await pawlOn(ports).close();
  repo.remove();
});

/** A list of Kiro in whose file each step has a number and words. */
async function listed(text = TEXT): Promise<void> {
  path = repo.write(PLAN, text);
  expect(await pawlOn(ports).init({ plan: PLAN })).toMatchObject({ stepCount: 2 });
}

async function done(step: string, pawl: Pawl = pawlOn(ports)): Promise<void> {
  const at = { plan: PLAN, worktree: repo.path };
  const { anchor } = await pawl.claim({ ...at, start: true });
  expect(anchor).toBe(step);
  await pawl.complete({ ...at, step });
}

const now = (): string => readFileSync(path, "utf8");

/** The names of the steps, by place. */
const names = async (): Promise<readonly string[]> =>
  (await pawlOn(ports).show({ plan: PLAN })).steps.map(({ anchor }) => anchor);

describe("a file that fell behind", () => {
  it("is named by a dry run, and brought up to date by any other", async () => {
    await listed();
    const [one = ""] = await names();
    await done(one);
    expect(now()).toBe(FIRST);
    writeFileSync(path, TEXT);
    expect(await writeBack(ports, PLAN, { dryRun: true })).toEqual({ files: [PLAN], problems: [] });
    expect(now()).toBe(TEXT);
    expect(await writeBack(ports, PLAN)).toEqual({ files: [PLAN], problems: [] });
    expect(now()).toBe(FIRST);
    expect(await writeBack(ports, PLAN)).toEqual({ files: [], problems: [] });
  });

  it("shows also what another process changed in the store while it was being written", async () => {
    await listed();
    const [one = "", two = ""] = await names();
    await done(one);
    writeFileSync(path, TEXT);
    const { files } = ports;
    /** One that changes the store and is killed before it writes to the file. */
    const killed = { ...ports, notice: () => undefined, files: { ...files, replaceIf: () => false } };
    let other: Promise<void> | undefined;
    const overtaken: Ports = {
      ...ports,
      async database(options) {
        const database = await ports.database(options);
        return {
          ...database,
          async read(work) {
            await other;
            return database.read(work);
          },
        };
      },
      files: {
        ...files,
        replaceIf(...edit) {
          other ??= done(two, pawlOn(killed));
          return files.replaceIf(...edit);
        },
      },
    };
    expect(await writeBack(overtaken, PLAN)).toEqual({ files: [PLAN], problems: [] });
    expect(now()).toBe(BOTH);
  });
});

describe("a box stays as it is", () => {
  it("where the file itself said that its step is done, with what is open in it", async () => {
    const folder = "backlog/tasks";
    const text =
      "---\nid: task-1\ntitle: Wall\nstatus: Done\n---\n\n## Acceptance Criteria\n<!-- AC:BEGIN -->\n- [ ] #1 it stands\n<!-- AC:END -->\n";
    path = repo.write(`${folder}/task-1 - wall.md`, text);
    await pawlOn(ports).init({ plan: folder });
    const { steps } = await pawlOn(ports).show({ plan: folder });
    expect(steps.map(({ status }) => status)).toEqual(["completed"]);
    expect(await writeBack(ports, folder)).toEqual({ files: [], problems: [] });
    expect(now()).toBe(text);
  });

  it("where other words stand beside the name of a completed step", async () => {
    await listed();
    const [one = ""] = await names();
    await done(one);
    const other = TEXT.replace("Build it", "Tear the old one down");
    writeFileSync(path, other);
    expect(await writeBack(ports, PLAN)).toEqual({ files: [], problems: [] });
    expect(now()).toBe(other);
  });

  it("where the plan says something else about a step that was begun", async () => {
    await listed();
    const [one = ""] = await names();
    await done(one);
    writeFileSync(path, TEXT);
    const database = await ports.database();
    await database.write((sql) =>
      sql.run(raw("update steps set bound_to = 'another text' where anchor = :one"), { one }),
    );
    expect(await writeBack(ports, PLAN)).toEqual({ files: [], problems: [] });
    expect(now()).toBe(TEXT);
  });
});
