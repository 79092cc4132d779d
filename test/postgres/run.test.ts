import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { pawl, pawlAsync, pawlJson } from "../support/cli.ts";
import { planText } from "../support/plans.ts";
import { type Clone, clones, PLAN } from "./clones.ts";
import { sharedServer } from "./shared-server.ts";

/** Runs whose state is on a server: the agents' own verbs must reach it, and other machines build on what is pushed. */

const shared = sharedServer();

const THREE = planText([
  { number: "1", tasks: ["dig"] },
  { number: "2", tasks: ["build"], dependsOn: ["step-1"] },
  { number: "3", tasks: ["paint"] },
]);

function machines(): { readonly a: Clone; readonly b: Clone } {
  const all = clones(shared.url, THREE);
  onTestFinished(all.remove);
  const prepared = (host: string): Clone => {
    const clone = all.clone(host);
    writeFileSync(join(clone.path, "pawl.toml"), 'remote = "origin"\n');
    // Says what it has in its environment, works, and ticks its items through the pawl on its PATH.
    writeFileSync(
      join(clone.path, "..", `${host}.sh`),
      `#!/bin/sh\nenv > "${clone.path}/../${host}.env"\ncp "$PAWL_DATABASE_URL_FILE" "${clone.path}/../${host}.url"\ncat "$PAWL_DATABASE_URL_FILE"\nmkdir -p work && date > "work/$PAWL_STEP.txt"\npawl state update "$PAWL_PLAN" "$PAWL_STEP" --all completed\n`,
      { mode: 0o755 },
    );
    return clone;
  };
  return { a: prepared("host-a"), b: prepared("host-b") };
}

const run = ({ path, env }: Clone, host: string, ...options: readonly string[]) =>
  pawlAsync({ cwd: path, env }, "run", PLAN, ...options, "--", join(path, "..", `${host}.sh`));

// proves G-secrets-stay-secret
test("a run on a server: agents reach it without its password in their environment, in a log or on the disk afterwards", async () => {
  const { a } = machines();
  const { password } = new URL(shared.url);
  const { code, stdout, stderr } = await run(a, "host-a");
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stdout + stderr).not.toContain(password);
  expect(pawlJson({ cwd: a.path, env: a.env }, "state", "ready", PLAN).data).toMatchObject({
    completed: [{ anchor: "step-1" }, { anchor: "step-2" }, { anchor: "step-3" }],
  });
  const seen = readFileSync(join(a.path, "..", "host-a.env"), "utf8");
  expect(seen).not.toContain(password);
  expect(seen).not.toMatch(/^PAWL_DATABASE_URL=/m);
  expect(readFileSync(join(a.path, "..", "host-a.url"), "utf8")).toContain(password);
  // The agent printed the file; its log has the rest of that line.
  const folder = join(a.path, ".git/pawl/logs");
  const logs = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".log"))
    .map((name) => readFileSync(join(folder, name), "utf8"));
  expect(logs.join("\n")).toContain(new URL(shared.url).host);
  for (const log of logs) expect(log).not.toContain(password);
  const kept = join(a.path, ".git/pawl/servers");
  expect(existsSync(kept) ? readdirSync(kept) : []).toEqual([]);
});

test("a password that only PGPASSWORD has goes the same way", async () => {
  const { a } = machines();
  const url = new URL(shared.url);
  const { password } = url;
  url.password = "";
  writeFileSync(join(a.path, "pawl.toml"), `database_url = "${url.href}"\n`);
  const env = { PAWL_HOST_ID: "host-a", PGPASSWORD: password };
  const { code, stderr } = await run({ ...a, env }, "host-a");
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(readFileSync(join(a.path, "..", "host-a.env"), "utf8")).not.toContain(password);
});

