import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PAWL, pawl } from "../support/cli.ts";
import { afterLastLook, gitThat } from "../support/git-that.ts";
import { AGENT } from "../support/run-shop.ts";
import { planJson, SPEC, specShop } from "../support/spec-shop.ts";
import { type Data, ok, PLAN, refused } from "../support/workshop.ts";
import { paste, read, worktreeShop, type WorktreeShop } from "../support/worktree-shop.ts";

/** A process writes to a worktree after everything in it was saved, or found to be committed, at the last moment. */

function dirty(): WorktreeShop & { readonly path: string } {
  const shop = worktreeShop();
  shop.commit(shop.home, {
    "kept.txt": "kept",
    "deep/er/one.txt": "one",
    ".gitignore": "*.log\n",
    [PLAN]: read(shop.home, PLAN),
  });
  const path = shop.create()["worktree_path"] as string;
  shop.put(path, { "mine.txt": "by hand", "deep/mine.txt": "by hand", "deep/much.log": "ignored" });
  return { ...shop, path };
}

function committed(): WorktreeShop & { readonly path: string } {
  const shop = dirty();
  shop.gitIn(shop.path, "add", "--all");
  shop.gitIn(shop.path, "commit", "-q", "-m", "all of it");
  return shop;
}

/** What is written, and all files that are then neither saved nor gone. */
const WRITES: Readonly<Record<string, readonly [script: string, late: Readonly<Record<string, string>>]>> = {
  "a new file": ["printf late > late.txt", { "late.txt": "late" }],
  "a file in a new folder": [
    "mkdir -p new/folder; printf late > new/folder/late.txt",
    { "new/folder/late.txt": "late" },
  ],
  "a file in an old folder": ["printf late > deep/er/late.txt", { "deep/er/late.txt": "late" }],
  "a committed file": ["printf late > deep/er/one.txt", { "deep/er/one.txt": "late" }],
  "an ignored file": ["printf late > deep/new.log", { "deep/new.log": "late" }],
  "a saved file, which keeps its size and time": [
    'cp -p mine.txt "$HOME_DIR/old"; printf BY_HAND > mine.txt; touch -r "$HOME_DIR/old" mine.txt',
    { "mine.txt": "BY_HAND" },
  ],
  "a repository": ["git init -q inner; printf late > inner/late.txt", { "inner/late.txt": "late" }],
};

const writing = (shop: WorktreeShop & { readonly path: string }, script: string) =>
  afterLastLook(shop.home, "plan", `HOME_DIR="${shop.home}/.git"; (cd "${shop.path}" && ${script})`);

function filesIn(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  return files
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .filter((name) => !name.includes(".git/"));
}

/** Brings everything back by what was printed. */
function expectBack(shop: WorktreeShop & { readonly path: string }, saved: readonly Data[]): string {
  expect(saved.map(({ kind }) => kind as string)).toEqual(["snapshot", "folder"]);
  for (const { bring_back: command } of saved) paste(shop.home, command as string);
  expect(read(`${shop.path}-restored`, "mine.txt")).toBe("by hand");
  expect(read(`${shop.path}-restored`, "deep/mine.txt")).toBe("by hand");
  expect(existsSync(shop.path)).toBe(false);
  expect(existsSync(`${shop.path}.rescued-1`)).toBe(false);
  expect(shop.repository.git("worktree", "list")).not.toContain("pawl/plan");
  return `${shop.path}-late`;
}

