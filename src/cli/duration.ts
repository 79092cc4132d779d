import { Failure } from "../domain/index.ts";

const UNITS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** `90m`, `12h`, `7d`, `2w` in milliseconds. A number without a unit could mean anything, so it is refused. */
export function durationMs(text: string, option: string): number {
  const [, count = "", unit = ""] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  const unitMs = UNITS[unit];
  if (unitMs !== undefined) return Number(count) * unitMs;
  throw new Failure("usage/wrong", `${option} must be a time such as 12h, 7d or 2w, not "${text}".`, {
    value: text,
  });
}
