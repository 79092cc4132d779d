import { join } from "node:path";
import { writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { planText } from "../../../test/support/plans.ts";
import { cleanEnv, testRepository, type TestRepository } from "../../../test/support/repository.ts";
import { pawlOn } from "../../api.ts";
import { compose } from "../../compose.ts";
import type { Database, Ports } from "../../platform/ports/index.ts";
import { insertAttempt } from "../../verification/sql/insert-attempt.ts";
import { insertVerdict } from "../../verification/sql/insert-verdict.ts";
import { commit as commitStep, type CommitRequest } from "../commit.ts";
import { finishIntents } from "../finish-intents.ts";
import { ensureIntegration } from "./integrate.ts";
import { mark, whileSettled } from "./landing.ts";

const PLAN = "plan.md";
const BRANCH = "pawl/plan";
const W1 = "pawl/plan-w1";
const W2 = "pawl/plan-w2";

let repo: TestRepository;
let ports: Ports;
let start: string;
let folders: Readonly<Record<string, string>>;

/** A plan's branch, and two workers in worktrees whose branches go to it. */
async function setUp(settings = ""): Promise<void> {
  repo = testRepository();
  repo.write(PLAN, planText([{ number: "1" }, { number: "2" }, { number: "3" }]));
  repo.write("pawl.toml", settings);
  repo.git("add", "-A");
  repo.git("commit", "-qm", "plan");
  start = repo.git("rev-parse", "HEAD");
  ports = await compose({ cwd: repo.path, env: cleanEnv() });
  await pawlOn(ports).init({ plan: PLAN });
  expect(await ensureIntegration(ports, PLAN)).toMatchObject({ branch: BRANCH, base: "main" });
  const branches = await ports.branches();
  folders = { [W1]: repo.addWorktree(W1), [W2]: repo.addWorktree(W2) };
  for (const name of [W1, W2]) await branches.mark(name, { plan: PLAN, base: BRANCH, start });
}

afterEach(async () => {
  await pawlOn(ports).close();
  repo.remove();
});

interface Held {
  readonly step: string;
  readonly claim: number;
  readonly worktree: string;
}

/** A worker has a step and files for it. */
async function working(name: string, step: string, force = false): Promise<Held> {
  const worktree = folders[name]!;
  const { claim } = await pawlOn(ports).claim({ plan: PLAN, step, worktree, start: true, force });
  writeFileSync(join(worktree, `${step}.txt`), `${step} of ${name}\n`);
  return { step, claim: claim!, worktree };
}

const commit = ({ step, claim, worktree }: Held, more: Partial<CommitRequest> = {}, on = ports) =>
  commitStep(on, {
    plan: PLAN,
    step,
    caller: { worktree: ports.repository.worktree(worktree), claim },
    message: step,
    ...more,
  });

const at = (ref: string): string => repo.git("rev-parse", ref);
const files = (ref: string): readonly string[] =>
  repo
    .git("ls-tree", "--name-only", ref)
    .split("\n")
    .filter((name) => name.startsWith("step-"));
const statusOf = async (step: string) =>
  (await pawlOn(ports).show({ plan: PLAN })).steps.find(({ anchor }) => anchor === step)?.status;
const events = async (): Promise<readonly string[]> =>
  (await pawlOn(ports).events({ plan: PLAN })).map(({ event }) => event);

/** Ports whose store does something else with some of the transactions that write. */
const withWrites = (
  of: Ports,
  instead: (write: () => Promise<unknown>, nth: number) => Promise<unknown>,
): Ports => {
  let writes = 0;
  return {
    ...of,
    async database(options) {
      const database = await of.database(options);
      const write: Database["write"] = async (work, how) =>
        (await instead(() => database.write(work, how), (writes += 1))) as never;
      return { ...database, write };
    },
  };
};

/** Ports of a process that is killed right after it has moved the plan's branch. */
function diesOnceMoved(): Ports {
  const unlessMoved = <T>(work: () => Promise<T>): Promise<T> =>
    at(BRANCH) === start ? work() : Promise.reject(new Error("killed"));
  const dying = withWrites(ports, (write) => unlessMoved(write));
  return {
    ...dying,
    async branches() {
      const branches = await ports.branches();
      return { ...branches, advance: (...move) => unlessMoved(() => branches.advance(...move)) };
    },
  };
}

describe("a worker's commit", () => {
  beforeEach(() => setUp());

  it("becomes the plan's branch, and a second one is merged with it", async () => {
    const [first, second] = [await working(W1, "step-1"), await working(W2, "step-2")];
    expect(await commit(first)).toMatchObject({ completed: true });
    expect(at(BRANCH)).toBe(at(W1));
    expect(await commit(second)).toMatchObject({ completed: true });
    expect(repo.git("log", "-1", "--format=%P", BRANCH)).toBe(`${at(W1)} ${at(W2)}`);
    expect(files(BRANCH)).toEqual(["step-1.txt", "step-2.txt"]);
    expect([await statusOf("step-1"), await statusOf("step-2")]).toEqual(["completed", "completed"]);
  });

  it("that comes too late moves no branch, and is kept", async () => {
    const [late, first] = [await working(W1, "step-1"), await working(W2, "step-2")];
    await commit(first);
    const landed = at(BRANCH);
    const approve = async () => void (await working(W2, "step-1", true));
    const made: string[] = [];
    const answer = await commit(late, {
      goal: { branch: BRANCH, from: W1, approve },
      onMade: (one) => void made.push(one.commit),
    });
    expect(answer).toMatchObject({ completed: false });
    // Taken back at once it would be there for a moment, and others could build on it.
    expect([at(BRANCH), repo.git("reflog", "--format=%H", BRANCH).split("\n")[0]]).toEqual([landed, landed]);
    expect(await events()).not.toContain("landing-taken-back");
    // The worker's branch goes back as well: what it does next would bring the commit along.
    expect(at(W1)).toBe(start);
    expect(repo.git("for-each-ref", "--format=%(objectname)", "refs/pawl/late")).toBe(made[0]);
  });

  it("stays on a branch that begins with it", async () => {
    const [late, first] = [await working(W1, "step-1"), await working(W2, "step-2")];
    await commit(first);
    const branches = await ports.branches();
    let made = "";
    const approve = async () => {
      await branches.mark("pawl/plan-later", { plan: PLAN, base: BRANCH, start: made });
      repo.git("branch", "pawl/plan-later", made);
      await working(W2, "step-1", true);
    };
    await commit(late, {
      goal: { branch: BRANCH, from: W1, approve },
      onMade: (one) => void (made = one.commit),
    });
    expect([at("pawl/plan-later"), at(W1)]).toEqual([made, start]);
  });

  it("is taken off the plan's branch when the claim went to another worker right after the move", async () => {
    const held = await working(W1, "step-1");
    const branches = await ports.branches();
    const overtaken: Ports = {
      ...ports,
      branches: async () => ({
        ...branches,
        async advance(branch, from, to, why) {
          const isMoved = await branches.advance(branch, from, to, why);
          if (to === at(W1)) await working(W2, "step-1", true);
          return isMoved;
        },
      }),
    };
    expect(await commit(held, {}, overtaken)).toMatchObject({ completed: false });
    expect(at(BRANCH)).toBe(start);
    expect(await events()).toContain("landing-taken-back");
  });

  it("stays landed when the state has the completion, and only the answer was lost", async () => {
    const held = await working(W1, "step-1");
    const losing = withWrites(ports, async (write) => {
      const answer = await write();
      if ((await statusOf("step-1")) === "completed") throw new Error("the connection is gone");
      return answer;
    });
    await expect(commit(held, {}, losing)).rejects.toThrow("the connection is gone");
    expect([at(BRANCH), await statusOf("step-1")]).toEqual([at(W1), "completed"]);
    await whileSettled(ports, BRANCH, async () => undefined);
    expect(at(BRANCH)).toBe(at(W1));
  });

  it("is completed by the next landing where its owner was killed after the move", async () => {
    const held = await working(W1, "step-1");
    const killed = diesOnceMoved();
    await expect(commit(held, {}, killed)).rejects.toThrow("killed");
    expect([at(BRANCH), await statusOf("step-1")]).toEqual([at(W1), "in_progress"]);
    await whileSettled(ports, BRANCH, async () => undefined);
    expect([at(BRANCH), await statusOf("step-1")]).toEqual([at(W1), "completed"]);
  });

  it("is taken back by the next landing where the claim is over by then", async () => {
    const held = await working(W1, "step-1");
    const killed = diesOnceMoved();
    await expect(commit(held, {}, killed)).rejects.toThrow("killed");
    await working(W2, "step-1", true);
    await whileSettled(ports, BRANCH, async () => undefined);
    expect([at(BRANCH), await statusOf("step-1")]).toEqual([start, "in_progress"]);
  });

  it("moves nothing under another number than that of the claim", async () => {
    const { step: anchor, claim, worktree } = await working(W1, "step-1");
    const landing = {
      plan: PLAN,
      anchor,
      caller: { worktree: ports.repository.worktree(worktree) },
      commit: start,
      goal: { branch: BRANCH, from: W1 },
    };
    const move = { branch: BRANCH, from: start, to: start };
    expect(await mark(ports, { ...landing, claim: claim - 1 }, move)).toBe(false);
    expect(await mark(ports, { ...landing, claim }, move)).toBe(true);
  });
});

describe("where the settings name a check, a merge", () => {
  beforeEach(() => setUp('[verify]\ncommand = ["true"]\n'));

  it("that nothing has verified does not land", async () => {
    const [first, second] = [await working(W1, "step-1"), await working(W2, "step-2")];
    await commit(first);
    const landed = at(BRANCH);
    expect(await commit(second)).toMatchObject({ completed: false });
    expect([at(BRANCH), await statusOf("step-2")]).toEqual([landed, "in_progress"]);
  });

  it("is verified again when another commit landed while it was being verified", async () => {
    const [first, second] = [await working(W1, "step-1"), await working(W2, "step-2")];
    await commit(first);
    const verified: (readonly string[])[] = [];
    const approve = async ({ tree }: { readonly tree: string }) => {
      verified.push(files(tree));
      if (verified.length > 1) return;
      const other = repo.git("commit-tree", `${BRANCH}^{tree}`, "-p", BRANCH, "-m", "another worker's");
      repo.git("update-ref", `refs/heads/${BRANCH}`, other);
    };
    const answer = await commit(second, { goal: { branch: BRANCH, from: W2, approve } });
    expect(answer).toMatchObject({ completed: true });
    expect(verified).toEqual([
      ["step-1.txt", "step-2.txt"],
      ["step-1.txt", "step-2.txt"],
    ]);
  });
});

describe("where the settings name a check, a commit that a killed process left", () => {
  beforeEach(() => setUp('[verify]\ncommand = ["true"]\n'));

  /** Killed right after the commit was made, in its second transaction. */
  async function leave(held: Held, more: Partial<CommitRequest> = {}): Promise<void> {
    const killed = withWrites(ports, async (write, nth) => {
      if (nth > 1) throw new Error("killed");
      return write();
    });
    await expect(commit(held, more, killed)).rejects.toThrow("killed");
  }

  const treeIn = async (name: string) =>
    (await ports.commits()).tree(ports.repository.worktree(folders[name]!));

  const orphaned = async () => {
    const database = await ports.database();
    await database.write((sql) =>
      sql.run(
        {
          text: `update steps set claimed_host = 'another machine', lease_boot_id = 'gone', lease_expires_at = '2020-01-01T00:00:00.000Z' where anchor = 'step-1'`,
          locks: undefined,
        },
        {},
      ),
    );
  };

  const passed = async ({ step: anchor, claim }: Held, tree: string) => {
    const database = await ports.database();
    const row = { plan_path: PLAN, anchor, claim, session_id: null, tree };
    await database.write(async (sql) => {
      await sql.run(insertAttempt, { ...row, number: 1, now: sql.now });
      const said = { outcome: "passed", because: "passed", evidence: "[]" } as const;
      await sql.run(insertVerdict, { ...row, attempt: 1, ...said, now: sql.now });
    });
  };

  it("is left alone while its owner may live", async () => {
    await leave(await working(W1, "step-1"));
    expect(await finishIntents(ports)).toMatchObject([
      { outcome: "open", because: expect.stringMatching("still") },
    ]);
    expect([at(BRANCH), await statusOf("step-1")]).toEqual([start, "in_progress"]);
  });

  it("lands where a person committed it without a check", async () => {
    await leave(await working(W1, "step-1"));
    await orphaned();
    expect(await finishIntents(ports)).toMatchObject([{ outcome: "completed" }]);
    expect([at(BRANCH), await statusOf("step-1")]).toEqual([at(W1), "completed"]);
  });

  it.each([
    ["waits where nothing passed", undefined],
    ["waits where other files passed", "other"],
    ["lands where exactly its files passed", "same"],
  ])("that was to be verified %s", async (_, which) => {
    const held = await working(W1, "step-1");
    const tree = await treeIn(W1);
    if (which !== undefined) await passed(held, which === "same" ? tree : at(`${BRANCH}^{tree}`));
    await leave(held, { tree });
    await orphaned();
    const outcome = which === "same" ? "completed" : "open";
    expect(await finishIntents(ports)).toMatchObject([{ outcome }]);
    expect(at(BRANCH)).toBe(which === "same" ? at(W1) : start);
  });
});
