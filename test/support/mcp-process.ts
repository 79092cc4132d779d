import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { PAWL } from "./cli.ts";
import { cleanEnv } from "./repository.ts";
import { lives } from "./supervised.ts";
import type { Data } from "./workshop.ts";

const PROGRAM = fileURLToPath(new URL("../e2e/programs/mcp-client.mjs", import.meta.url));

/** A client that can be killed: a process of its own, with a server below it. */
export interface ClientProcess {
  readonly child: ChildProcess;
  readonly server: number;
  readonly call: (name: string, args?: Data) => Promise<Data>;
  /** Sends a call and does not wait for its answer. */
  readonly send: (name: string, args?: Data) => void;
  readonly answer: () => Promise<Data>;
}

export async function clientProcess(cwd: string, ...args: readonly string[]): Promise<ClientProcess> {
  const child = spawn(process.execPath, [PROGRAM, PAWL, cwd, ...args], {
    env: cleanEnv(),
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async () => JSON.parse((await lines.next()).value as string) as Data;
  let server = 0;
  onTestFinished(() => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    if (server !== 0 && lives(server)) process.kill(server, "SIGKILL");
  });
  server = (await answer())["server"] as number;
  const send = (name: string, given: Data = {}) =>
    void child.stdin.write(`${JSON.stringify({ name, arguments: given })}\n`);
  return {
    child,
    server,
    send,
    answer,
    call(name, given) {
      send(name, given);
      return answer();
    },
  };
}
