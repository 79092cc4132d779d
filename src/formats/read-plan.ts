import { Failure } from "../domain/errors.ts";
import type { Plan } from "../domain/plan.ts";
import { formatOf } from "./index.ts";

export { MAX_PLAN_BYTES } from "../domain/plan.ts";

/**
 * A plan from the bytes of its file.
 *
 * Bytes that are no text are refused: read with stand-ins, two different files could become one and the same plan.
 * What is wrong with the plan itself comes back as its diagnostics.
 */
export function parsePlan(bytes: Uint8Array, path: string): Plan {
  const text = decode(bytes, path);
  return formatOf(path, text).read(text);
}

function decode(bytes: Uint8Array, path: string): string {
  const nul = bytes.indexOf(0);
  if (nul !== -1) throw notText(path, nul, "binary: it has a NUL byte");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw notText(path, firstInvalid(bytes), "not UTF-8: it is invalid");
  }
}

function notText(path: string, offset: number, what: string): Failure {
  return new Failure(
    "plan/invalid",
    `${path} is ${what} at byte ${offset}.`,
    { path, offset },
    { hint: "Name a text file, and save it as UTF-8." },
  );
}

/** Where the text stops being UTF-8: the decoder knows, but does not tell, so halving finds the longest readable start. */
function firstInvalid(bytes: Uint8Array): number {
  let low = 0;
  let high = bytes.length;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (isReadable(bytes.subarray(0, middle))) low = middle;
    else high = middle - 1;
  }
  return low;
}

function isReadable(start: Uint8Array): boolean {
  try {
    // Streaming: a character that is cut off at the end is not invalid yet.
    new TextDecoder("utf-8", { fatal: true }).decode(start, { stream: true });
    return true;
  } catch {
    return false;
  }
}
