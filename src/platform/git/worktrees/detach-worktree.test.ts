import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { listFiles, removeListed } from "./list-files.ts";
import { reattach, releaseDetached } from "./detach-worktree.ts";

function tree(): string {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "pawl-away-")));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const top = join(home, "plan");
  mkdirSync(join(top, "deep/er"), { recursive: true });
  mkdirSync(join(home, "entry"));
  writeFileSync(join(top, ".git"), `gitdir: ${join(home, "entry")}\n`);
  for (const name of ["one", "deep/two", "deep/er/three"]) writeFileSync(join(top, name), name);
  return top;
}

const left = (top: string): readonly string[] =>
  readdirSync(top, { recursive: true, encoding: "utf8" }).toSorted();

describe("what was seen goes, and nothing else", () => {
  it("takes all files and folders, but for the top and its .git", () => {
    const top = tree();
    removeListed(top, listFiles(top));
    expect(left(top)).toEqual([".git"]);
  });

  it.each<readonly [string, (top: string) => void, readonly string[]]>([
    ["changed", (top) => writeFileSync(join(top, "deep/two"), "other"), ["deep", "deep/two"]],
    ["new", (top) => writeFileSync(join(top, "deep/er/new"), ""), ["deep", "deep/er", "deep/er/new"]],
    ["made executable", (top) => chmodSync(join(top, "one"), 0o755), ["one"]],
    [
      "put in place of another",
      (top) => {
        writeFileSync(join(top, "new"), "one");
        renameSync(join(top, "new"), join(top, "one"));
      },
      ["one"],
    ],
    [
      "now a folder",
      (top) => {
        unlinkSync(join(top, "one"));
        mkdirSync(join(top, "one"));
      },
      ["one"],
    ],
    ["set back in time", (top) => utimesSync(join(top, "one"), 1, 1), ["one"]],
  ])("leaves a file that is %s", (_what, act, expected) => {
    const top = tree();
    const survey = listFiles(top);
    act(top);
    removeListed(top, survey);
    expect(left(top)).toEqual([".git", ...expected]);
  });

  it("takes what another process took already as gone", () => {
    const top = tree();
    const survey = listFiles(top);
    rmSync(join(top, "deep"), { recursive: true });
    removeListed(top, survey);
    expect(left(top)).toEqual([".git"]);
  });

  it("takes every name of a file that has several", () => {
    const top = tree();
    linkSync(join(top, "one"), join(top, "deep/again"));
    linkSync(join(top, "one"), join(top, "deep/er/and-again"));
    removeListed(top, listFiles(top));
    expect(left(top)).toEqual([".git"]);
  });

  it("takes links and never what they lead to, also names that are not UTF-8", () => {
    const top = tree();
    const out = join(top, "../out");
    mkdirSync(out);
    writeFileSync(join(out, "file"), "outside");
    symlinkSync(out, join(top, "link"));
    writeFileSync(Buffer.concat([Buffer.from(`${top}/`), Buffer.from([0xff, 0xfe])]), "bytes");
    removeListed(top, listFiles(top));
    expect(left(top)).toEqual([".git"]);
    expect(readFileSync(join(out, "file"), "utf8")).toBe("outside");
  });

  it("leaves the files of a folder that was moved away and replaced by a link", () => {
    const top = tree();
    const survey = listFiles(top);
    const out = join(top, "../out");
    renameSync(join(top, "deep"), out);
    symlinkSync(out, join(top, "deep"));
    removeListed(top, survey);
    expect(left(out)).toEqual(["er", "er/three", "two"]);
  });

  it("opens folders that are read-only", () => {
    const top = tree();
    for (const name of ["deep/er", "deep"]) chmodSync(join(top, name), 0o555);
    removeListed(top, listFiles(top));
    expect(left(top)).toEqual([".git"]);
  });

  it("tells of repositories inside, by a .git of any kind", () => {
    const top = tree();
    writeFileSync(join(top, "deep/er/.git"), "gitdir: elsewhere\n");
    mkdirSync(join(top, "deep/.git"));
    expect(listFiles(top).repositories).toEqual(["deep", "deep/er"]);
  });
});

describe("a folder that lies aside", () => {
  const leavingOf = (path: string) => ({ path, entry: join(path, "../entry") });

  it("is put back when its place is free, and only then", () => {
    const path = tree();
    expect(reattach(leavingOf(path))).toBe(false);
    renameSync(path, `${path}.rescued-3`);
    mkdirSync(path);
    expect(reattach(leavingOf(path))).toBe(false);
    rmSync(path, { recursive: true });
    expect(reattach(leavingOf(path))).toBe(true);
    expect(readFileSync(join(path, "deep/two"), "utf8")).toBe("deep/two");
    expect(existsSync(`${path}.rescued-3`)).toBe(false);
  });

  it("is named and cut off from git, and dropped when it is empty", () => {
    const path = tree();
    renameSync(path, `${path}.rescued-1`);
    mkdirSync(`${path}.rescued-2`);
    mkdirSync(`${path}-other.rescued-1`);
    mkdirSync(`${path}.rescued-4`);
    writeFileSync(`${path}.rescued-4/.git`, `gitdir: ${join(path, "../entry")}\n`);
    expect(releaseDetached(leavingOf(path))).toEqual([`${path}.rescued-1`]);
    expect(readdirSync(join(path, "..")).toSorted()).toEqual([
      "entry",
      "plan-other.rescued-1",
      "plan.rescued-1",
    ]);
    expect(left(`${path}.rescued-1`)).toEqual(["deep", "deep/er", "deep/er/three", "deep/two", "one"]);
  });
});
