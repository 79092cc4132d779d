import { appendFileSync, chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { cleanEnv, testRepository } from "../../../../test/support/repository.ts";
import { gitRunner, type RunGit } from "../process/run-git.ts";
import { mayRunHooks, readCommitSettings } from "./commit-settings.ts";

function stage() {
  const repository = testRepository();
  onTestFinished(() => repository.remove());
  const home = join(repository.path, "..", "home");
  mkdirSync(home, { recursive: true });
  const gitDir = join(repository.path, ".git");
  const env = { ...cleanEnv({}), HOME: home, GIT_CONFIG_GLOBAL: undefined, XDG_CONFIG_HOME: undefined };
  const real = gitRunner({ gitDir, env });
  let calls = 0;
  const run: RunGit = (call) => {
    calls += 1;
    return real(call);
  };
  return {
    ...repository,
    gitDir,
    home,
    read: () => readCommitSettings(run, { gitDir, env }),
    calls: () => calls,
  };
}

it("asks git once, and again when a file has changed that a setting comes from", async () => {
  const { read, calls, git, home } = stage();
  expect(await read()).toEqual({ hooksPath: undefined, signs: false });
  await read();
  expect(calls()).toBe(1);
  git("config", "core.hooksPath", ".husky/_");
  expect(await read()).toEqual({ hooksPath: ".husky/_", signs: false });
  writeFileSync(join(home, ".gitconfig"), "[commit]\n\tgpgSign = yes\n");
  expect(await read()).toEqual({ hooksPath: ".husky/_", signs: true });
  await read();
  expect(calls()).toBe(3);
});

it("asks each time where settings include other files", async () => {
  const { read, calls, git, path } = stage();
  const included = join(path, "..", "more");
  writeFileSync(included, "");
  git("config", "include.path", included);
  expect((await read()).signs).toBe(false);
  appendFileSync(included, "[commit]\n\tgpgSign\n");
  expect((await read()).signs).toBe(true);
  expect(calls()).toBe(2);
});

it("knows the hooks that git would run", async () => {
  const { read, git, gitDir } = stage();
  const hook = join(gitDir, "hooks/post-merge");
  const mayRun = async () => mayRunHooks(await read(), gitDir, ["post-merge"]);
  expect(await mayRun()).toBe(false);
  mkdirSync(join(gitDir, "hooks"), { recursive: true });
  writeFileSync(hook, "#!/bin/sh\n");
  expect(await mayRun()).toBe(false);
  chmodSync(hook, 0o755);
  expect(await mayRun()).toBe(true);
  chmodSync(hook, 0o644);
  git("config", "core.hooksPath", "elsewhere");
  expect(await mayRun()).toBe(true);
});
