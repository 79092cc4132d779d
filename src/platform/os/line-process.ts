import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** A program that is talked to in lines. */
interface LineProcess {
  readonly send: (line: string) => void;
  readonly stop: () => void;
  /** Its exit code; 127 where it could not be started. */
  readonly ended: Promise<number>;
}

/** Starts a program whose stdout comes line by line; its stderr is this process's own. */
export function lineProcess(
  [program = "", ...args]: readonly string[],
  onLine: (line: string) => void,
  env: Readonly<Record<string, string | undefined>>,
): LineProcess {
  const child = spawn(program, args, { env, stdio: ["pipe", "pipe", "inherit"] });
  // A program that has gone away shows in its end.
  child.stdin.on("error", () => undefined);
  createInterface({ input: child.stdout }).on("line", onLine);
  const ended = new Promise<number>((resolve) => {
    child.on("error", (error) => {
      process.stderr.write(`${error.message}\n`);
      resolve(127);
    });
    child.on("close", (code) => resolve(code ?? 1));
  });
  return {
    send: (line) => void child.stdin.write(`${line}\n`),
    stop() {
      child.stdin.end();
      child.kill("SIGTERM");
    },
    ended,
  };
}
