import { spawn, spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { cleanEnv, testRepository } from "./repository.ts";
import { SCRIPTED_AGENT } from "./supervised.ts";
import { until } from "./until.ts";

/**
 * What the README promises, with one Node and one installed `pawl`: a plan, a run, SIGKILL in its middle, a resume.
 *
 * Answers with the number of commits on the plan's branch.
 */
export async function wholeTrip(node: string, bin: string): Promise<number> {
  const repository = testRepository();
  onTestFinished(repository.remove);
  const script = join(repository.path, "../script.json");
  const good = [{ write: "{step}.txt" }, { tick: "all" }];
  writeFileSync(
    script,
    JSON.stringify({
      speak: "plain",
      runs: [good],
      steps: { "step-2": [[{ write: "half.txt" }, { hang: 1 }], good] },
    }),
  );
  const env = cleanEnv({ SCRIPTED_AGENT: script, SCRIPTED_AGENT_PAWL: `${node}\n${bin}` });
  const at = { cwd: repository.path, env };
  const pawl = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(node, [bin, ...args], { ...at, encoding: "utf8" });
    expect({ args, status, stderr }).toMatchObject({ status: 0 });
    return stdout;
  };
  pawl("init");
  pawl("plan", "new", "plan");
  repository.git("add", "-A");
  repository.git("commit", "-q", "-m", "The plan");
  const runner = spawn(node, [bin, "run", "plan.md", "--", process.execPath, SCRIPTED_AGENT], {
    ...at,
    stdio: "ignore",
  });
  onTestFinished(() => void runner.kill("SIGKILL"));
  await until(() => existsSync(join(repository.path, ".pawl/worktrees/plan-w1/half.txt")));
  runner.kill("SIGKILL");
  expect(pawl("status")).toContain("interrupted");
  expect(pawl("resume")).toContain("All steps are completed.");
  return repository.git("log", "--format=%s", "pawl/plan").trim().split("\n").length;
}