// proves G-no-uncommitted-work-lost
describe("what is written to a worktree between the last look and its removal", () => {
  it.each(Object.entries(WRITES))("is kept and reported by remove: %s", (_name, [script, late]) => {
    const shop = dirty();
    const answer = ok(shop.jsonWith({ env: writing(shop, script) }, "worktree", "remove", "pawl/plan"));
    expect(answer).toMatchObject({ removed: true, ignored_files: 1 });
    const folder = expectBack(shop, answer["saved"] as Data[]);
    expect(filesIn(folder)).toEqual(Object.keys(late));
    for (const [name, content] of Object.entries(late)) expect(read(folder, name)).toBe(content);
    expect(shop.create()).toMatchObject({ reused: false, warnings: [] });
  });

  it.each(Object.entries(WRITES))("is kept where everything was committed: %s", (_name, [script, late]) => {
    const shop = committed();
    const answer = ok(shop.jsonWith({ env: writing(shop, script) }, "worktree", "remove", "pawl/plan"));
    const saved = answer["saved"] as Data[];
    expect(answer).toMatchObject({ removed: true, ignored_files: 1, saved: [{ kind: "folder" }] });
    expect(saved).toHaveLength(1);
    paste(shop.home, saved[0]!["bring_back"] as string);
    expect(filesIn(`${shop.path}-late`)).toEqual(Object.keys(late));
    for (const [name, content] of Object.entries(late)) expect(read(`${shop.path}-late`, name)).toBe(content);
    expect(shop.create()).toMatchObject({ reused: false, warnings: [] });
  });

  it.each(Object.entries(WRITES))("is kept and reported by clean: %s", (_name, [script, late]) => {
    const shop = dirty();
    shop.commit(shop.path, { "done.txt": "done", "mine.txt": "not yet" });
    shop.repository.git("merge", "-q", "pawl/plan");
    shop.put(shop.path, { "mine.txt": "by hand", "deep/mine.txt": "by hand" });
    const answer = ok(shop.jsonWith({ env: writing(shop, script) }, "worktree", "clean", "--merged"));
    const [removed] = answer["removed"] as Data[];
    expect(removed).toMatchObject({ worktree_path: shop.path });
    const folder = expectBack(shop, removed!["saved"] as Data[]);
    expect(filesIn(folder)).toEqual(Object.keys(late));
    for (const [name, content] of Object.entries(late)) expect(read(folder, name)).toBe(content);
  });

  it.each(["a new file", "a saved file, which keeps its size and time", "a file in a new folder"])(
    "is kept and reported by a start from fresh: %s",
    (name) => {
      const [script, late] = WRITES[name]!;
      const shop = specShop(planJson(["pending", "pending"]));
      expect(shop.run("--max-steps", "1").code).toBe(0);
      const path = join(shop.repo.path, ".pawl/worktrees/001-shed-w1");
      writeFileSync(join(path, "mine.txt"), "by hand");
      const env = {
        ...afterLastLook(
          shop.repo.path,
          "001-shed-w1",
          `HOME_DIR="${shop.repo.path}/.git"; (cd "${path}" && ${script})`,
        ),
        SCRIPTED_AGENT: shop.path("script.json"),
        SCRIPTED_AGENT_PAWL: `${process.execPath}\n${PAWL}`,
      };
      const run = pawl({ cwd: shop.repo.path, env }, "run", SPEC, "--existing", "fresh", ...AGENT);
      expect(run).toMatchObject({ code: 0 });
      const told = run.stdout.replaceAll(/\s+/g, " ");
      const commands = [
        ...told.matchAll(/restore (?:it )?with: (pawl snapshot restore \S+ --to \S+|mv -n \S+ \S+)/g),
      ];
      for (const [, command] of commands) paste(shop.repo.path, command!);
      expect(read(`${path}-restored`, "mine.txt")).toBe("by hand");
      for (const [file, content] of Object.entries(late)) expect(read(`${path}-late`, file)).toBe(content);
      expect(shop.starts("subtask-1-1")).toBe(2);
    },
  );

  it("is no link that is followed: files that were moved out stay where they are", () => {
    const shop = dirty();
    const out = join(shop.home, ".git/out");
    const env = writing(shop, `mv deep "${out}"; ln -s "${out}" deep`);
    const answer = ok(shop.jsonWith({ env }, "worktree", "remove", "pawl/plan"));
    expect(filesIn(expectBack(shop, answer["saved"] as Data[]))).toEqual(["deep"]);
    expect(filesIn(out).toSorted()).toEqual(["er/one.txt", "mine.txt", "much.log"]);
  });

  it.each([
    ["uncommitted", dirty],
    ["committed", committed],
  ])("is kept too where it makes the folder anew, by its path, of %s work", (_what, made) => {
    const shop = made();
    const once = join(shop.home, ".git/once");
    const env = gitThat(
      shop.home,
      "worktree remove",
      `[ -e "${once}" ] || { : > "${once}"; mkdir -p "${shop.path}"; printf late > "${shop.path}/late.txt"; }`,
    );
    const answer = ok(shop.jsonWith({ env }, "worktree", "remove", "pawl/plan"));
    const saved = answer["saved"] as Data[];
    paste(shop.home, saved.at(-1)!["bring_back"] as string);
    expect(saved.map(({ kind }) => kind as string).slice(0, -1)).toEqual(made === dirty ? ["snapshot"] : []);
    expect(read(`${shop.path}-late`, "late.txt")).toBe("late");
  });

  it("is in the text for people, with the command that brings it back", () => {
    const shop = dirty();
    const [script] = WRITES["a new file"]!;
    const { stdout } = pawl(
      { cwd: shop.home, env: writing(shop, script) },
      "worktree",
      "remove",
      "pawl/plan",
    );
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      `kept what was written to ${shop.path} while it was removed; restore it with: mv -n ${shop.path}.rescued-1 ${shop.path}-late`,
    );
  });
});

/** As a kill leaves it between the move and the last file: aside, with its `.git`, and without its mark. */
function cutOff(...gone: readonly string[]): WorktreeShop & { readonly path: string } {
  const shop = dirty();
  shop.repository.git("worktree", "unlock", shop.path);
  rmSync(join(shop.home, ".git/worktrees/plan/pawl-ready"));
  for (const name of gone) rmSync(join(shop.path, name));
  renameSync(shop.path, `${shop.path}.rescued-1`);
  return shop;
}

