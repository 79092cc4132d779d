import { spawn } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "../domain/errors.ts";

/** A command that was started from the page and works beside it. */
export interface Job {
  readonly id: number;
  readonly action: string;
  /** What it is about, for people. */
  readonly subject: string;
  readonly startedAt: string;
  readonly state: "running" | "done" | "failed";
  /** What the command answered, once it is over. */
  readonly answer: Readonly<Record<string, unknown>> | null;
}

export interface Jobs {
  /** Starts `pawl …` as a process of its own: it goes on when the page's server ends. */
  readonly start: (action: string, subject: string, args: readonly string[]) => Job;
  /** Runs `pawl …` and waits for its answer, for what would keep everybody else waiting in here. */
  readonly ask: (args: readonly string[]) => Promise<Readonly<Record<string, unknown>>>;
  /** Newest first. */
  readonly list: () => readonly Job[];
  readonly close: () => void;
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

export function pawlJobs(setting: JobSetting): Jobs {
  const { now, onChange } = setting;
  const jobs: Job[] = [];
  let folder: string | undefined;
  const place = () => (folder ??= mkdtempSync(join(tmpdir(), "pawl-ui-")));
  const replace = (job: Job): void => {
    const index = jobs.findIndex(({ id }) => id === job.id);
    if (index !== -1) jobs[index] = job;
    onChange(job);
  };
  let last = 0;
  return {
    start(action, subject, args) {
      if (jobs.filter(({ state }) => state === "running").length >= MOST_AT_ONCE)
        throw new Failure("ui/too-many", `${MOST_AT_ONCE} commands are at work already.`, {});
      last += 1;
      const job: Job = { id: last, action, subject, startedAt: now(), state: "running", answer: null };
      jobs.unshift(job);
      jobs.length = Math.min(jobs.length, MOST_KEPT);
      const file = join(place(), `${last}.jsonl`);
      launch(setting, [...args, "--json"], file, (code) =>
        replace({ ...job, state: code === 0 ? "done" : "failed", answer: lastLine(file) }),
      );
      onChange(job);
      return job;
    },
    ask(args) {
      last += 1;
      const file = join(place(), `${last}.jsonl`);
      return new Promise((resolve, reject) => {
        launch(setting, [...args, "--json"], file, () => {
          const answer = lastLine(file);
          rmSync(file, { force: true });
          if (answer === null)
            reject(new Failure("internal/bug", `pawl ${args.join(" ")} said nothing.`, {}));
          else resolve(answer);
        });
      });
    },
    list: () => jobs,
    close() {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Its output goes to a file: a pipe would break when this process ends, and the command must not notice. */
function launch(
  { program, cwd, env }: JobSetting,
  args: readonly string[],
  file: string,
  ended: (code: number | null) => void,
): void {
  mkdirSync(join(file, ".."), { recursive: true });
  const output = openSync(file, "w", 0o600);
  const [command = "", ...first] = program;
  const child = spawn(command, [...first, ...args], {
    cwd,
    env: { ...env },
    detached: true,
    stdio: ["ignore", output, "ignore"],
  });
  closeSync(output);
  child.on("error", () => ended(null));
  child.on("exit", ended);
  child.unref();
}

/** The envelope is the last line; what happened on the way stands before it. */
function lastLine(file: string): Readonly<Record<string, unknown>> | null {
  try {
    const line = readFileSync(file, "utf8").trimEnd().split("\n").at(-1) ?? "";
    return JSON.parse(line) as Readonly<Record<string, unknown>>;
  } catch {
    return null;
  }
}
