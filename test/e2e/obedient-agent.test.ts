import { appendFileSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { mcpClient } from "../support/mcp-client.ts";
import { clientProcess } from "../support/mcp-process.ts";
import { obey } from "../support/obedient-agent.ts";
import { planText } from "../support/plans.ts";
import { query, withDatabase } from "../support/world.ts";
import { ok, PLAN, until, type Workshop, workshop } from "../support/workshop.ts";

const PLAN_TEXT = planText([
  { number: "1", title: "Dig", tasks: ["dig a hole"] },
  { number: "2", title: "Build", dependsOn: ["step-1"], tasks: ["raise the walls"], tests: ["they stand"] },
]);

const change = (shop: Workshop, sql: string) =>
  withDatabase(shop.database, (connection) => void connection.prepare(sql).run());

const init = (shop: Workshop) => void ok(shop.json("state", "init", PLAN));

/** How the state was left. */
const STATES: Readonly<Record<string, (shop: Workshop) => void | Promise<void>>> = {
  "no plan has state": () => undefined,
  "nothing was begun": init,
  "held here, half ticked": (shop) => {
    init(shop);
    shop.take(".", "step-1");
    ok(shop.work("update", ".", "step-1", "--task", "1", "in_progress"));
  },
  "held elsewhere": (shop) => {
    init(shop);
    shop.take(shop.worktree("other"), "step-1");
  },
  "held elsewhere, its lease is over": (shop) => {
    init(shop);
    shop.take(shop.worktree("other"), "step-1");
    change(shop, "update steps set lease_uptime_ms = 0 where anchor = 'step-1'");
  },
  "a session was killed here": async (shop) => {
    const { call, child, server } = await clientProcess(shop.home);
    await call("pawl_claim", { plan: PLAN });
    process.kill(server, "SIGKILL");
    child.kill("SIGKILL");
  },
  "a session went away here": async (shop) => {
    const { call, child } = await clientProcess(shop.home);
    await call("pawl_claim", { plan: PLAN });
    child.kill("SIGKILL");
    await until(
      "it is interrupted",
      () => query(shop.database, "select status from sessions")[0]?.["status"] === "interrupted",
    );
  },
  "blocked after three attempts": (shop) => {
    init(shop);
    change(
      shop,
      "update steps set status = 'blocked', last_event = 'blocked', block_reason = 'verification_escalated', block_note = '3 attempts failed' where anchor = 'step-1'",
    );
  },
  "put on hold": (shop) => {
    init(shop);
    ok(shop.json("state", "hold", PLAN, "step-1", "--reason", "not now"));
  },
  "the first step is done": (shop) => {
    init(shop);
    shop.finish(".", "step-1");
  },
};

/** What else is wrong. `settles`: whether work can be completed at all. */
const TROUBLES: Readonly<
  Record<string, { readonly make: (shop: Workshop) => void; readonly settles: boolean }>
> = {
  "and nothing else": { make: () => undefined, settles: true },
  "and its check fails": {
    make: (shop) => void shop.repository.write("pawl.toml", '[verify]\ncommand = ["false"]\n'),
    settles: false,
  },
  "and commits are refused": {
    make: (shop) => {
      const hooks = join(shop.home, ".git/hooks");
      mkdirSync(hooks, { recursive: true });
      writeFileSync(join(hooks, "pre-commit"), "#!/bin/sh\necho no commits today >&2\nexit 1\n");
      chmodSync(join(hooks, "pre-commit"), 0o755);
    },
    settles: false,
  },
  "and the plan was edited": {
    make: (shop) => appendFileSync(join(shop.home, PLAN), "\nMore words.\n"),
    settles: true,
  },
  "and no branch is checked out": {
    make: (shop) => void shop.repository.git("checkout", "-q", "--detach"),
    settles: true,
  },
};

const SITUATIONS = Object.keys(STATES).flatMap((state) =>
  Object.keys(TROUBLES).map((trouble) => [state, trouble] as const),
);

/** Whether a line is still somewhere: in the worktree, or in a commit that something leads to. */
function isKept(shop: Workshop, file: string, line: string): boolean {
  try {
    if (readFileSync(join(shop.home, file), "utf8").includes(line)) return true;
  } catch {
    // Not in the worktree; then in git.
  }
  return shop.repository
    .git("for-each-ref", "--format=%(refname)")
    .split("\n")
    .some((ref) => {
      try {
        return shop.repository.git("show", `${ref}:${file}`).includes(line);
      } catch {
        return false;
      }
    });
}

const completed = (shop: Workshop): number =>
  query(shop.database, "select anchor from steps where status = 'completed'").length;

describe("an agent that obeys every text", () => {
  it("is tried in 50 situations", () => {
    expect(SITUATIONS).toHaveLength(50);
  });

  it.each(SITUATIONS)(
    "%s, %s: ends done or with a person asked, and loses nothing",
    async (state, trouble) => {
      const shop = workshop(null);
      shop.repository.write(PLAN, PLAN_TEXT);
      shop.repository.git("add", "-A");
      shop.repository.git("commit", "-q", "-m", "the plan");
      await STATES[state]!(shop);
      const { make, settles } = TROUBLES[trouble]!;
      make(shop);
      shop.repository.write("precious.txt", "somebody's unsaved work\n");
      const head = shop.repository.git("rev-parse", "HEAD");
      const before = state === "no plan has state" ? 0 : completed(shop);
      const client = await mcpClient({ cwd: shop.home });
      const { end, told, calls } = await obey(client, shop.home, PLAN);
      const isFree = !["held elsewhere", "blocked after three attempts", "put on hold"].includes(state);
      const isPlain = trouble === "and nothing else" || trouble === "and no branch is checked out";
      expect(isPlain && isFree ? ["done"] : ["done", "person"], told).toContain(end);
      expect(calls).toBeLessThan(40);
      expect(told).not.toMatch(/--force|pawl state (?:reset|reopen|retry|hold)|git (?:clean|reset|checkout)/);
      await client.client.close();
      expect(isKept(shop, "precious.txt", "somebody's unsaved work")).toBe(true);
      expect(shop.repository.git("merge-base", "--is-ancestor", head, "HEAD")).toBe("");
      const steps = query(
        shop.database,
        "select anchor, status, commit_hash as hash, complete_reason as reason from steps",
      );
      if (!settles) expect(completed(shop)).toBe(before);
      if (end === "done") expect(steps.every(({ status }) => status === "completed")).toBe(true);
      expect(steps.every(({ reason }) => reason === null)).toBe(true);
      for (const { anchor, status } of steps)
        if (status === "completed" && before === 0)
          expect(isKept(shop, `work-${String(anchor)}.txt`, "work on")).toBe(true);
    },
  );
});
