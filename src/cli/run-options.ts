import { readDuration } from "../platform/config/index.ts";
import { Failure } from "../domain/index.ts";

/** What every command takes that may have to wait for a limit. */
export const WAIT_OPTIONS = {
  wait: { type: "flag", about: "Wait for usage limits and lost networks, then continue" },
  "max-wait": { type: "text", value: "TIME", about: "With --wait: how long at most, such as 30m or 5h" },
} as const;

/** What every command takes that agents spend money and time for. */
export const LIMIT_OPTIONS = {
  "max-cost": {
    type: "text",
    value: "DOLLARS",
    about: "Pause when its agents have used so much (`cost` in [limits]); exit code 5",
  },
  "max-minutes": {
    type: "text",
    value: "MINUTES",
    about: "Pause when it has worked for so long (`minutes` in [limits]); exit code 5",
  },
} as const;

/** A number above 0, with decimals. */
export function amountOf(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined;
  const amount = /^\$?\d{1,7}(?:\.\d{1,6})?$/.test(text) ? Number(text.replace("$", "")) : 0;
  if (amount > 0) return amount;
  throw new Failure("usage/wrong", `${option} must be a number above 0 such as 5 or 2.50, not "${text}".`, {
    value: text,
  });
}

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
