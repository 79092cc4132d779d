import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { throwawayGit } from "../../../../test/support/throwaway-git.ts";
import type { TrailerEntry } from "../../ports/git.ts";
import { gitCli } from "../git-cli.ts";

const scratch = throwawayGit();
const { path, commit } = scratch;
afterAll(() => scratch.remove());

let repo = "";
let repositories = 0;
const git = (...args: string[]): string => scratch.git(repo, ...args);
const read = (...refs: string[]): Promise<readonly TrailerEntry[]> =>
  gitCli({ gitDir: path(repo, ".git"), env: scratch.env }).planCommits({
    refs: refs.length === 0 ? ["HEAD"] : refs,
  });

beforeEach(() => {
  repositories += 1;
  repo = `repo-${repositories}`;
  scratch.init(repo);
});

/** `plan: step step (via)`, marked when reverted or doubtful: short enough to compare whole histories. */
const brief = (entries: readonly TrailerEntry[]): string[] =>
  entries.map(
    ({ plan, steps, via, revertedBy, ambiguous }) =>
      `${plan ?? `?${ambiguous}`}: ${steps.join(" ")}${via === "squash" ? " (squash)" : ""}${revertedBy === undefined ? "" : " (reverted)"}`,
  );

const T = (step: string, plan = "p.md"): string => `Pawl-Plan: ${plan}\nPawl-Step: ${step}\n`;
const step = (name: string, plan?: string): string => commit(repo, `do ${name}\n\n${T(name, plan)}`);

/** Writes a commit object byte by byte, as no `git commit` would. */
function rawCommit(message: Buffer | string, headers = "", tree = "HEAD^{tree}"): string {
  const head = `tree ${git("rev-parse", tree)}\nparent ${git("rev-parse", "HEAD")}\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1700000000 +0000\n${headers}\n`;
  writeFileSync(path("object"), head);
  appendFileSync(path("object"), message);
  const name = git("hash-object", "-t", "commit", "-w", "--literally", path("object"));
  git("update-ref", "HEAD", name);
  return name;
}

describe("one commit", () => {
  it("tells everything it knows", async () => {
    const name = rawCommit("x\n\nPawl-Plan: ./plans//p.md\nPawl-Step: #step-1\nPawl-Claim: 7\n");
    expect(await read()).toEqual([
      {
        commit: name,
        plan: "plans/p.md",
        plans: ["plans/p.md"],
        steps: ["step-1"],
        claim: 7,
        claims: [7],
        contents: [],
        signatures: [],
        committedAt: "2023-11-14T22:13:20.000Z",
        via: "trailer",
        revertedBy: undefined,
        ambiguous: undefined,
      },
    ]);
  });

  it.each([
    ["the older family", "Tug-Plan: p.md\nTug-Step: s1\n", ["p.md: s1"]],
    ["mixed families", "Tug-Plan: p.md\nPawl-Step: s1\n", ["p.md: s1"]],
    ["any case", "pawl-PLAN: p.md\nTUG-step: s1\n", ["p.md: s1"]],
    [
      "several steps, each once",
      "Pawl-Step: s1\nPawl-Plan: p.md\nPawl-Step: s2\nPawl-Step: #s1\n",
      ["p.md: s1 s2"],
    ],
    ["steps behind commas", "Pawl-Plan: p.md\nPawl-Step: #s1, s2,,#s3 ,\n", ["p.md: s1 s2 s3"]],
    ["a folded value", "Pawl-Plan: p.md\nPawl-Step: s1,\n  s2\n", ["p.md: s1 s2"]],
    ["one plan in two spellings", "Pawl-Plan: p.md\nTug-Plan: ./p.md\nPawl-Step: s1\n", ["p.md: s1"]],
    [
      "the company of other trailers",
      `${T("s1")}Signed-off-by: A <a@b>\nCo-authored-by: B <b@c>\n`,
      ["p.md: s1"],
    ],
    ["carriage returns", T("s1").replaceAll("\n", "\r\n"), ["p.md: s1"]],
    ["no plan", "Pawl-Step: s1\n", ["?no-plan: s1"]],
    [
      "two plans, one of them smuggled in",
      `${T("s1")}Tug-Plan: other.md\nTug-Step: s9\n`,
      ["?several-plans: s1 s9"],
    ],
    ["no step", "Pawl-Plan: p.md\n", []],
    ["an empty step", "Pawl-Plan: p.md\nPawl-Step: \n", []],
    ["a step that cannot be one", "Pawl-Plan: p.md\nPawl-Step: s1 and s2, \u{1b}[2J, \u{202e}\n", []],
    ["a foreign family", "Other-Plan: p.md\nOther-Step: s1\n", []],
  ])("with %s", async (_, trailers, expected) => {
    commit(repo, `x\n\nbody\n\n${trailers}`);
    expect(brief(await read())).toEqual(expected);
  });

  it.each([
    ["in the title", "Pawl-Step: s1\n"],
    ["in the first paragraph", `x\n${T("s1")}`],
    ["in the body", `x\n\n${T("s1")}\nand so on\n`],
    ["in a paragraph of prose", `x\n\nwrites\n${T("s1")}`],
    ["quoted", `x\n\n    ${T("s1").replace("\n", "\n    ")}`],
    ["with a blank in the key", "x\n\nPawl Step: s1\nPawl-Plan: p.md\n"],
  ])("does not count words %s", async (_, message) => {
    commit(repo, message);
    expect(await read()).toEqual([]);
  });

  it("names every plan it may be about when it is doubtful", async () => {
    commit(repo, `x\n\n${T("s1")}Tug-Plan: other.md\n`);
    expect(await read()).toMatchObject([{ plan: undefined, plans: ["p.md", "other.md"] }]);
  });

  it("does not count several different claims", async () => {
    commit(repo, `x\n\n${T("s1")}Pawl-Claim: 7\nPawl-Claim: 8\n`);
    commit(repo, `x\n\n${T("s2")}Pawl-Claim: many\n`);
    expect((await read()).map(({ claim }) => claim)).toEqual([undefined, undefined]);
  });

  it("reads other families when asked", async () => {
    commit(repo, "x\n\nOther-Plan: p.md\nOther-Step: s1\n");
    const port = gitCli({ gitDir: path(repo, ".git"), env: scratch.env });
    expect(brief(await port.planCommits({ refs: ["HEAD"], prefixes: ["Other", ".*("] }))).toEqual([
      "p.md: s1",
    ]);
  });
});

