import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { docBlocks, inlineCode } from "../../support/doc-blocks.ts";
import { tutorialHome, typeInto, typeTutorial, waitUntil } from "../../support/tutorial.ts";
import { connect } from "../connections.ts";
import { programOf, versionOf } from "../installed-agents.ts";
import { type StandIn, standIn, type Turn } from "../stand-in.ts";

/** A new user's first ten minutes, with a released agent in front of a stand-in model. */

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const TEN_MINUTES = 600_000;

let api: StandIn;
beforeEach(async () => {
  api = await standIn();
});
afterEach(() => api.close());

/** What a good model does with a step of a plan: it writes a file, ticks the items, and says so. */
const work = (worktree: string, step: number, file: string, text: string): readonly Turn[] => [
  { write: join(worktree, file), text },
  { run: `pawl state update plan.md step-${step} --all completed` },
  { say: `Step ${step} is done.` },
];

/** What an agent used depends on its model and on when it was killed. */
const withoutUsage = (text: string): string =>
  text.replaceAll(/^ +used .*\n/gm, "").replaceAll(/ · \$.*| \$\d+\.\d\d$/gm, "");

describe(`with ${versionOf("claude")}`, () => {
  it(
    "the tutorial prints what its page shows, with a crash in the middle",
    { timeout: TEN_MINUTES },
    async () => {
      const home = tutorialHome(programOf("claude"));
      onTestFinished(home.remove);
      const worktree = join(home.path, "greeter/.pawl/worktrees/plan-w1");
      const byName = "echo Hello, $1\n";
      // The agent has written the file of step 2 and waits for its model when Pawl is killed.
      api.answer(
        ...work(worktree, 1, "greet.sh", "echo Hello\n"),
        { write: join(worktree, "greet.sh"), text: byName },
        { hang: true },
      );
      waitUntil(home, `grep -qs '[$]1' ${join(worktree, "greet.sh")}`);
      const typed = await typeTutorial(home, connect("claude", api.url, home.path), ({ text }) => {
        if (text === "pawl resume") api.answer(...work(worktree, 2, "greet.sh", byName));
      });
      const compared = typed.filter(({ output }) => output !== undefined);
      expect(compared.map(({ printed }) => withoutUsage(printed))).toEqual(
        compared.map(({ output }) => withoutUsage(output!.text)),
      );
      expect(
        execFileSync("git", ["show", "main:greet.sh"], { cwd: join(home.path, "greeter"), encoding: "utf8" }),
      ).toBe(byName);
    },
  );

  it("the README leads from a clone to a merged plan of two steps", { timeout: TEN_MINUTES }, async () => {
    const home = tutorialHome(programOf("claude"), { pawl: "../npm/bin/pawl" });
    onTestFinished(home.remove);
    const env = {
      ...home.env,
      ...connect("claude", api.url, home.path),
      npm_config_prefix: join(home.path, "npm"),
    };
    const install = inlineCode("README.md").find(({ code }) => code.includes("npm install --global"))!.code;
    execFileSync("git", ["clone", "--quiet", ROOT, join(home.path, "pawl")], { stdio: "ignore" });
    await typeInto(join(home.path, "pawl"), env, install);

    const project = join(home.path, "project");
    await typeInto(home.path, env, "git init --quiet --initial-branch main project");
    const worktree = join(project, ".pawl/worktrees/plan-w1");
    api.answer(...work(worktree, 1, "one.txt", "one\n"), ...work(worktree, 2, "two.txt", "two\n"));
    const block = docBlocks("README.md").find(
      ({ heading, language }) => heading === "First run" && language === "sh",
    );
    await typeInto(project, env, block!.text);
    const git = (...args: readonly string[]) =>
      execFileSync("git", args, { cwd: project, encoding: "utf8" }).trim();
    expect(git("show", "main:one.txt", "main:two.txt")).toBe("one\ntwo");
    expect(git("log", "--format=%s", "-1")).toBe("Merge plan plan.md: 2 steps");
  });
});
