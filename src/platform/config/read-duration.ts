const UNITS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 } as const;

/** "90s", "30m", "1h30m", "2d" in milliseconds; undefined when it is no duration. */
export function readDuration(text: string): number | undefined {
  if (!/^(?:\d{1,6}[dhms]){1,4}$/.test(text)) return undefined;
  let ms = 0;
  for (const [, amount, unit] of text.matchAll(/(?<!\d)(\d+)([dhms])/g))
    ms += Number(amount) * UNITS[unit as keyof typeof UNITS];
  return ms === 0 ? undefined : ms;
}