describe("only what is reachable counts", () => {
  it("not an abandoned branch, not an amended commit", async () => {
    step("s1");
    git("checkout", "--quiet", "-b", "abandoned");
    step("s2");
    git("checkout", "--quiet", "trunk");
    step("s3");
    git("commit", "--quiet", "--amend", "--message", "x\n\nPawl-Plan: p.md\nPawl-Step: s4");
    expect(brief(await read())).toEqual(["p.md: s4", "p.md: s1"]);
    expect(brief(await read("abandoned"))).toEqual(["p.md: s2", "p.md: s1"]);
    expect(brief(await read("trunk", "abandoned"))).toHaveLength(3);
  });

  it("from names that exist; others are skipped", async () => {
    const name = step("s1");
    const odd = [
      "",
      "gone",
      "--all",
      "-n1",
      "f".repeat(40),
      "a..b",
      "HEAD\ngone",
      "refs/heads/*",
      "HEAD:file",
    ];
    expect(brief(await read(name, ...odd))).toEqual(["p.md: s1"]);
    expect(await read(...odd)).toEqual([]);
    expect(await read("gone")).toEqual([]);
  });

  it("from the HEAD of a linked worktree", async () => {
    git("worktree", "add", "--quiet", "--detach", `../${repo}-linked`);
    commit(`${repo}-linked`, `x\n\n${T("s1")}`);
    expect(await read("HEAD")).toEqual([]);
    expect(brief(await read(`worktrees/${repo}-linked/HEAD`))).toEqual(["p.md: s1"]);
  });

  it("in a repository without commits", async () => {
    git("checkout", "--quiet", "--orphan", "empty");
    expect(await read("HEAD")).toEqual([]);
  });

  it("and objects themselves, not what replaces them", async () => {
    const name = commit(repo, "plain\n");
    git("checkout", "--quiet", "--detach", "HEAD~1");
    const forged = step("s1");
    git("checkout", "--quiet", "trunk");
    git("replace", name, forged);
    expect(git("log", "-1", "--format=%B")).toContain("Pawl-Step");
    expect(await read()).toEqual([]);
  });
});

