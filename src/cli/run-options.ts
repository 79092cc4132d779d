import { readDuration } from "../platform/config/index.ts";
import { Failure } from "../domain/index.ts";

/** What every command takes that may have to wait for a limit. */
export const WAIT_OPTIONS = {
  wait: { type: "flag", about: "Wait for usage limits and lost networks, and go on by itself" },
  "max-wait": { type: "text", value: "TIME", about: "With --wait: how long at most, such as 30m or 5h" },
} as const;

/** A time in milliseconds; undefined when none was given. */
export function timeOf(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined;
  const ms = readDuration(text);
  if (ms !== undefined) return ms;
  throw new Failure("usage/wrong", `${option} must be a time such as 30m or 5h, not "${text}".`, {
    value: text,
  });
}

/** Whole numbers above 0. */
export function countOf(value: number | undefined, option: string): number | undefined {
  if (value === undefined || value > 0) return value;
  throw new Failure("usage/wrong", `${option} must be above 0.`, { value });
}
