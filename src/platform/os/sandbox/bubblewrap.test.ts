import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { contained, signalOfExit } from "./bubblewrap.ts";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "pawl-contained-")));
  for (const name of ["work", "work/kept", "outside"]) mkdirSync(join(folder, name));
  symlinkSync(join(folder, "work"), join(folder, "link"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const path = (name: string) => join(folder, name);
const containment = (program: string) => ({
  program,
  writable: [path("link"), path("missing")],
  kept: [path("work/kept")],
  own: [path("own/deep")],
});

describe("a contained command", () => {
  it("is mounted read-only but for what it may write, and that by its real path", () => {
    const argv = contained(["a", "b"], path("work"), containment("bwrap"));
    expect(argv.slice(-5)).toEqual(["--chdir", path("work"), "--", "a", "b"]);
    expect(argv.join(" ")).toContain(`--bind ${path("work")} ${path("work")}`);
    expect(argv.join(" ")).not.toContain("missing");
    expect(argv.indexOf(path("work/kept"))).toBeGreaterThan(argv.lastIndexOf("--bind"));
  });

  const bwrap = ["/usr/bin/bwrap", "/bin/bwrap"].find((program) => existsSync(program));
  const works =
    bwrap !== undefined && spawnSync(bwrap, ["--ro-bind", "/", "/", "--", bwrap, "--version"]).status === 0;

  it.skipIf(!works)("cannot write elsewhere, nor what is kept", () => {
    const script = "echo a > in; echo b > kept/b; echo c > ../outside/c; echo d > ../own/deep/d; kill -9 $$";
    const [program, ...args] = contained(["sh", "-c", script], path("work"), containment(bwrap!));
    const { status } = spawnSync(program!, args);
    expect(readFileSync(path("work/in"), "utf8")).toBe("a\n");
    expect(readFileSync(path("own/deep/d"), "utf8")).toBe("d\n");
    expect([existsSync(path("work/kept/b")), existsSync(path("outside/c"))]).toEqual([false, false]);
    expect(signalOfExit(status ?? undefined, constants.signals)).toBe("SIGKILL");
  });

  it("tells the signal that ended it from a code of its own", () => {
    expect(signalOfExit(143, constants.signals)).toBe("SIGTERM");
    for (const code of [undefined, 0, 1, 75, 128, 144, 145, 255])
      expect(signalOfExit(code, constants.signals)).toBeUndefined();
  });
});