describe("reverts", () => {
  const revert = (name: string, ...args: string[]): string => {
    git("revert", "--no-edit", ...args, name);
    return git("rev-parse", "HEAD");
  };

  it("take a step back, and a revert of the revert brings it again", async () => {
    const done = step("s1");
    step("s2");
    const first = revert(done);
    expect((await read()).map(({ revertedBy }) => revertedBy)).toEqual([undefined, first]);
    const second = revert(first);
    expect(brief(await read())).toEqual(["p.md: s2", "p.md: s1"]);
    revert(second);
    expect(brief(await read())).toEqual(["p.md: s2", "p.md: s1 (reverted)"]);
  });

  it("do not touch a step that was done again", async () => {
    revert(step("s1"));
    step("s1");
    expect(brief(await read())).toEqual(["p.md: s1", "p.md: s1 (reverted)"]);
  });

  it("count by abbreviated name too", async () => {
    const done = step("s1");
    commit(repo, `drop it\n\nThis reverts commit ${done.slice(0, 9)} (do s1, 2026-01-01).\n`);
    expect(brief(await read())).toEqual(["p.md: s1 (reverted)"]);
  });

  it("on another branch do not count here", async () => {
    const done = step("s1");
    git("checkout", "--quiet", "-b", "side");
    revert(done);
    expect(brief(await read("trunk"))).toEqual(["p.md: s1"]);
    expect(brief(await read("side"))).toEqual(["p.md: s1 (reverted)"]);
  });

  it("of a merge take back all it brought, but nothing of its main line", async () => {
    step("s1");
    git("checkout", "--quiet", "-b", "side");
    step("s2");
    step("s3");
    git("checkout", "--quiet", "trunk");
    step("s4");
    git("merge", "--quiet", "--no-ff", "--no-edit", "side");
    const undo = revert(git("rev-parse", "HEAD"), "--mainline=1");
    expect(brief(await read()).toSorted()).toEqual([
      "p.md: s1",
      "p.md: s2 (reverted)",
      "p.md: s3 (reverted)",
      "p.md: s4",
    ]);
    revert(undo);
    expect(brief(await read()).join()).not.toContain("reverted");
  });

  it("follow their commits through a rebase, with and without the old objects", async () => {
    git("checkout", "--quiet", "-b", "side");
    revert(step("s1"));
    step("s2");
    git("checkout", "--quiet", "trunk");
    commit(repo, "meanwhile\n");
    git("rebase", "--quiet", "trunk", "side");
    const expected = ["p.md: s2", "p.md: s1 (reverted)"];
    expect(brief(await read("side"))).toEqual(expected);
    git("reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all");
    git("gc", "--quiet", "--prune=now");
    expect(brief(await read("side"))).toEqual(expected);
  });

  it("take nothing back where they change nothing", async () => {
    const done = step("s1");
    rawCommit(`Revert "do s1"\n\nThis reverts commit ${done}.\n`);
    expect(brief(await read())).toEqual(["p.md: s1"]);
  });

  it("count wherever clocks that disagree put them", async () => {
    const done = step("s1");
    git("checkout", "--quiet", "-b", "side");
    const nothing = git("hash-object", "-t", "tree", "-w", "/dev/null");
    rawCommit(`Revert "do s1"\n\nThis reverts commit ${done}.\n`, "", nothing);
    git("checkout", "--quiet", "--force", "trunk");
    git("merge", "--quiet", "--no-ff", "--no-edit", "side");
    expect(brief(await read())).toEqual(["p.md: s1 (reverted)"]);
  });

  it("count once, though a hosting service added people", async () => {
    step("s1");
    step("s1");
    commit(repo, `Revert "do s1"\n\nThis reverts commit ${"a".repeat(40)}.\n\nCo-authored-by: B <b@c>\n`);
    expect(brief(await read())).toEqual(["p.md: s1 (reverted)", "p.md: s1"]);
  });

  it("of a plain commit leave a step of the same title alone", async () => {
    step("s1");
    revert(commit(repo, "do s1\n"));
    expect(brief(await read())).toEqual(["p.md: s1"]);
  });

  it("can be a step themselves", async () => {
    const done = step("s1");
    commit(repo, `Revert "do s1"\n\nThis reverts commit ${done}.\n\n${T("s2")}`);
    expect(brief(await read())).toEqual(["p.md: s2", "p.md: s1 (reverted)"]);
  });
});

