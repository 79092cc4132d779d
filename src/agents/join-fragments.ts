import type { AgentEvent } from "../domain/index.ts";

/** A line that never ends is given out in pieces of this length. */
const LONGEST = 16_384;

/** Puts together lines for people out of the fragments in which a model speaks. */
export function joinFragments(): {
  readonly push: (fragment: string) => readonly AgentEvent[];
  readonly flush: () => readonly AgentEvent[];
} {
  let open = "";
  const flush = (): readonly AgentEvent[] => {
    const text = open.trimEnd();
    open = "";
    return text === "" ? [] : [{ kind: "text", text }];
  };
  return {
    push(fragment) {
      const lines = (open + fragment).split("\n");
      open = lines.pop()!;
      const events: AgentEvent[] = lines
        .filter((line) => line.trim() !== "")
        .map((line) => ({ kind: "text", text: line.trimEnd() }));
      return open.length > LONGEST ? [...events, ...flush()] : events;
    },
    flush,
  };
}
