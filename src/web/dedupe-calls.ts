import { isDeepStrictEqual } from "node:util";
import { Failure } from "../domain/index.ts";

/** Does something once for each id: a client that repeats a call gets the answer of the first. */
export type Dedupe = <T>(id: string, asked: unknown, work: () => Promise<T>) => Promise<T>;

interface Done {
  readonly asked: unknown;
  readonly answer: Promise<unknown>;
}

/**
 * Remembers so many answers.
 *
 * A browser or a proxy sends a call again when the line was cut before the answer, and a person clicks twice. The verbs
 * know the ids of steps' decisions themselves; what starts a process, merges or cleans up knows none.
 */
export function dedupeCalls(most: number): Dedupe {
  const known = new Map<string, Done>();
  return async <T>(id: string, asked: unknown, work: () => Promise<T>): Promise<T> => {
    const before = known.get(id);
    if (before !== undefined) {
      if (!isDeepStrictEqual(before.asked, asked))
        throw new Failure("request/reused", "That request_id was used for another call.", { request_id: id });
      return before.answer as Promise<T>;
    }
    const answer = work();
    known.set(id, { asked, answer });
    // What was refused has done nothing, and may be possible later.
    answer.catch(() => known.delete(id));
    for (const old of known.keys()) {
      if (known.size <= most) break;
      known.delete(old);
    }
    return answer;
  };
}
