import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, openSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { PAWL } from "../support/cli.ts";
import { flatPlan } from "../support/plans.ts";
import { cleanEnv, testRepository } from "../support/repository.ts";
import { type Data, ok, PLAN, refused, workshop, workshopIn } from "../support/workshop.ts";

describe("a worktree that gets the name of a removed one", () => {
  it("owns neither its claim nor its ticks", () => {
    const shop = workshop();
    const first = shop.worktree("second-hand");
    shop.take(first, "step-0");
    ok(shop.work("update", first, "step-0", "--all", "completed"));
    shop.repository.git("worktree", "remove", "--force", first);
    const again = join(shop.home, "../elsewhere/second-hand");
    shop.repository.git("worktree", "add", "-q", "--detach", again);

    refused(shop.work("complete", again, "step-0"), "E049", 4);
    expect(shop.claim(again)).toMatchObject({ code: 6, data: { claimed: false } });
    expect(ok(shop.claim(again, "--force"))).toMatchObject({
      anchor: "step-0",
      displaced: { worktree: first },
    });
    expect(new Set(shop.items("step-0").map((item) => item.replace(/.*: /, "")))).toEqual(new Set(["open"]));
  });
});

describe("PAWL_STATE_DIR", () => {
  it("is refused to a second repository", () => {
    const [one, two] = [workshop(flatPlan(1)), workshop(flatPlan(1))];
    const env = { PAWL_STATE_DIR: join(one.home, "../state") };
    ok(one.jsonWith({ env }, "state", "init", PLAN));
    const issue = refused(two.jsonWith({ env }, "state", "init", PLAN), "E046", 3);
    expect(issue.message).toContain(join(one.home, ".git"));
  });

  it("means the same folder wherever it is named from", () => {
    const shop = workshop(null);
    shop.repository.write(PLAN, flatPlan(1));
    mkdirSync(join(shop.home, "sub"));
    const env = { PAWL_STATE_DIR: "../state" };
    ok(shop.jsonWith({ env }, "state", "init", PLAN));
    expect(ok(shop.jsonWith({ env, cwd: join(shop.home, "sub") }, "state", "list"))["plans"]).toHaveLength(1);
  });

  it("is not made private for people: they name another one", () => {
    const shop = workshop(null);
    shop.repository.write(PLAN, flatPlan(1));
    const open = join(shop.home, "../open");
    mkdirSync(open);
    execFileSync("chmod", ["777", open]);
    const issue = refused(shop.jsonWith({ env: { PAWL_STATE_DIR: open } }, "state", "init", PLAN), "E046", 3);
    expect(issue.hint).not.toContain("chmod");
  });
});

describe("a database that lost its tables with its log", () => {
  it("is no fresh start", () => {
    const shop = workshop(flatPlan(1));
    shop.take(shop.home);
    rmSync(`${shop.database}-wal`);
    rmSync(`${shop.database}-shm`);
    truncateSync(shop.database, 0);
    expect(refused(shop.json("state", "init", PLAN), "E083", 3).message).toContain("is empty now");
  });

  it("leaves a log that init puts aside before it makes a new one", () => {
    const shop = workshop(flatPlan(1));
    shop.take(shop.home);
    rmSync(shop.database);
    refused(shop.json("state", "claim", PLAN, "--worktree", shop.home), "E083", 3);
    expect(ok(shop.json("init"))).toMatchObject({ created: true });
    expect(readdirSync(join(shop.home, ".git/pawl/saved"))).toEqual([
      expect.stringMatching(/^state\.db-wal-/),
    ]);
  });
});

describe("a plan inside another repository inside this one", () => {
  it("belongs to that one", () => {
    const shop = workshop(flatPlan(1));
    shop.repository.git("add", "-A");
    shop.repository.git("commit", "-q", "-m", "plan");
    shop.repository.git("clone", "-q", ".", "nested");
    refused(shop.json("state", "init", `nested/${PLAN}`), "E058", 2);
    const inside = shop.jsonWith({ cwd: join(shop.home, "nested") }, "state", "init", PLAN);
    expect(ok(inside)["plan_path"]).toBe(PLAN);
  });
});

