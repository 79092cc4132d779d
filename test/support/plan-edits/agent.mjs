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
const { status, stderr } = spawnSync(
  program,
  [...args, "state", "update", plan, step, "--worktree", worktree, "--all", "completed"],
  { encoding: "utf8" },
);
if (status !== 0 && !/E0\d\d/.test(stderr))
  appendFileSync(log, `${JSON.stringify({ step, mark, stderr })}\n`);
