import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../domain/index.ts";
import { watchLimits } from "./interrupt-limited.ts";

const trouble = (kind: "limited" | "offline"): AgentEvent => ({
  kind: "trouble",
  trouble: { kind, from: "words", said: "429" },
});
const WORK: AgentEvent = { kind: "text", text: "I go on." };

/** Gives the events, lets the patience end, and says how often the agent was interrupted. */
async function interruptions(events: readonly AgentEvent[], isOver = false): Promise<number> {
  const over = new AbortController();
  const naps: (() => void)[] = [];
  let count = 0;
  const take = watchLimits({
    sleep: () => new Promise((resolve) => naps.push(resolve)),
    over: over.signal,
    onLimit: () => (count += 1),
  });
  for (const event of events) take(event);
  if (isOver) over.abort();
  for (const wake of naps) wake();
  await new Promise((resolve) => setImmediate(resolve));
  return count;
}

describe("an agent that has run into a limit", () => {
  it("is interrupted once when it only waits", async () => {
    expect(await interruptions([trouble("limited"), trouble("limited")])).toBe(1);
  });

  it("is left alone when it works again", async () => {
    expect(await interruptions([trouble("limited"), WORK])).toBe(0);
  });

  it("is interrupted at the next limit after it worked again", async () => {
    expect(await interruptions([trouble("limited"), WORK, trouble("limited")])).toBe(1);
  });

  it("is left alone when it has ended, or when its server is only overloaded", async () => {
    expect(await interruptions([trouble("limited")], true)).toBe(0);
    expect(await interruptions([trouble("offline")])).toBe(0);
  });
});
