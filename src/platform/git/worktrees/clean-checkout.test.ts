import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { cleanEnv, testRepository } from "../../../../test/support/repository.ts";
import { gitRunner, type RunGit } from "../process/run-git.ts";
import { cleanCheckout, type CleanPlace, cleanPlace, dropCheckout } from "./clean-checkout.ts";

let folder: string;
let commonDir: string;
let place: CleanPlace;

beforeEach(() => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "pawl-clean-")));
  onTestFinished(() => rmSync(home, { recursive: true }));
  folder = join(home, "worktrees");
  commonDir = join(home, ".git");
  mkdirSync(folder);
  mkdirSync(commonDir);
  place = cleanPlace(folder, commonDir, "plan");
});

/** Only git writes the tree; what Pawl itself removes and moves is seen without it. */
const bring = () =>
  cleanCheckout(async () => "", commonDir, place, { tree: "t", head: undefined, keepsIgnored: false });

it("moves files beside it that Pawl did not make", async () => {
  mkdirSync(place.path);
  writeFileSync(join(place.path, "mine"), "by hand");
  await bring();
  expect(readdirSync(place.path)).toEqual([".git"]);
  expect(readFileSync(join(`${place.path}.rescued-1`, "mine"), "utf8")).toBe("by hand");
});

it("moves files beside it whose pointer a power cut emptied", async () => {
  await bring();
  writeFileSync(join(place.path, ".git"), "");
  writeFileSync(join(place.path, "file"), "x");
  await bring();
  expect(readdirSync(`${place.path}.rescued-1`)).toEqual(["file"]);
});

it.each([
  ["a repository", () => mkdirSync(join(place.path, ".git"), { recursive: true })],
  ["a file", () => writeFileSync(place.path, "mine")],
  ["a symlink", () => symlinkSync(commonDir, place.path)],
])("moves %s aside that lies in its place", async (_, make) => {
  make();
  const kind = () => lstatSync(`${place.path}.rescued-1`);
  const before = lstatSync(place.path);
  await bring();
  expect(kind().ino).toBe(before.ino);
  expect(readdirSync(place.path)).toEqual([".git"]);
});

it("removes nothing that is not Pawl's", () => {
  mkdirSync(place.path);
  writeFileSync(join(place.path, "mine"), "by hand");
  dropCheckout(place);
  expect(existsSync(join(place.path, "mine"))).toBe(true);
});

it("is made anew behind a symlink that a check put in its place", async () => {
  await bring();
  const elsewhere = join(folder, "elsewhere");
  renameSync(place.path, elsewhere);
  writeFileSync(join(elsewhere, "kept"), "by hand");
  symlinkSync(elsewhere, place.path);
  await bring();
  expect(lstatSync(place.path).isDirectory()).toBe(true);
  expect(readFileSync(join(elsewhere, "kept"), "utf8")).toBe("by hand");
});

it("continues a removal that was cut short", async () => {
  await bring();
  rmSync(place.gitDir, { recursive: true });
  await bring();
  expect(readdirSync(folder)).toEqual([".check-plan"]);
  dropCheckout(place);
  expect(readdirSync(folder)).toEqual([]);
});

/** What a check can leave behind, each under a name that `git clean` would have to know. */
function litter(top: string): void {
  const at = (name: string) => join(top, name);
  const other = Buffer.concat([Buffer.from(at("odd-")), Buffer.from([0xff, 0xfe])]);
  mkdirSync(at("in/empty/deeper"), { recursive: true });
  mkdirSync(at("nested/.git/objects"), { recursive: true });
  writeFileSync(at("nested/.git/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(at("in/ignored.log"), "x");
  writeFileSync(at("in/new.txt"), "x");
  writeFileSync(at("-rf"), "x");
  writeFileSync(other, "x");
  symlinkSync(folder, at("in/away"));
  writeFileSync(at(".gitignore"), "*.log\n");
}

it("removes what is not in the tree without asking git, and nothing behind a symlink", async () => {
  const { path, git, write } = testRepository();
  for (const name of ["in/a", "in/deep/b", "é/ü", "top"]) write(name, name);
  git("add", "--all");
  const tree = git("write-tree").trim();
  const calls: string[] = [];
  const common = join(path, ".git");
  const here = cleanPlace(folder, common, "real");
  const run: RunGit = (call) => {
    calls.push(call.args[0]!);
    return gitRunner({ gitDir: here.gitDir, env: cleanEnv() })(call);
  };
  const bringReal = () => cleanCheckout(run, common, here, { tree, head: undefined, keepsIgnored: false });
  await bringReal();
  const listed = () => new Set(readdirSync(here.path, { recursive: true }).map(String));
  const whole = listed();
  litter(here.path);
  writeFileSync(join(folder, "mine"), "by hand");
  rmSync(join(here.path, "in/a"));
  await bringReal();
  expect(listed()).toEqual(whole);
  expect(readFileSync(join(folder, "mine"), "utf8")).toBe("by hand");
  expect(calls).toEqual(["read-tree", "read-tree"]);
});

it("leaves it to git to remove files where case does not count", async () => {
  const { path, git, write } = testRepository();
  write("a", "a");
  git("add", "--all");
  git("config", "core.ignorecase", "true");
  const common = join(path, ".git");
  const here = cleanPlace(folder, common, "folded");
  const calls: string[] = [];
  const run: RunGit = (call) => {
    calls.push(call.args[0]!);
    return gitRunner({ gitDir: here.gitDir, env: cleanEnv() })(call);
  };
  const tree = git("write-tree").trim();
  await cleanCheckout(run, common, here, { tree, head: undefined, keepsIgnored: false });
  expect(calls).toEqual(["read-tree", "clean"]);
});
