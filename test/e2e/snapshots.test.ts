import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canPlayOthers } from "../support/cli.ts";
import { trySnapshot } from "../support/try-snapshot.ts";
import { type Answer, ok, refused, workshop } from "../support/workshop.ts";

let home = "";
beforeAll(() => {
  home = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "pawl-snapshots-")));
});
afterAll(() => fs.rmSync(home, { recursive: true, force: true }));

describe("of random dirty trees", () => {
  // The others of the two hundred are in the crash project, because they take minutes.
  it.each([0, 5, 10, 15])(
    "is taken, copied and restored byte for byte (seeds %i and the next 4)",
    async (first) => {
      for (let seed = first; seed < first + 5; seed += 1) await trySnapshot(home, seed);
      expect(fs.readdirSync(home)).toEqual([]);
    },
  );
});

describe("the commands", () => {
  const setUp = () => {
    const work = workshop(null);
    work.repository.write("tracked", "committed\n");
    work.repository.git("add", "-A");
    work.repository.git("commit", "-q", "-m", "files");
    return work;
  };

  const nameOf = (answer: Answer): string => (ok(answer)["snapshot"] as { ref: string }).ref;

  it("brings a folder back that a link to elsewhere took the place of, and keeps nothing of what is there", () => {
    const { json, repository, home } = setUp();
    repository.write("folder/file", "work\n");
    const name = nameOf(json("snapshot", "take"));
    fs.rmSync(join(home, "folder"), { recursive: true });
    const outside = join(home, "../outside");
    fs.mkdirSync(outside);
    fs.writeFileSync(join(outside, "file"), "none of Pawl's business\n");
    fs.symlinkSync(outside, join(home, "folder"));
    const { before } = ok(json("snapshot", "restore", name));
    expect(fs.readFileSync(join(home, "folder/file"), "utf8")).toBe("work\n");
    expect(fs.readFileSync(join(outside, "file"), "utf8")).toBe("none of Pawl's business\n");
    expect(repository.git("ls-tree", "-r", before.commit as string)).toMatch(/^120000 .*\tfolder$/m);
    const secret = repository.git("hash-object", join(outside, "file"));
    expect(repository.git("cat-file", "--batch-all-objects", "--batch-check")).not.toContain(secret);
  });

  it("says what is in the way where a pipe took the place of a file", () => {
    const { json, repository, home } = setUp();
    repository.write("tracked", "changed\n");
    const name = nameOf(json("snapshot", "take"));
    fs.rmSync(join(home, "tracked"));
    execFileSync("mkfifo", [join(home, "tracked")]);
    expect(refused(json("snapshot", "restore", name), "E125", 5).message).toContain("a pipe");
  });

  it("brings files back no more open than they were", () => {
    const { json, repository, home } = setUp();
    const mode = (...path: string[]) => fs.statSync(join(home, ...path)).mode & 0o777;
    repository.write("secret", "key\n");
    fs.chmodSync(join(home, "secret"), 0o600);
    repository.write("tracked", "changed\n");
    const name = nameOf(json("snapshot", "take"));
    fs.rmSync(join(home, "secret"));
    repository.write("tracked", "changed again\n");
    fs.chmodSync(join(home, "tracked"), 0o640);
    ok(json("snapshot", "restore", name));
    expect([mode("secret"), mode("tracked")]).toEqual([0o600, 0o640]);
    ok(json("snapshot", "restore", name, "--to", join(home, "../copy")));
    expect(mode("../copy/secret")).toBe(0o600);
  });

  it.skipIf(!canPlayOthers())("refuses to pass over a folder that it may not read", () => {
    const { jsonWith, repository, home } = setUp();
    repository.write("closed/file", "work\n");
    execFileSync("chown", ["-R", "65534:65534", dirname(home)]);
    fs.chownSync(join(home, "closed"), 0, 0);
    fs.chmodSync(join(home, "closed"), 0o700);
    const issue = refused(jsonWith({ uid: 65_534 }, "snapshot", "take"), "E124", 3);
    expect(issue.message).toContain("closed");
  });

  it("take, list, show, restore and drop, as JSON", () => {
    const { json, repository, home } = setUp();
    expect(ok(json("snapshot", "take"))).toEqual({ taken: false, snapshot: null });
    expect(ok(json("snapshot", "list"))).toEqual({ snapshots: [] });
    repository.write("tracked", "changed\n");
    repository.write("new", "new\n");
    const { snapshot } = ok(json("snapshot", "take", "--worktree", home, "--reason", "a reason"));
    expect(snapshot).toMatchObject({
      worktree: home,
      worktree_id: "main",
      branch: "main",
      files: 2,
      because: "a reason",
    });
    expect(ok(json("snapshot", "list"))).toEqual({ snapshots: [snapshot] });
    const name = (snapshot.ref as string).slice(-6);
    expect(ok(json("snapshot", "show", name))["changes"]).toEqual([
      { path: "new", status: "added" },
      { path: "tracked", status: "modified" },
    ]);
    repository.git("reset", "-q", "--hard");
    const restored = ok(json("snapshot", "restore", name));
    expect(restored).toMatchObject({ restored: true, path: home, before: { files: 1 } });
    expect(fs.readFileSync(join(home, "tracked"), "utf8")).toBe("changed\n");
    const to = join(home, "../copy");
    expect(ok(json("snapshot", "restore", name, "--to", to))["path"]).toBe(to);
    expect(fs.readFileSync(join(to, "new"), "utf8")).toBe("new\n");
    expect(ok(json("snapshot", "restore", name, "--to", to))["path"]).toBe(to);
    fs.writeFileSync(join(to, "mine"), "not in the snapshot\n");
    refused(json("snapshot", "restore", name, "--to", to), "E084", 2);
    expect(fs.readFileSync(join(to, "mine"), "utf8")).toBe("not in the snapshot\n");
    refused(json("snapshot", "show", "nonsense"), "E120", 2);
    expect(ok(json("snapshot", "drop", name, "--dry-run"))).toMatchObject({ dropped: false });
    refused(json("snapshot", "drop", name), "E066", 2);
    expect(ok(json("snapshot", "drop", name, "--yes"))).toMatchObject({ dropped: true, snapshot });
    refused(json("snapshot", "show", name), "E120", 2);
    expect(repository.git("cat-file", "-t", snapshot.commit as string)).toBe("commit");
  });

  it("take from inside a session, but do not drop there", () => {
    const { jsonWith, repository, home } = setUp();
    repository.write("new", "new\n");
    const env = { PAWL_SESSION: "s-1", PAWL_WORKTREE: home };
    const { snapshot } = ok(jsonWith({ env }, "snapshot", "take"));
    const { hint } = refused(
      jsonWith({ env }, "snapshot", "drop", snapshot.ref as string, "--yes"),
      "E077",
      4,
    );
    expect(hint).toContain("for people");
  });

  it("say when another commit is checked out that a person must decide", () => {
    const { json, repository } = setUp();
    repository.write("tracked", "changed\n");
    const { snapshot } = ok(json("snapshot", "take"));
    repository.git("commit", "-q", "-am", "on");
    refused(json("snapshot", "restore", snapshot.ref as string), "E122", 5);
    expect(ok(json("snapshot", "restore", snapshot.ref as string, "--files-only"))["restored"]).toBe(true);
  });

  it("write the drop and the restore into the journal, where there is one", () => {
    const { json, repository } = setUp();
    ok(json("init"));
    repository.write("new", "new\n");
    const { snapshot } = ok(json("snapshot", "take"));
    ok(json("snapshot", "restore", snapshot.ref as string));
    ok(json("snapshot", "drop", snapshot.ref as string, "--yes"));
    const { events } = ok(json("state", "events"));
    expect((events as { event: string }[]).map(({ event }) => event)).toEqual([
      "snapshot-restored",
      "snapshot-dropped",
    ]);
  });

  it("print aligned text without letting names act on the terminal", () => {
    const { text, repository } = setUp();
    repository.write("evil\x1b[2Jname", "x");
    expect(text("snapshot", "take", "--reason", "why\x1b]0;x\x07 not").stdout).toContain(
      "Restore it with: pawl snapshot restore ",
    );
    const listed = text("snapshot", "list").stdout;
    expect(listed).toContain("1 path");
    const shownText = text("snapshot", "show", listed.split(" ")[0]!).stdout;
    expect(shownText).toMatch(/^added {5}evil/m);
    expect(listed + shownText).not.toContain("\x1b");
  });

  it("keep ignored files when pawl.toml says so", () => {
    const { json, repository, home } = setUp();
    repository.write(".gitignore", "*.log\n");
    repository.write("pawl.toml", "snapshot_ignored = true\n");
    repository.git("add", "-A");
    repository.git("commit", "-q", "-m", "rules");
    repository.write("x.log", "precious\n");
    const { snapshot } = ok(json("snapshot", "take"));
    expect(repository.git("show", `${snapshot.ref as string}:x.log`)).toBe("precious");
    fs.writeFileSync(join(home, "pawl.toml"), 'snapshot_ignored = "yes"\n');
    refused(json("snapshot", "list"), "E091", 2);
  });
});
