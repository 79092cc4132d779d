import { read } from "node:fs";
import { stdinIsPiped } from "./stdin-is-piped.ts";
import { readJsonDocument } from "./read-json-document.ts";

/**
 * What a program that calls a hook has piped in; undefined when nothing was, or too much.
 *
 * Read without Node's streams, which cost more than everything else that a hook does.
 */
export async function readEvent(): Promise<string | undefined> {
  if (!stdinIsPiped()) return undefined;
  let timer: NodeJS.Timeout | undefined;
  const { text, isCutOff } = await readJsonDocument({
    next,
    after: (ms) =>
      new Promise((resolve) => {
        timer = setTimeout(resolve, ms);
      }),
  });
  clearTimeout(timer);
  // Node waits at its end for a thread that reads, and that one waits for the pipe: only a signal ends both.
  if (isCutOff) process.once("exit", () => process.kill(process.pid, "SIGTERM"));
  return text;
}

const PIECE_BYTES = 65_536;

/** A pipe that breaks has ended. */
const next = (): Promise<Uint8Array | undefined> =>
  new Promise((resolve) => {
    read(0, Buffer.allocUnsafe(PIECE_BYTES), 0, PIECE_BYTES, null, (error, bytes, piece) =>
      resolve(error || bytes === 0 ? undefined : piece.subarray(0, bytes)),
    );
  });
