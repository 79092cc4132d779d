import { readFileSync, writeFileSync, mkdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { throwawayGit } from "../../../../test/support/throwaway-git.ts";
import { gitRunner } from "../process/run-git.ts";
import { indexEntries, parseIndex } from "./parse-index.ts";

const scratch = throwawayGit();
const { git, init, path } = scratch;
const index = () => readFileSync(path("repo/.git/index"));
const askGit = () =>
  indexEntries(gitRunner({ gitDir: path("repo/.git"), env: scratch.env }), path("repo/.git/index"));
const plain = (entries: Awaited<ReturnType<typeof askGit>> | undefined) =>
  entries?.map(({ path: name, mode, oid, stage, unwatched }) => ({ name, mode, oid, stage, unwatched }));

beforeAll(() => {
  init("repo");
  mkdirSync(path("repo/deep/er"), { recursive: true });
  for (const name of ["a", "ab", "deep/er/x", "deep/er/y", "ünï", "new\nline", "z".repeat(200)])
    writeFileSync(path("repo", name), name);
  git("repo", "add", "-A");
  git("repo", "update-index", "--chmod=+x", "ab");
});
afterAll(() => scratch.remove());

describe("parseIndex", () => {
  it.each(["2", "3", "4"])("reads version %s as git does", async (version) => {
    git("repo", "update-index", "--assume-unchanged", "a");
    git("repo", "update-index", version === "2" ? "--no-skip-worktree" : "--skip-worktree", "deep/er/x");
    git("repo", "update-index", "--index-version", version);
    expect(plain(parseIndex(index(), 20))).toEqual(plain(await askGit()));
  });

  it("reads the sides of a conflict", async () => {
    const blob = git("repo", "rev-parse", ":a");
    const lines = [1, 2, 3].map((stage) => `100644 ${blob} ${stage}\tboth`).join("\n");
    writeFileSync(path("info"), `${lines}\n`);
    git("repo", "-c", "alias.put=!git update-index --index-info < ../info", "put");
    const found = parseIndex(index(), 20)?.filter(({ path: name }) => name === "both");
    expect(found?.map(({ stage }) => stage)).toEqual([1, 2, 3]);
    expect(plain(parseIndex(index(), 20))).toEqual(plain(await askGit()));
  });

  it("leaves to git what is kept in another file, and what is no index", () => {
    git("repo", "update-index", "--split-index");
    expect(parseIndex(index(), 20)).toBeUndefined();
    git("repo", "update-index", "--no-split-index");
    expect(parseIndex(Buffer.from("DIRC"), 20)).toBeUndefined();
    expect(parseIndex(index().subarray(0, 100), 20)).toBeUndefined();
    expect(parseIndex(Buffer.alloc(200), 20)).toBeUndefined();
  });
});
