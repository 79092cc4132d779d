import { execFile } from "node:child_process";
import { Failure } from "../../../domain/index.ts";

export interface ToolSetting {
  readonly program: "gh" | "glab";
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Takes keys out of what is shown. */
  readonly redact: (text: string) => string;
}

/** Runs the program of a hosting service, never through a shell, and gives what it printed. */
export type RunTool = (
  args: readonly string[],
  input?: string,
  answers?: readonly number[],
) => Promise<string>;

const TIMEOUT_MS = 60_000;
const MOST_BYTES = 32 << 20;
const MOST_SHOWN = 300;

/** A question that no person sees would block until the time is over. */
const SILENT = {
  GH_PROMPT_DISABLED: "1",
  GH_NO_UPDATE_NOTIFIER: "1",
  GLAB_CHECK_UPDATE: "false",
  NO_PROMPT: "1",
  NO_COLOR: "1",
  GIT_TERMINAL_PROMPT: "0",
} as const;

export const toolRunner =
  ({ program, cwd, env, redact }: ToolSetting): RunTool =>
  (args, input = "", answers = []) =>
    new Promise((resolve, reject) => {
      const options = { cwd, env: { ...env, ...SILENT }, timeout: TIMEOUT_MS, maxBuffer: MOST_BYTES };
      const child = execFile(program, args, options, (error, stdout, stderr) => {
        const code = error === null ? 0 : error.code;
        if (code === 0 || (typeof code === "number" && answers.includes(code))) return resolve(stdout);
        const missing = error !== null && String(error.code) === "ENOENT";
        const said = redact(stderr.trim() === "" ? stdout : stderr)
          .split("\n")
          .find((line) => line.trim() !== "");
        const why = missing ? "was not found on PATH" : (said ?? `ended with ${code ?? "a signal"}`);
        const message = `${program} ${args.slice(0, 2).join(" ")}: ${why.slice(0, MOST_SHOWN)}`;
        reject(new Failure("request/tool-failed", message, { program }));
      });
      child.stdin?.on("error", () => undefined).end(input);
    });

/** What the program printed as JSON; a failure where it printed something else. */
export function jsonOf(text: string, program: string): unknown {
  try {
    return JSON.parse(text.trim() === "" ? "[]" : text);
  } catch (cause) {
    throw new Failure("request/tool-failed", `${program} printed no JSON.`, { program }, { cause });
  }
}
