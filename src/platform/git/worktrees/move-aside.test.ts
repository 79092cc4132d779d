import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { moveAside } from "./move-aside.ts";
import { moveTree } from "../files/move-tree.ts";

type Rename = typeof renameSync;

/** What is left of a worktree: files in folders, a link that leads nowhere, a folder that only its owner enters. */
function leftovers(): string {
  const home = mkdtempSync(join(tmpdir(), "pawl-aside-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const path = join(home, "plan");
  mkdirSync(join(path, "deep/er"), { recursive: true });
  writeFileSync(join(path, "deep/er/mine"), "by hand");
  writeFileSync(join(path, "other"), "other");
  symlinkSync("nowhere", join(path, "deep/link"));
  mkdirSync(join(path, "closed"), { mode: 0o700 });
  chmodSync(join(path, "other"), 0o755);
  return path;
}

const failing =
  (code: string, isHit: (path: string) => boolean): Rename =>
  (from, to) => {
    if (isHit(String(from))) throw Object.assign(new Error(code), { code });
    renameSync(from, to);
  };

const movingBy =
  (rename: Rename): typeof moveTree =>
  (from, to) =>
    moveTree(from, to, rename);

it("moves file by file where the file system renames no folder", () => {
  const path = leftovers();
  const to = moveAside(path, movingBy(failing("EXDEV", (from) => lstatSync(from).isDirectory())))!;
  expect(to).toBe(`${path}.rescued-1`);
  expect(readFileSync(join(to, "deep/er/mine"), "utf8")).toBe("by hand");
  expect(statSync(join(to, "other")).mode & 0o777).toBe(0o755);
  expect(statSync(join(to, "closed")).mode & 0o777).toBe(0o700);
  expect(lstatSync(join(to, "deep/link")).isSymbolicLink()).toBe(true);
  expect(existsSync(path)).toBe(false);
});

it.each([
  ["EBUSY", "the folder is a mount of its own"],
  ["EXDEV", "it lies on another disk"],
  ["EACCES", "it cannot be moved (EACCES)"],
])("says why not where nothing can be moved (%s), and leaves everything where it is", (code, why) => {
  const path = leftovers();
  expect(() => moveAside(path, movingBy(failing(code, () => true)))).toThrow(
    expect.objectContaining({ problem: "worktree/not-movable", message: expect.stringContaining(why) }),
  );
  expect(readdirSync(dirname(path))).toEqual(["plan"]);
  expect(readFileSync(join(path, "deep/er/mine"), "utf8")).toBe("by hand");
});

it("says where the rest is when it stops half way, and the next call moves it too", () => {
  const path = leftovers();
  const onlyFolders = failing("EXDEV", (from) => lstatSync(from).isDirectory() || from.endsWith("mine"));
  expect(() => moveAside(path, movingBy(onlyFolders))).toThrow(`Some of it is in ${path}.rescued-1 already`);
  expect(moveAside(path)).toBe(`${path}.rescued-2`);
  const all = readdirSync(dirname(path), { recursive: true }).map(String);
  for (const name of ["mine", "other", "link", "closed"])
    expect(
      all.filter((one) => one.endsWith(`/${name}`)),
      name,
    ).toHaveLength(1);
});