describe("pawl.toml", () => {
  it.each([
    ["a pipe", (path: string) => execFileSync("mkfifo", [path])],
    ["a link to an endless device", (path: string) => execFileSync("ln", ["-s", "/dev/zero", path])],
    ["too long", (path: string) => writeFileSync(path, "#".repeat(2 * 1024 * 1024))],
    ["no text", (path: string) => writeFileSync(path, Buffer.from([0xff, 0xfe, 0x41]))],
  ])("is refused when it is %s", (_, make) => {
    const shop = workshop(flatPlan(1));
    make(join(shop.home, "pawl.toml"));
    expect(refused(shop.json("state", "show", PLAN), "E091", 2).message).toContain("pawl.toml");
  });
});

describe("an answer that cannot be written", () => {
  const onFull = (shop: { readonly home: string }, ...args: readonly string[]) => {
    const full = openSync("/dev/full", "w");
    return spawnSync(process.execPath, [PAWL, ...args], {
      cwd: shop.home,
      env: cleanEnv(),
      stdio: ["ignore", full, "pipe"],
      encoding: "utf8",
    });
  };

  it.skipIf(!existsSync("/dev/full")).each([[[]], [["--json"]]])("is reported on stderr (%j)", (more) => {
    const shop = workshop(flatPlan(1));
    const { status, stderr } = onFull(shop, "state", "claim", PLAN, "--worktree", ".", ...more);
    expect([status, stderr]).toEqual([
      3,
      expect.stringMatching(/^pawl: done, but the answer could not be written \(ENOSPC\)\.\n$/),
    ]);
    expect(shop.step("step-1")["status"]).toBe("claimed");
  });
});

describe("a folder that was removed under the caller", () => {
  it("is said, and needs no folder to say it", () => {
    const repository = testRepository();
    onTestFinished(repository.remove);
    const shell = (command: string) =>
      spawnSync(
        "sh",
        ["-c", `mkdir gone && cd gone && rmdir ../gone && exec "$0" "$1" ${command}`, process.execPath, PAWL],
        {
          cwd: repository.path,
          env: cleanEnv(),
          encoding: "utf8",
        },
      );
    expect(shell("--version").status).toBe(0);
    const { status, stderr } = shell("state list");
    expect([status, stderr]).toEqual([3, expect.stringContaining("is gone")]);
  });
});

describe("request ids", () => {
  it("are not empty", () => {
    const shop = workshop(flatPlan(1));
    expect(refused(shop.claim(shop.home, "--request-id", ""), "E066", 2).message).toContain("empty");
  });

  it("mean the same call for a step with and without #", () => {
    const shop = workshop(flatPlan(1));
    shop.claim(shop.home);
    ok(shop.work("start", shop.home, "step-1", "--request-id", "r"));
    expect(ok(shop.work("start", shop.home, "#step-1", "--request-id", "r"))["anchor"]).toBe("step-1");
  });
});

describe("the content of an artifact", () => {
  it.each([
    ["a NUL character", "before\0after"],
    ["more than can be meant", "x".repeat(17 * 1024 * 1024)],
  ])("is refused with %s", (_, input) => {
    const shop = workshop(flatPlan(1));
    shop.take(shop.home);
    const args = ["state", "artifact", PLAN, "step-1", "--worktree", shop.home, "--kind", "auditor_summary"];
    refused(shop.jsonWith({ input }, ...args, "--summary", "x"), "E066", 2);
    expect(shop.step("step-1")["artifacts"]).toEqual([]);
  });
});

describe("a saved state that was edited", () => {
  it.each([
    ["a number that cannot grow", (state: Data) => (state["steps"][0].claim_seq = 2 ** 53)],
    ["a plan outside", (state: Data) => (state["plan"].plan_path = "../../etc/passwd")],
    [
      "steps that wait for each other",
      (state: Data) =>
        (state["dependencies"] = [
          { step_anchor: "step-1", depends_on: "step-2" },
          { step_anchor: "step-2", depends_on: "step-1" },
        ]),
    ],
  ])("is refused with %s", (_, edit) => {
    const shop = workshop(flatPlan(2));
    shop.repository.write(PLAN, `${flatPlan(2)}\n`);
    const { backup } = ok(shop.json("state", "init", PLAN, "--force"));
    const saved = join(shop.home, ".git/pawl/saved");
    const [name = ""] = readdirSync(saved);
    expect(name, JSON.stringify(backup)).not.toBe("");
    const state = JSON.parse(execFileSync("cat", [join(saved, name)], { encoding: "utf8" })) as Data;
    edit(state);
    const edited = shop.repository.write("edited.json", JSON.stringify(state));
    refused(shop.json("state", "restore", edited), "E086", 2);
    expect(workshopIn(shop.repository).step("step-1")["status"]).toBe("pending");
  });
});
