import { expect, it } from "vitest";
import { cutOffAt, endOf } from "../../ui/cut-off.ts";
import type { Command } from "../../ui/types.ts";

const at = (minute: number): string => `2026-03-01T10:0${minute}:00.000Z`;
const command = (number: number, outcome: string | null): Command => ({
  number,
  command: "implement",
  type: "agent",
  started_at: at(number),
  ended_at: outcome === null ? null : at(number + 1),
  outcome,
});
const RUNNING = { status: "in_progress", ended_at: null, interrupted_at: null } as const;
/** It was found a while after it was cut off. */
const KILLED = { status: "interrupted", ended_at: at(9), interrupted_at: at(3) } as const;

it("a session's clock stops when it was cut off, not when that was found", () => {
  expect(endOf(RUNNING)).toBeNull();
  expect(endOf(KILLED)).toBe(at(3));
  expect(endOf({ status: "completed", ended_at: at(5), interrupted_at: null })).toBe(at(5));
});

it("a command without an end runs only if it is the last of a session that runs", () => {
  const commands = [command(1, "finished"), command(2, null)];
  expect(cutOffAt(commands[0]!, commands, KILLED)).toBeUndefined();
  expect(cutOffAt(commands[1]!, commands, RUNNING)).toBeUndefined();
  expect(cutOffAt(commands[1]!, commands, KILLED)).toBe(at(3));
});

it("a command that was cut off stays so when its session was resumed", () => {
  const commands = [command(2, null), command(4, null)];
  expect(cutOffAt(commands[0]!, commands, RUNNING)).toBe(at(4));
  expect(cutOffAt(commands[1]!, commands, RUNNING)).toBeUndefined();
});