describe("a removal that was cut off", () => {
  it.each([
    ["before the first file went", []],
    ["after some files went", ["kept.txt", "mine.txt"]],
  ])("is finished by the same command, %s", (_when, gone) => {
    const shop = cutOff(...gone);
    const answer = ok(shop.worktrees("remove", "pawl/plan"));
    expect(answer).toMatchObject({ removed: true, saved: [{ kind: "snapshot" }] });
    expect(existsSync(`${shop.path}.rescued-1`)).toBe(false);
    paste(shop.home, (answer["saved"] as Data[])[0]!["bring_back"] as string);
    expect(read(`${shop.path}-restored`, "deep/mine.txt")).toBe("by hand");
  });

  it.each([
    ["aside", true],
    ["put back", false],
  ])("tells again what the call had saved that was killed, when the folder is %s", (_where, isAside) => {
    const shop = dirty();
    const env = afterLastLook(shop.home, "plan", "kill -9 $PPID");
    expect(pawl({ cwd: shop.home, env }, "worktree", "remove", "pawl/plan")).toMatchObject({
      signal: "SIGKILL",
    });
    // As if it had been killed a little later.
    for (const name of [".git/worktrees/plan/pawl-ready", ".pawl/worktrees/plan/mine.txt"])
      rmSync(join(shop.home, name));
    if (isAside) renameSync(shop.path, `${shop.path}.rescued-1`);
    const saved = ok(shop.worktrees("remove", "pawl/plan"))["saved"] as Data[];
    expect(saved.map(({ kind }) => kind as string)).toEqual(["snapshot", "snapshot"]);
    paste(shop.home, saved[0]!["bring_back"] as string);
    expect(read(`${shop.path}-restored`, "mine.txt")).toBe("by hand");
  });

  it("leaves nothing that leads to the worktree which create makes anew", () => {
    const shop = cutOff("kept.txt");
    const made = shop.create();
    expect(made).toMatchObject({ reused: false, worktree_path: shop.path });
    expect(made["warnings"]).toContainEqual(expect.stringContaining(`${shop.path}.rescued-1`));
    expect(read(`${shop.path}.rescued-1`, "mine.txt")).toBe("by hand");
    expect(existsSync(`${shop.path}.rescued-1/.git`)).toBe(false);
    expect(shop.gitIn(shop.path, "status", "--porcelain")).toBe("");
  });

  it("is reported by doctor, and repaired by --fix", () => {
    const shop = cutOff("kept.txt");
    const fixed = ok(shop.json("doctor", "--fix"))["fixed"] as string[];
    expect(fixed).toContainEqual(expect.stringContaining(`${shop.path}.rescued-1`));
    expect(read(`${shop.path}.rescued-1`, "mine.txt")).toBe("by hand");
    expect(shop.create()).toMatchObject({ reused: false, warnings: [] });
  });

  it("leaves a folder alone that is aside for another reason", () => {
    const shop = cutOff();
    shop.put(`${shop.path}.rescued-2`, { "other.txt": "other" });
    mkdirSync(`${shop.path}.rescued-3`);
    writeFileSync(`${shop.path}.rescued-3/.git`, `gitdir: ${shop.home}/.git/worktrees/other\n`);
    expect(ok(shop.worktrees("remove", "pawl/plan"))).toMatchObject({ saved: [{ kind: "snapshot" }] });
    expect(existsSync(`${shop.path}.rescued-1`)).toBe(false);
    expect(read(`${shop.path}.rescued-2`, "other.txt")).toBe("other");
    expect(existsSync(`${shop.path}.rescued-3/.git`)).toBe(true);
  });

  it("continues where the folder was made anew meanwhile, and keeps both", () => {
    const shop = cutOff();
    shop.put(shop.path, { "late.txt": "late" });
    const saved = ok(shop.worktrees("remove", "pawl/plan"))["saved"] as Data[];
    expect(saved.map(({ ref }) => ref as string)).toEqual([
      `${shop.path}.rescued-1`,
      `${shop.path}.rescued-2`,
    ]);
    for (const { bring_back: command } of saved) paste(shop.home, command as string);
    expect(read(`${shop.path}-restored`, "mine.txt")).toBe("by hand");
    expect(read(`${shop.path}-restored-2`, "late.txt")).toBe("late");
    refused(shop.worktrees("remove", join(shop.home, "nowhere")), "E064", 2);
  });
});

it("removes a worktree from inside of it, files with several names among the rest", () => {
  const shop = dirty();
  paste(shop.path, "ln mine.txt deep/again.txt; mkfifo pipe; ln -s nowhere link; mkdir empty");
  const answer = ok(shop.jsonWith({ cwd: join(shop.path, "deep") }, "worktree", "remove", "pawl/plan"));
  expect(answer).toMatchObject({ removed: true, saved: [{ kind: "snapshot" }] });
  expect(existsSync(shop.path)).toBe(false);
  expect(readdirSync(join(shop.home, ".pawl/worktrees"))).toEqual([".gitignore"]);
});
