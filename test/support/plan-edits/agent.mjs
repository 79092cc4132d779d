// The agent of the random edits: one file per step, named by the mark in its title, and a note of each start.
import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";

const { PAWL_STEP: step, PAWL_PLAN: plan, PAWL_WORKTREE: worktree, PLAN_EDITS: about } = process.env;
const { log, pawl, branch, pauseMs } = JSON.parse(readFileSync(about, "utf8"));
const prompt = readFileSync(0, "utf8");
const mark = /k\d{4}/.exec(prompt.split("\n", 1)[0])?.[0] ?? step;
const file = `work/${mark}.txt`;
const landed = spawnSync("git", ["cat-file", "-e", `${branch}:${file}`]).status === 0;
appendFileSync(log, `${JSON.stringify({ pid: process.pid, step, mark, landed })}\n`);
await new Promise((resolve) => setTimeout(resolve, Math.random() * pauseMs));
mkdirSync("work", { recursive: true });
writeFileSync(file, `${mark}\n`);
const [program, ...args] = pawl;
// Items all at once; a substep without items is ticked where the prompt names it.
const substeps = Array.from(
  prompt.matchAll(/^- open, substep .*\n {2}`pawl (state update .* completed)`$/gm),
  ([, words]) => words.split(" "),
);
for (const words of [["state", "update", plan, step, "--all", "completed"], ...substeps]) {
  const { status, stderr } = spawnSync(program, [...args, ...words, "--worktree", worktree], {
    encoding: "utf8",
  });
  if (status !== 0 && !/E0\d\d/.test(stderr))
    appendFileSync(log, `${JSON.stringify({ step, mark, stderr })}\n`);
}
