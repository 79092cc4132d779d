import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { GitChild } from "./start-git.ts";

// The launcher is for Linux alone: elsewhere a process starts another one without copying itself.
describe.runIf(process.platform === "linux")("git that a small process starts", () => {
  let folder: string;
  let env: Record<string, string>;

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "pawl-launcher-")));
    mkdirSync(join(folder, "bin"));
    // Git shows what it was given, and does what its first argument says.
    writeFileSync(
      join(folder, "bin/git"),
      `#!/bin/sh\n[ "$1" = --version ] && { echo git version 0; exit 0; }\n[ "$1" = -C ] && { cd "$2" || exit 128; shift 2; }\neval "$1"\n`,
    );
    chmodSync(join(folder, "bin/git"), 0o755);
    env = { PATH: `${join(folder, "bin")}:${process.env["PATH"] ?? ""}`, HOME: folder };
  });

  afterEach(() => {
    // Other tests share this process, and start git themselves.
    vi.resetModules();
    rmSync(folder, { recursive: true, force: true });
  });

  interface Ended {
    readonly code: number | null;
    readonly signal: string | null;
    readonly out: string;
    readonly err: string;
  }

  const ended = (child: GitChild): Promise<Ended> =>
    new Promise((settle) => {
      let [out, err] = ["", ""];
      child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
      child.stderr!.setEncoding("utf8").on("data", (text: string) => (err += text));
      child.on("close", (code, signal) => settle({ code, signal, out, err }));
    });

  /** A module of its own: whether git is kept apart is for good. Answers once a launcher is there. */
  async function launching() {
    vi.resetModules();
    const { detachGit } = await import("./git-apart.ts");
    const { launchGit } = await import("./launcher.ts");
    detachGit();
    const launch = (script: string, more: Record<string, string> = {}, input?: string) =>
      launchGit({ args: [script], cwd: folder, env: { ...env, ...more } }, input);
    for (;;) {
      const child = launch(":");
      if (child === undefined) await new Promise((go) => setTimeout(go, 10));
      else {
        await ended(child);
        return launch;
      }
    }
  }

  it("gives its output, its complaints and its exit code", async () => {
    const launch = await launching();
    expect(await ended(launch("echo out; echo err >&2; pwd; exit 3")!)).toEqual({
      code: 3,
      signal: null,
      out: `out\n${folder}\n`,
      err: "err\n",
    });
  });

  it("passes words, variables and input on as they are", async () => {
    const launch = await launching();
    const strange = "it's $HOME `x` \"\\\n;";
    const child = launch('printf "%s|" "$STRANGE"; cat', { STRANGE: strange }, strange);
    expect((await ended(child!)).out).toBe(`${strange}|${strange}`);
    // A variable is for one call.
    expect((await ended(launch('printf "%s" "${STRANGE-none}"')!)).out).toBe("none");
  });

  it("says by which signal git ended", async () => {
    const launch = await launching();
    expect(await ended(launch("kill -KILL $$")!)).toMatchObject({ code: null, signal: "SIGKILL" });
    // As git says that it was called wrongly.
    expect(await ended(launch("exit 129")!)).toMatchObject({ code: 129, signal: null });
  });

  it("keeps what a program writes that a hook left behind out of later answers", async () => {
    const launch = await launching();
    const gate = join(folder, "gate");
    const late = `(until [ -e '${gate}' ]; do sleep 0.01; done; echo late; echo > '${gate}.done') &`;
    expect((await ended(launch(`${late} echo soon`)!)).out).toBe("soon\n");
    const next = launch(`echo > '${gate}'; until [ -e '${gate}.done' ]; do sleep 0.01; done; echo next`);
    expect((await ended(next!)).out).toBe("next\n");
  });

  it("reports a git as ended only when it has ended, also when its launcher was killed", async () => {
    const launch = await launching();
    const child = launch(
      `echo $PPID $$ > pids; trap 'echo gone > ended; exit 1' TERM; while :; do sleep 0.01; done`,
    )!;
    const end = ended(child);
    const read = () => {
      try {
        return readFileSync(join(folder, "pids"), "utf8").trim().split(" ").map(Number);
      } catch {
        return [];
      }
    };
    while (read().length < 2) await new Promise((go) => setTimeout(go, 10));
    process.kill(read()[0]!, "SIGKILL");
    expect(await end).toMatchObject({ code: null, signal: "SIGKILL" });
    expect(readFileSync(join(folder, "ended"), "utf8")).toBe("gone\n");
    // And another launcher takes its place.
    for (let again = launch("echo again"); ; again = launch("echo again")) {
      if (again !== undefined) {
        expect((await ended(again)).out).toBe("again\n");
        break;
      }
      await new Promise((go) => setTimeout(go, 10));
    }
  });

  it("ends git and what it runs on request", async () => {
    const launch = await launching();
    const child = launch("sleep 1000")!;
    const end = ended(child);
    child.kill("SIGTERM");
    expect((await end).code).toBeNull();
  });

  it("leaves a folder that is gone to the system, which says so", async () => {
    const launch = await launching();
    rmSync(folder, { recursive: true });
    expect(launch(":")).toBeUndefined();
  });
});
