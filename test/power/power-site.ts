import { spawn, spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { sleep } from "../../src/platform/sleep.ts";
import { cleanEnv } from "../support/repository.ts";
import { powerDisk, type PowerDisk } from "./power-disk.ts";

/** What agents do with git by themselves: nothing, `git add`, or commits of their own. */
export const HABITS = ["plain", "add", "commit"] as const;

export type Habit = (typeof HABITS)[number];

export const STEPS = 3;

/** A command that is under way, with what it said so far. */
export interface Running {
  readonly output: () => string;
  /** Its exit code; undefined as long as it runs. */
  readonly code: () => number | undefined;
  readonly ended: Promise<void>;
}

export interface Ended {
  readonly code: number;
  readonly output: string;
}

export interface PowerSite {
  readonly disk: PowerDisk;
  readonly repo: string;
  /** Lies beside the disk: it survives every cut. */
  readonly ledger: string;
  readonly agent: (habit: Habit) => readonly string[];
  readonly start: (args: readonly string[], folder?: string) => Running;
  readonly pawl: (args: readonly string[], folder?: string) => Promise<Ended>;
  readonly git: (...args: readonly string[]) => Ended;
  /** Writes a file and puts it on the disk, as an agent does. */
  readonly write: (folder: string, path: string, text: string) => void;
  /** Ends every process that was started here, and all of theirs. */
  readonly endAll: () => Promise<void>;
  readonly discard: () => Promise<void>;
}

const MARK = "PAWL_POWER_SITE";

/** A folder with a disk that can lose its power, and the built Pawl on PATH. */
export function powerSite(folder: string, root: string): PowerSite {
  mkdirSync(join(folder, "bin"), { recursive: true });
  mkdirSync(join(folder, "home"), { recursive: true });
  // A copy of the build, so that one that is made meanwhile changes nothing.
  cpSync(join(root, "dist"), join(folder, "pawl/dist"), { recursive: true });
  cpSync(join(root, "package.json"), join(folder, "pawl/package.json"));
  symlinkSync(join(root, "node_modules"), join(folder, "pawl/node_modules"));
  const program = join(folder, "pawl/dist/pawl.cjs");
  writeFileSync(join(folder, "bin/pawl"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, {
    mode: 0o755,
  });
  const disk = powerDisk(folder);
  const repo = join(disk.path, "repo");
  const ledger = join(folder, "ledger");
  const env = {
    ...cleanEnv({ HOME: join(folder, "home") }),
    PATH: `${join(folder, "bin")}:${process.env["PATH"]}`,
    [MARK]: folder,
  };
  const start = (args: readonly string[], cwd = repo): Running =>
    begin(process.execPath, [program, ...args], cwd, env);
  const git = (...args: readonly string[]): Ended => {
    const { status, stdout, stderr } = spawnSync("git", ["-C", repo, ...args], {
      encoding: "utf8",
      env,
      maxBuffer: 2 ** 26,
    });
    return { code: status ?? -1, output: `${stdout}${stderr}` };
  };
  return {
    disk,
    repo,
    ledger,
    agent: (habit) => ["sh", join(root, "test/power/agent.sh"), habit, ledger],
    start,
    async pawl(args, cwd) {
      const running = start(args, cwd);
      const timer = setTimeout(() => void endAll(folder), 120_000);
      await running.ended;
      clearTimeout(timer);
      return { code: running.code() ?? -1, output: running.output() };
    },
    git,
    write(cwd, path, text) {
      mkdirSync(join(cwd, path, ".."), { recursive: true });
      writeFileSync(join(cwd, path), `${text}\n`, { flush: true });
      appendFileSync(ledger, `wrote\t${path}\t${text}\nsynced\t${path}\t${text}\n`);
    },
    endAll: () => endAll(folder),
    async discard() {
      await endAll(folder);
      await disk.discard();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function begin(program: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Running {
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  let output = "";
  let code: number | undefined;
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (bytes: Buffer) => {
      output += String(bytes);
    });
  const ended = new Promise<void>((resolve) => {
    child.once("exit", (status) => {
      code = status ?? -1;
    });
    child.once("close", () => resolve());
  });
  return { output: () => output, code: () => code, ended };
}

/** Agents have process groups of their own, so all are found by what is in their environment. */
async function endAll(folder: string): Promise<void> {
  for (let round = 0; round < 100; round += 1) {
    const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && isOfSite(name, folder));
    if (pids.length === 0) return;
    for (const pid of pids) {
      try {
        process.kill(Number(pid), "SIGKILL");
      } catch {
        // It ended by itself.
      }
    }
    await sleep(20);
  }
}

function isOfSite(pid: string, folder: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(`${MARK}=${folder}`);
  } catch {
    return false;
  }
}

/** The plan of each scene: steps that touch files of their own, one of which is there from the beginning. */
export function plantRepository({ repo, git, ledger }: PowerSite): void {
  rmSync(ledger, { force: true });
  mkdirSync(join(repo, "src"), { recursive: true });
  git("init", "-q", "-b", "main", ".");
  git("config", "user.name", "Power");
  git("config", "user.email", "power@example.org");
  const steps = Array.from({ length: STEPS }, (_, index) => index + 1);
  const text = steps.map(
    (number) =>
      `#### Step ${number}: Do thing ${number} {#step-${number}}\n\n**Tasks:**\n\n- [ ] write it\n- [ ] check it\n`,
  );
  writeFileSync(join(repo, "plan.md"), `# Plan\n\n${text.join("\n")}`);
  for (const name of BASE_FILES) writeFileSync(join(repo, name), baseText(name));
  writeFileSync(
    join(repo, "pawl.toml"),
    '[verify]\ncommand = ["sh", "-c", "test -s work/$PAWL_STEP.done"]\n',
  );
  git("add", "-A");
  git("commit", "-qm", "begin");
}

export const BASE_FILES = Array.from({ length: 12 }, (_, index) => `src/${index + 1}.txt`);

export const baseText = (name: string): string => `${name} as it was\n`;

export interface LedgerLine {
  readonly kind: "wrote" | "synced";
  readonly path: string;
  readonly text: string;
}

export function readLedger(ledger: string): readonly LedgerLine[] {
  if (!existsSync(ledger)) return [];
  return readFileSync(ledger, "utf8")
    .split("\n")
    .map((line) => line.split("\t"))
    .filter((parts) => parts.length === 3)
    .map(([kind, path, text]) => ({ kind: kind as LedgerLine["kind"], path: path!, text: `${text}\n` }));
}
