import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { checkWorld } from "../check-world.ts";
import { ailments } from "../workshop.ts";
import { withDatabase } from "../world.ts";
import { markedProcesses } from "./marked-processes.ts";
import type { Replay } from "./replay.ts";

/** Everything that must be so after a replay, however often it was killed. */
export function expectReplayed({ shop, mark, anchors, tree, killed, last }: Replay): void {
  expect(
    killed.map(({ signal, stdout, stderr, code }) => signal ?? `${code} ${stdout}${stderr}`),
    "each call before the last was killed",
  ).toEqual(killed.map(() => "SIGKILL"));
  expect(readIfThere(shop.path("wrong")), "what agents found other than in the history").toBe("");
  expect(last, last.stdout + last.stderr).toMatchObject({ code: 0, signal: null });
  expect(shop.steps()).toEqual(anchors.map((anchor) => `${anchor} completed`));
  expect(shop.repo.git("rev-parse", "pawl/plan^{tree}"), "the tree of the plan's branch").toBe(tree);
  expectOnce(shop, anchors);
  expect(markedProcesses(mark), "processes that are left").toEqual([]);
  expectTidy(shop);
}

type Shop = Replay["shop"];

/** One completion on record and one commit with the step's trailers on the plan's branch. */
function expectOnce(shop: Shop, anchors: readonly string[]): void {
  const completions = shop.query(
    "select anchor, count(*) as n from events where event in ('completed', 'proved') group by anchor",
  );
  expect(Object.fromEntries(completions.map(({ anchor, n }) => [anchor, n]))).toEqual(
    Object.fromEntries(anchors.map((anchor) => [anchor, 1])),
  );
  const format = "--format=%H %(trailers:key=Pawl-Step,valueonly,separator=%x2C)";
  const landed = shop.repo
    .git("log", format, "main..pawl/plan")
    .split("\n")
    .map((line) => line.split(" "))
    .map(([, step = ""]) => step)
    .filter((step) => step !== "");
  expect(landed.toSorted(byName), "commits with trailers").toEqual(anchors.toSorted(byName));
}

function expectTidy(shop: Shop): void {
  const { repo } = shop;
  const gitDir = join(repo.path, ".git");
  expect(
    shop.query("select id, status from sessions where status <> 'completed'"),
    "sessions that did not end",
  ).toEqual([]);
  expect(shop.query("select * from commit_intents where closed_at is null")).toEqual([]);
  const names = readdirSync(gitDir, { recursive: true, encoding: "utf8" });
  expect(names.filter((name) => /\.lock$|(?:^|\/)(?:pawl-index|snapshot-)/.test(name))).toEqual([]);
  // Worktrees stay until the plan is merged, each with its clean checkout; nothing else lies there.
  const folders = readdirSync(join(repo.path, ".pawl/worktrees"));
  expect(folders.filter((name) => !/^(?:\.gitignore|(?:\.check-)?plan-w\d+)$/.test(name))).toEqual([]);
  expect(repo.git("status", "--porcelain")).toBe("");
  expect(repo.git("fsck", "--strict", "--no-dangling")).toBe("");
  expect(withDatabase(join(gitDir, "pawl/state.db"), checkWorld, true)).toEqual([]);
  expect(ailments(shop.json("doctor").data)).toEqual([]);
  expect(shop.pawl("resume")).toMatchObject({ code: 6 });
}

const byName = (a: string, b: string): number => (a < b ? -1 : 1);

const readIfThere = (path: string): string => (existsSync(path) ? readFileSync(path, "utf8") : "");
