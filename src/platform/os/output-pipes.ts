import { spawn } from "node:child_process";
import { closeSync, constants, lstatSync, openSync, readdirSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { nodeCrypto } from "../index.ts";

/** One pipe: a program writes to its number, and this process reads. */
export interface OutputPipe {
  readonly fd: number;
  readonly output: Readable;
}

export interface OutputPipes {
  readonly stdout: OutputPipe;
  readonly stderr: OutputPipe;
  /** Closes this process's own hold of the writing ends: the program has its own by now, or was never started. */
  readonly handedOver: () => void;
}

/**
 * Pipes for what a program writes.
 *
 * Node connects programs by sockets, and Linux does not open a socket by its name: in a script, `> /dev/stderr` and
 * `tee /dev/stderr` fail there, although they work in every terminal and every shell. Undefined where the system makes
 * no pipes with a name; then the sockets have to do.
 */
export async function outputPipes(): Promise<OutputPipes | undefined> {
  if (ready.length === 0) ready.push(...(await makePairs()));
  return ready.pop()?.();
}

/** Open pipes that no program has yet. */
const ready: (() => OutputPipes)[] = [];

/** A process that starts one program makes a pair for it, one that starts many makes as many at once: each start costs. */
const MOST_PAIRS = 8;
let pairs = 0.5;

async function makePairs(): Promise<readonly (() => OutputPipes)[]> {
  clearLeftOver();
  pairs = Math.min(MOST_PAIRS, 2 * pairs);
  const ids = Array.from({ length: pairs }, () => nodeCrypto().randomUUID());
  const names = ids.flatMap((id) => KINDS.map((kind) => join(tmpdir(), `pawl-${id}-${kind}`)));
  const opened: Ends[] = [];
  try {
    if (!(await areMade(names))) return [];
    for (const name of names) opened.push(openBothEnds(name));
    return ids.map((_, at) => () => pipesOf(opened[2 * at]!, opened[2 * at + 1]!));
  } catch {
    for (const { fd, reading } of opened) for (const end of [fd, reading]) closeSync(end);
    return [];
  } finally {
    // Both ends are open, or the pipe is not used.
    for (const name of names) rmSync(name, { force: true });
  }
}

const KINDS = ["out", "err"] as const;

/** The numbers of both ends of a pipe. */
interface Ends {
  readonly fd: number;
  readonly reading: number;
}

function pipesOf(out: Ends, err: Ends): OutputPipes {
  return {
    stdout: readFrom(out),
    stderr: readFrom(err),
    handedOver() {
      closeSync(out.fd);
      closeSync(err.fd);
    },
  };
}

const readFrom = ({ fd, reading }: Ends): OutputPipe => ({
  fd,
  output: new Socket({ fd: reading, readable: true, writable: false }),
});

/** In use, a pipe has its name for milliseconds. */
const LONGEST_NAMED_MS = 60_000;

let isCleared = false;

/** Once in a process: removes the names that a runner left which was killed before it had taken them away. */
function clearLeftOver(): void {
  if (isCleared) return;
  isCleared = true;
  try {
    for (const name of readdirSync(tmpdir()).filter((one) => OWN_NAME.test(one))) {
      const path = join(tmpdir(), name);
      const stat = lstatSync(path, { throwIfNoEntry: false });
      if (!stat?.isFIFO() || stat.uid !== process.getuid?.()) continue;
      if (Date.now() - stat.mtimeMs > LONGEST_NAMED_MS) rmSync(path, { force: true });
    }
  } catch {
    // The folder may not be read; then the names stay.
  }
}

const OWN_NAME = /^pawl-[\da-f-]{36}-(?:out|err)$/;

/** Whether a stream, by its name in the process table, can only come from one program: a file is shared with strangers. */
export const isGivenToOne = (stream: string): boolean =>
  stream.startsWith("socket:") || /\/pawl-[\da-f-]{36}-(?:out|err)(?: \(deleted\))?$/.test(stream);

/** Node has no call for it. */
const areMade = (names: readonly string[]): Promise<boolean> =>
  new Promise((resolve) => {
    spawn("mkfifo", ["-m", "600", ...names], { stdio: "ignore", detached: true })
      .once("error", () => resolve(false))
      .once("exit", (code) => resolve(code === 0));
  });

/** The reading end first, and without waiting: the other end opens only where there is a reader. */
function openBothEnds(name: string): Ends {
  const reading = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return { fd: openSync(name, constants.O_WRONLY), reading };
  } catch (error) {
    closeSync(reading);
    throw error;
  }
}
