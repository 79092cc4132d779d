import { Failure } from "../../domain/index.ts";
import { stdinIsPiped } from "./stdin-is-piped.ts";

/** More than any text about a step needs. */
const MOST_BYTES = 16 * 1024 * 1024;

/** How long a pipe may keep silent before it counts as left open by accident, as agents' shells do. */
const SILENCE_MS = 1_000;

/**
 * What was piped in. A terminal, nothing at all, or a pipe that says nothing, is no input; where the caller asked for
 * input, its writer may take its time.
 */
export async function readPipedInput(isAwaited = false): Promise<string | undefined> {
  if (!stdinIsPiped()) return undefined;
  const { stdin } = process;
  const chunks: Buffer[] = [];
  let bytes = 0;
  const silent = isAwaited ? undefined : setTimeout(() => stdin.destroy(), SILENCE_MS);
  try {
    for await (const chunk of stdin) {
      clearTimeout(silent);
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (bytes > MOST_BYTES) throw new Failure("usage/wrong", "More than 16 MiB were piped in.", {});
    }
  } catch (error) {
    // Cut off by the timer above, or a pipe that broke: what came so far is not all of it.
    if (error instanceof Failure || chunks.length > 0) throw error;
    return undefined;
  } finally {
    clearTimeout(silent);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)) || undefined;
  } catch {
    throw new Failure("usage/wrong", "What was piped in is not text in UTF-8.", {});
  }
}
