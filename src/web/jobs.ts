import { spawn } from "node:child_process";
import { closeSync, fstatSync, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "../domain/index.ts";
import type { Job } from "./wire.ts";

export interface Jobs {
  /** Starts `pawl …` as a process of its own: it continues when the page's server ends. */
  readonly start: (
    action: string,
    subject: string,
    args: readonly string[],
    isDone?: (code: number | null, answer: JobAnswer) => boolean,
  ) => Job;
  /**
   * Runs `pawl …` and waits for its answer, for what would keep everybody else waiting in here. Those that ask the same
   * meanwhile get the same answer: pages ask whenever something happens.
   */
  readonly ask: (args: readonly string[]) => Promise<Readonly<Record<string, unknown>>>;
  /**
   * Starts `pawl … --ui` in another repository, to outlive this process. Answers with the link of its page as soon as it
   * serves one, else with what it said at its end.
   */
  readonly serve: (args: readonly string[], cwd: string) => Promise<Readonly<Record<string, unknown>>>;
  /** Newest first. */
  readonly list: () => readonly Job[];
}

export interface JobSetting {
  /** How Pawl itself is started. */
  readonly program: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => string;
  readonly onChange: (job: Job) => void;
}

const MOST_KEPT = 50;
const MOST_AT_ONCE = 16;
/** More than people can click at, and fewer than would keep the machine from everything else. */
const MOST_ASKED = 24;

export function pawlJobs(setting: JobSetting): Jobs {
  const { now, onChange } = setting;
  const jobs: Job[] = [];
  const replace = (job: Job): void => {
    const index = jobs.findIndex(({ id }) => id === job.id);
    if (index !== -1) jobs[index] = job;
    onChange(job);
  };
  const asked = new Map<string, Promise<Said>>();
  let last = 0;
  return {
    start(action, subject, args, isDone = (code) => code === 0) {
      if (jobs.filter(({ state }) => state === "running").length >= MOST_AT_ONCE)
        throw new Failure("ui/too-many", `${MOST_AT_ONCE} commands are running already.`, {});
      last += 1;
      const job: Job = { id: last, action, subject, startedAt: now(), state: "running", answer: null };
      jobs.unshift(job);
      jobs.length = Math.min(jobs.length, MOST_KEPT);
      launch(setting, ["--json", ...args], (code, answer) =>
        replace({ ...job, state: isDone(code, answer) ? "done" : "failed", answer }),
      );
      onChange(job);
      return job;
    },
    async ask(args) {
      const name = JSON.stringify(args);
      if (!asked.has(name) && asked.size >= MOST_ASKED)
        throw new Failure("ui/too-many", `${MOST_ASKED} requests wait already.`, {});
      const begun = asked.get(name) ?? answerOf(setting, args).finally(() => asked.delete(name));
      asked.set(name, begun);
      return begun;
    },
    serve: (args, cwd) =>
      new Promise((resolve, reject) => {
        const end = (_code: number | null, answer: JobAnswer): void => {
          clearInterval(looking);
          if (answer === null) reject(saidNothing(args));
          else resolve(answer);
        };
        const output = launch({ ...setting, cwd }, ["--json", ...args, "--ui", "--no-open"], end);
        const looking = setInterval(() => {
          const data = firstLine(output);
          if (data?.["event"] !== "listening") return;
          clearInterval(looking);
          resolve({ data });
        }, LOOK_MS);
      }),
    list: () => jobs,
  };
}

type Said = Readonly<Record<string, unknown>>;
export type JobAnswer = Said | null;

const saidNothing = (args: readonly string[]): Failure =>
  new Failure("internal/bug", `pawl ${args.join(" ")} printed nothing.`, {});

const answerOf = (setting: JobSetting, args: readonly string[]): Promise<Said> =>
  new Promise((resolve, reject) => {
    launch(setting, ["--json", ...args], (_code, answer) => {
      if (answer === null) reject(saidNothing(args));
      else resolve(answer);
    });
  });

/**
 * Its output goes to a file: a pipe would break when this process ends, and the command must not notice. The file loses
 * its name at once, so nothing is left of it however both of us end.
 */
function launch(
  { program, cwd, env }: JobSetting,
  args: readonly string[],
  ended: (code: number | null, answer: JobAnswer) => void,
): number {
  const folder = mkdtempSync(join(tmpdir(), "pawl-ui-"));
  const output = openSync(join(folder, "output"), "w+", 0o600);
  const [command = "", ...first] = program;
  const child = spawn(command, [...first, ...args], {
    cwd,
    env: { ...env },
    detached: true,
    stdio: ["ignore", output, "ignore"],
  });
  rmSync(folder, { recursive: true, force: true });
  const end = (code: number | null): void => {
    const answer = lastLine(output);
    closeSync(output);
    ended(code, answer);
  };
  child.once("error", () => {
    if (child.pid === undefined) end(null);
  });
  child.once("exit", end);
  child.unref();
  return output;
}

const MOST_BYTES = 8 * 1024 * 1024;
const LOOK_MS = 50;
const FIRST_BYTES = 4096;

/** Once it is whole. */
function firstLine(file: number): JobAnswer {
  const bytes = Buffer.alloc(FIRST_BYTES);
  const [line = "", ...more] = bytes
    .toString("utf8", 0, readSync(file, bytes, 0, FIRST_BYTES, 0))
    .split("\n");
  return more.length === 0 ? null : (JSON.parse(line) as JobAnswer);
}

/** The envelope is the last line; what happened on the way stands before it. */
function lastLine(file: number): JobAnswer {
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, MOST_BYTES));
    const read = readSync(file, bytes, 0, bytes.length, size - bytes.length);
    const line = bytes.subarray(0, read).toString("utf8").trimEnd().split("\n").at(-1) ?? "";
    return JSON.parse(line) as JobAnswer;
  } catch {
    return null;
  }
}
