import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { testRepository, type TestRepository } from "../../../../test/support/repository.ts";
import { gitRunner } from "../process/run-git.ts";
import { type SharedFolders, shareFolders } from "./share-folders.ts";

let repository: TestRepository;
let from: string;
let to: string;

beforeEach(() => {
  repository = testRepository();
  from = repository.path;
  to = join(dirname(from), "worktree");
  mkdirSync(to);
  repository.write(".gitignore", "node_modules/\ndeep/cache/\nlink\n");
  repository.write("node_modules/.bin/tool", "#!/bin/sh\n");
  repository.write("node_modules/a/index.js", "a");
  symlinkSync("../a/index.js", join(from, "node_modules/.bin/a"));
});

afterEach(() => repository.remove());

const share = (names: readonly string[], by: SharedFolders["by"] = "copy") =>
  shareFolders({ run: gitRunner({ gitDir: join(from, ".git"), env: process.env }), from, to, names, by });

const read = (name: string): string => readFileSync(join(to, name), "utf8");

it("brings a folder with its links, and none of its files is the original's", async () => {
  expect(await share(["node_modules/"])).toEqual({ copied: ["node_modules"], skipped: [] });
  expect(read("node_modules/a/index.js")).toBe("a");
  expect(readlinkSync(join(to, "node_modules/.bin/a"))).toBe("../a/index.js");
  writeFileSync(join(to, "node_modules/a/index.js"), "changed");
  expect(readFileSync(join(from, "node_modules/a/index.js"), "utf8")).toBe("a");
  expect(readdirSync(to)).toEqual(["node_modules"]);
});

it("links files where that is asked for and blocks cannot be shared", async () => {
  await share(["node_modules"], "link");
  const [one, other] = [from, to].map((top) => statSync(join(top, "node_modules/a/index.js")).ino);
  const isShared = statSync(join(to, "node_modules/a/index.js")).nlink === 1;
  expect(isShared || one === other).toBe(true);
  expect(read("node_modules/a/index.js")).toBe("a");
});

it("makes a folder anew that a crash left half copied, and leaves a whole one alone", async () => {
  mkdirSync(join(to, "node_modules.pawl-part/a"), { recursive: true });
  writeFileSync(join(to, "node_modules.pawl-part/half"), "");
  await share(["node_modules"]);
  expect(readdirSync(to)).toEqual(["node_modules"]);
  expect(readdirSync(join(to, "node_modules")).toSorted()).toEqual([".bin", "a"]);
  writeFileSync(join(to, "node_modules/a/index.js"), "by the agent");
  expect(await share(["node_modules"])).toEqual({ copied: [], skipped: [] });
  expect(read("node_modules/a/index.js")).toBe("by the agent");
});

it("leaves out what is not there, and says why it leaves out what git looks after or what leads elsewhere", async () => {
  repository.write("src/code.ts", "x");
  mkdirSync(join(dirname(from), "outside/cache"), { recursive: true });
  symlinkSync("../outside", join(from, "link"));
  symlinkSync("../outside", join(to, "deep"));
  repository.write("deep/cache/file", "x");
  const { copied, skipped } = await share([
    "missing",
    "src",
    "link",
    "link/cache",
    "deep/cache",
    "../outside",
    ".git",
  ]);
  expect(copied).toEqual([]);
  expect(skipped).toEqual([
    "src: is not ignored by git, which looks after its files",
    "link: is no folder",
    "link/cache: link is no folder but leads elsewhere",
    "deep/cache: deep is no folder but leads elsewhere",
    "../outside: is no path inside the checkout",
    ".git: is no path inside the checkout",
  ]);
  expect(readdirSync(join(dirname(from), "outside/cache"))).toEqual([]);
  expect(lstatSync(join(to, "deep")).isSymbolicLink()).toBe(true);
  expect(existsSync(join(to, "src"))).toBe(false);
});

it("brings a folder below others, which it makes", async () => {
  repository.write("deep/cache/file", "x");
  expect((await share(["deep/cache"])).copied).toEqual(["deep/cache"]);
  expect(read("deep/cache/file")).toBe("x");
});