test("a URL in a file that others can read is refused", () => {
  const { a } = machines();
  const file = join(a.path, "..", "url");
  writeFileSync(file, `${shared.url}\n`, { mode: 0o600 });
  const env = { PAWL_HOST_ID: "host-a", PAWL_DATABASE_URL_FILE: file };
  expect(pawl({ cwd: a.path, env }, "state", "init", PLAN).code).toBe(0);
  writeFileSync(join(a.path, "..", "open"), `${shared.url}\n`, { mode: 0o644 });
  const refused = pawl(
    { cwd: a.path, env: { ...env, PAWL_DATABASE_URL_FILE: join(a.path, "..", "open") } },
    "state",
    "show",
    PLAN,
  );
  expect(refused.code).toBe(3);
  expect(refused.stderr).toContain("chmod 600");
});

test("a step that builds on a commit of a machine that does not share it waits for it, and others are done first", async () => {
  const { a, b } = machines();
  writeFileSync(join(a.path, "pawl.toml"), "");
  expect((await run(a, "host-a", "--max-steps", "1")).code).toBe(0);
  // Nothing is pushed yet: the other machine does what it can.
  const first = await run(b, "host-b", "--max-steps", "1");
  expect({ code: first.code, stderr: first.stderr }).toMatchObject({ code: 0 });
  expect(first.stdout).toContain("step-3");
  a.git("push", "-q", "origin", "pawl/plan:refs/heads/from-a");
  const second = await run(b, "host-b");
  expect({ code: second.code, stderr: second.stderr }).toMatchObject({ code: 0 });
  const files = b.git("ls-tree", "-r", "--name-only", "pawl/plan").split("\n");
  expect(files).toEqual(expect.arrayContaining(["work/step-1.txt", "work/step-2.txt", "work/step-3.txt"]));
});

test("without a remote to ask it says which commits are missing and how they come, and ends", async () => {
  const { a, b } = machines();
  writeFileSync(join(a.path, "pawl.toml"), "");
  expect((await run(a, "host-a", "--max-steps", "1")).code).toBe(0);
  expect((await run(b, "host-b", "--max-steps", "1")).code).toBe(0);
  writeFileSync(join(b.path, "pawl.toml"), "");
  const { code, stderr, stdout } = await run(b, "host-b");
  expect(code).toBe(6);
  expect(stderr).toContain("step-2 builds on commits that are not here: step-1");
  expect(stdout).toContain("step-2");
});

test("an interrupted run is resumed where it ran; other clones say where that is, and do not try", async () => {
  const { a, b } = machines();
  const dead = await pawlAsync(
    { cwd: a.path, env: a.env },
    "run",
    PLAN,
    "--workers",
    "1",
    "--",
    "sh",
    "-c",
    "kill -9 $PPID",
  );
  expect(dead.code).not.toBe(0);
  const [noticed] = sessionsOf(a, a.env);
  expect(noticed).toMatchObject({ status: "interrupted", here: true, host: "host-a" });
  const { id, worktree } = noticed!;
  // Only a verb that writes records the end for other machines.
  expect(sessionsOf(b, b.env)).toMatchObject([{ id, status: "in_progress" }]);
  expect(pawl({ cwd: a.path, env: a.env }, "gc").code).toBe(0);
  // A machine of its own, and another clone on the same machine.
  for (const env of [b.env, { ...b.env, PAWL_HOST_ID: "host-a" }]) {
    const elsewhere = { cwd: b.path, env };
    expect(sessionsOf(b, env)).toMatchObject([{ id, here: false, resumable: true }]);
    expect(pawl(elsewhere, "sessions", "list").stdout).toContain(
      `resume, in ${worktree} on machine host-a, with: pawl resume`,
    );
    const { code, stderr } = pawl(elsewhere, "resume", id);
    expect([code, stderr]).toEqual([4, expect.stringContaining(`E320`)]);
    expect(stderr).toContain(`${worktree} on machine host-a`);
    expect(pawl(elsewhere, "resume").stderr).toContain("E174");
  }
  const { code, stderr } = await run(b, "host-b");
  expect({ code, stderr }).toMatchObject({ code: 0 });
});

const sessionsOf = (clone: Clone, env: Clone["env"]) =>
  (
    pawlJson({ cwd: clone.path, env }, "sessions", "list").data as {
      sessions: readonly { id: string; worktree: string }[];
    }
  ).sessions;