describe("squash merges by git", () => {
  /** Squashes what `work` does on a branch and gives git's own message. */
  const squash = (work: () => void, edit: (message: string) => string = (message) => message): string => {
    git("checkout", "--quiet", "-b", `side-${repositories}`);
    work();
    git("checkout", "--quiet", "trunk");
    git("merge", "--quiet", "--squash", `side-${repositories}`);
    git("branch", "--quiet", "-D", `side-${repositories}`);
    const message = readFileSync(path(repo, ".git/SQUASH_MSG"), "utf8");
    return commit(repo, edit(message));
  };
  const forgetObjects = (): void => {
    git("reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all");
    git("gc", "--quiet", "--prune=now");
  };

  it("keep every step, with and without the old objects", async () => {
    const name = squash(() => {
      step("s1");
      commit(repo, "no step\n");
      step("s2", "q.md");
    });
    const expected = ["q.md: s2 (squash)", "p.md: s1 (squash)"];
    expect(brief(await read())).toEqual(expected);
    forgetObjects();
    expect(brief(await read())).toEqual(expected);
    expect((await read()).every((entry) => entry.commit === name)).toBe(true);
  });

  it("keep both under a title and above trailers of one's own", async () => {
    squash(
      () => step("s1"),
      (message) => `all of it\n\n${message}\n${T("s2")}`,
    );
    expect(brief(await read())).toEqual(["p.md: s2", "p.md: s1 (squash)"]);
  });

  it("do not say twice what their own trailers say", async () => {
    squash(
      () => step("s1"),
      (message) => `${message}\n${T("s1")}`,
    );
    expect(brief(await read())).toEqual(["p.md: s1"]);
  });

  it("count only what the folded commits say themselves, while they exist", async () => {
    squash(
      () => step("s1"),
      (message) => message.replace("    Pawl-Step: s1", "    Pawl-Step: s1, s9"),
    );
    expect(brief(await read())).toEqual(["p.md: s1 (squash)"]);
  });

  it("count nothing that a plain folded commit is made to say", async () => {
    squash(
      () => commit(repo, "plain\n"),
      (message) => `${message.trimEnd()}\n\n    Pawl-Plan: p.md\n    Pawl-Step: s9\n`,
    );
    expect(await read()).toEqual([]);
  });

  it("do not count words in the middle of a folded message", async () => {
    squash(() => commit(repo, `x\n\n${T("s9")}\nand so on\n`));
    expect(await read()).toEqual([]);
  });

  it("leave out what was taken back before the squash", async () => {
    squash(() => {
      git("revert", "--no-edit", step("s1"));
      step("s2");
    });
    expect(brief(await read())).toEqual(["p.md: s2 (squash)"]);
  });

  it("do not reach into older history for what was settled inside them", async () => {
    step("s1");
    squash(() => commit(repo, `drop it\n\nThis reverts commit ${step("s1")}.\n`));
    expect(brief(await read())).toEqual(["p.md: s1"]);
  });

  it("take back what they reverted of older history", async () => {
    const old = step("s1");
    squash(() => git("revert", "--no-edit", old));
    expect(brief(await read())).toEqual(["p.md: s1 (reverted)"]);
  });

  it("are taken back whole, or one original at a time", async () => {
    let original = "";
    squash(() => {
      original = step("s1");
      step("s2");
    });
    git("revert", "--no-edit", original);
    expect(brief(await read())).toEqual(["p.md: s2 (squash)", "p.md: s1 (squash) (reverted)"]);
    git("revert", "--no-edit", "HEAD~1");
    expect(brief(await read())).toEqual(["p.md: s2 (squash) (reverted)", "p.md: s1 (squash) (reverted)"]);
  });

  it("nest", async () => {
    git("checkout", "--quiet", "-b", "outer");
    squash(() => step("s1"));
    git("checkout", "--quiet", "trunk");
    git("reset", "--quiet", "--hard", "HEAD~1");
    git("checkout", "--quiet", "-B", "outer", "HEAD@{1}");
    step("s2");
    git("checkout", "--quiet", "trunk");
    git("merge", "--quiet", "--squash", "outer");
    commit(repo, readFileSync(path(repo, ".git/SQUASH_MSG"), "utf8"));
    expect(brief(await read())).toEqual(["p.md: s2 (squash)", "p.md: s1 (squash)"]);
  });
});

describe("squash merges by hosting services", () => {
  it("keep every step, and the last one as git reads it", async () => {
    commit(repo, `Feature (#12)\n\n* one\n\nwhy\n\n${T("s1")}\n* two\n\n* three\n\n${T("s3")}`);
    expect(brief(await read())).toEqual(["p.md: s3", "p.md: s1 (squash)"]);
  });

  it("keep every step above the list of people", async () => {
    commit(
      repo,
      `Feature (#12)\n\n* one\n\n${T("s1")}\n* two\n\n${T("s2")}\n---------\n\nCo-authored-by: B <b@c>\n`,
    );
    expect(brief(await read())).toEqual(["p.md: s2 (squash)", "p.md: s1 (squash)"]);
  });

  it("keep the step of a single commit above the people", async () => {
    commit(repo, `Feature (#12)\n\nwhy\n\n${T("s1")}\nCo-authored-by: B <b@c>\n`);
    expect(brief(await read())).toEqual(["p.md: s1 (squash)"]);
  });

  it("leave out what a later title of theirs takes back", async () => {
    commit(
      repo,
      `F\n\n* one\n\n${T("s1")}\n* two\n\n${T("s2")}\n* Revert "one"\n\nThis reverts commit ${"a".repeat(40)}.\n`,
    );
    expect(brief(await read())).toEqual(["p.md: s2 (squash)"]);
  });

  it("are doubtful where a part is", async () => {
    commit(
      repo,
      `F\n\n* one\n\nPawl-Step: s1\n\n* two\n\n${T("s2")}\n---------\n\nCo-authored-by: B <b@c>\n`,
    );
    expect(brief(await read())).toEqual(["p.md: s2 (squash)", "?no-plan: s1 (squash)"]);
  });
});

describe("hostile messages", () => {
  it("of enormous size are reported, not read", async () => {
    step("s1");
    rawCommit(`x\n\n${"filler ".repeat(1 << 20)}\n\n${T("s9")}`);
    step("s2");
    expect(brief(await read())).toEqual(["p.md: s2", "?too-large: ", "p.md: s1"]);
  });

  it("of thousands of trailers are reported, not read", async () => {
    commit(repo, `x\n\nPawl-Plan: p.md\n${"Pawl-Step: s\n".repeat(5_000)}`);
    commit(
      repo,
      `x\n\nPawl-Plan: p.md\n${Array.from({ length: 5_000 }, (_, n) => `Pawl-Step: s${n}\n`).join("")}`,
    );
    expect(brief(await read())).toEqual(["?too-large: ", "p.md: s"]);
  });

  it("of thousands of parts that take each other back are settled in a moment", async () => {
    const part = (n: number): string =>
      `commit ${n.toString(16).padStart(40, "0")}\n\n    This reverts commit ${"0".repeat(7)}\n\n`;
    commit(
      repo,
      `Squashed commit of the following:\n\n${Array.from({ length: 9_000 }, (_, n) => part(n)).join("")}${T("s9")}`,
    );
    // Anything worse than linear would not end within the time that a test has.
    expect(await read()).toBeDefined();
  });

  it("of binary stuff, broken text and foreign encodings do no harm", async () => {
    rawCommit(Buffer.from([0x78, 10, 10, 0xff, 0xfe, 0x80, 10, 10]));
    rawCommit(`x\n\nPawl-Plan: p.md\nPawl-Step: s1\0, s9\n`);
    rawCommit(
      Buffer.concat([Buffer.from("x\n\nBy: J"), Buffer.from([0xf6]), Buffer.from(`rg\n${T("s2")}`)]),
      "encoding ISO-8859-1\n",
    );
    rawCommit(`x +AAA-\n\n${T("s3")}`, "encoding UTF-7\n");
    rawCommit(`x\n\n${T("s4")}`, "encoding nonsense\n");
    const told = brief(await read());
    expect(told).toContain("p.md: s2");
    expect(told).toContain("p.md: s4");
    expect(told.join()).not.toContain("s9");
  });

  it("cannot fake the border between two commits", async () => {
    const name = rawCommit(`x\n\n${T("s1")}\0${"f".repeat(40)}\n1\nx\n\n${T("s9")}\n`);
    for (const entry of await read()) expect(entry).toMatchObject({ commit: name });
    expect(brief(await read()).join()).not.toContain("s9");
  });

  it("with impossible times have some time", async () => {
    step("s1");
    const object = git("cat-file", "commit", "HEAD").replace(
      /^committer .*$/m,
      "committer A <a@b> 99999999999999 +0000",
    );
    writeFileSync(path("object"), `${object}\n`);
    git("update-ref", "HEAD", git("hash-object", "-t", "commit", "-w", "--literally", path("object")));
    expect((await read())[0]?.committedAt).toMatch(/^\d{4}-\d\d-\d\dT/);
  });
});

it("does not depend on the reader's configuration", async () => {
  rawCommit(`x\n\n${T("s1")}`, "gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n");
  writeFileSync(path("gpg"), `#!/bin/sh\necho signed; touch ${path("ran")}\n`, { mode: 0o755 });
  const settings = {
    "log.showSignature": "true",
    "gpg.program": path("gpg"),
    "log.decorate": "full",
    "log.diffMerges": "on",
    "log.follow": "true",
    "format.pretty": "oneline",
    "format.notes": "*",
    "trailer.separators": "=",
    "core.commentChar": "P",
    "color.ui": "always",
    "grep.patternType": "fixed",
    "i18n.logOutputEncoding": "UTF-16",
  };
  for (const [key, value] of Object.entries(settings)) git("config", key, value);
  git("notes", "add", "--message", T("s9"));
  expect(brief(await read())).toEqual(["p.md: s1"]);
  expect(existsSync(path("ran"))).toBe(false);
});
