/** Where and when a text was read: "3pm" means nothing without it. */
export interface OutputMoment {
  readonly nowMs: number;
  /** IANA name of the zone that times without one are meant in. */
  readonly timeZone: string;
}

/**
 * When a limit ends, out of what agents say about it: epoch milliseconds, or undefined when the text does not tell.
 *
 * A time that cannot be right (long past, or years ahead) counts as unknown: waiting for it would be worse than
 * trying again.
 */
export function resetTimeIn(text: string, moment: OutputMoment): number | undefined {
  for (const { pattern, read } of READERS) {
    for (const { groups = {} } of text.matchAll(pattern)) {
      const found = read(groups, moment);
      if (found !== undefined && isPlausible(found, moment)) return found;
    }
  }
  return undefined;
}

/** A number that means an instant: seconds or milliseconds since 1970. */
export function epochMs(value: unknown, moment: OutputMoment): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number) || number <= 0) return undefined;
  const ms = Math.round(number < SECONDS_UNTIL ? number * 1000 : number);
  return isPlausible(ms, moment) ? ms : undefined;
}

/** Below it a number of milliseconds would lie in 1973, and one of seconds in the year 5138. */
const SECONDS_UNTIL = 100_000_000_000;
const DAY_MS = 24 * 3600 * 1000;
const LONG_PAST_MS = DAY_MS;
const FAR_AHEAD_MS = 10 * 366 * DAY_MS;

const isPlausible = (ms: number, { nowMs }: OutputMoment): boolean =>
  ms > nowMs - LONG_PAST_MS && ms < nowMs + FAR_AHEAD_MS;

type Groups = Readonly<Record<string, string | undefined>>;

interface Reader {
  readonly pattern: RegExp;
  readonly read: (groups: Groups, moment: OutputMoment) => number | undefined;
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

const ISO = String.raw`(?<iso>\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(?<offset>Z|[+-]\d\d:?\d\d)?`;
const CLOCK = String.raw`(?<hour>\d{1,2})(?::(?<minute>\d\d))?(?::\d\d)?[ \u202f]?(?<half>[ap]\.?m\b\.?)?`;
const ZONE = String.raw`(?:[ ]?\(?(?<zone>[A-Z][A-Za-z_]+(?:/[A-Za-z0-9_+-]+){1,2}|(?:UTC|GMT)[+-]\d{1,2}(?::?\d\d)?|[+-]\d\d:?\d\d|[A-Z]{2,4})\b)?`;
const MONTH_DAY = String.raw`(?<month>${MONTHS.join("|")})[a-z]*\.? (?<day>\d{1,2})(?:st|nd|rd|th)?,?(?: (?<year>\d{4}),?)?`;
const WEEKDAY = String.raw`(?<weekday>${WEEKDAYS.join("|")})[a-z]*,?`;
/** What stands before a time of day, so that no other number of the text passes for one. */
const LEAD = String.raw`(?:resets?|reset|again|available|retry)(?: (?:at|on|after))?:? `;

/** What stands before a whole instant. Names of JSON fields count: `"reset_time": "2026-…"`. */
const LEAD_ISO = String.raw`(?:resets?|again|available|retry|ends?|until|expires?)(?:[_ ]?(?:at|on|after|by|time))?["']?(?: ?[:=])? ?["']?`;

/** The most exact first. */
const READERS: readonly Reader[] = [
  {
    pattern: /"?resets?_?at"?\s*[:=]\s*"?(?<epoch>\d{9,13})\b/gi,
    read: ({ epoch }, moment) => epochMs(epoch, moment),
  },
  { pattern: /\|(?<epoch>\d{9,13})\b/g, read: ({ epoch }, moment) => epochMs(epoch, moment) },
  {
    pattern: /"?(?:resets_in_seconds|retry[_-]after)"?\s*[:=]\s*"?(?<seconds>\d{1,9})\b/gi,
    read: ({ seconds }, { nowMs }) => nowMs + Number(seconds) * 1000,
  },
  {
    pattern: /"retryDelay"\s*:\s*"(?<seconds>\d{1,9})(?:\.\d+)?s"/g,
    read: ({ seconds }, { nowMs }) => nowMs + (Number(seconds) + 1) * 1000,
  },
  { pattern: new RegExp(`\\b${LEAD_ISO}${ISO}`, "gi"), read: readIso },
  { pattern: new RegExp(`${LEAD}${MONTH_DAY}(?: at|,)? ?${CLOCK}${ZONE}`, "gi"), read: readDate },
  { pattern: new RegExp(`${LEAD}${WEEKDAY}(?: at)? ${CLOCK}${ZONE}`, "gi"), read: readWeekday },
  { pattern: new RegExp(`${LEAD}${CLOCK}${ZONE}`, "gi"), read: readTimeOfDay },
  {
    pattern:
      /\b(?:again|resets?|retry|available|wait)(?: (?:in|after|for|about)){0,3} (?<span>(?:\d{1,6}(?:\.\d+)? ?[a-z]{1,8},? ?(?:and )?){1,5})/gi,
    read: readSpan,
  },
  // An instant without a word before it may be the log line's own; only one that lies ahead can be a reset.
  {
    pattern: new RegExp(ISO, "gi"),
    read: (groups, moment) => {
      const found = readIso(groups, moment);
      return found !== undefined && found > moment.nowMs ? found : undefined;
    },
  },
];

function readIso({ iso, offset }: Groups, { timeZone }: OutputMoment): number | undefined {
  const [date = "", time = ""] = iso!.split(/[T ]/);
  if (offset !== undefined) return numberOrUndefined(Date.parse(`${date}T${time}${offset}`));
  const [year, month, day] = date.split("-").map(Number) as [number, number, number];
  const [hour, minute] = time.split(":").map(Number) as [number, number];
  return zonedMs({ year, month, day, hour, minute }, timeZone);
}

const UNIT_MS: Readonly<Record<string, number>> = { d: DAY_MS, h: 3_600_000, m: 60_000, s: 1000 };

/** "5 days 22 hours 11 minutes", "2h15m30s", "34.07s". */
function readSpan({ span }: Groups, { nowMs }: OutputMoment): number | undefined {
  let total = 0;
  for (const [, amount, unit] of span!.matchAll(/(?<!\d)(\d+(?:\.\d+)?) ?([a-z]+)/gi)) {
    const [letter = ""] = unit!.toLowerCase();
    const ms = /^(?:d|days?|h|hrs?|hours?|m|mins?|minutes?|s|secs?|seconds?)$/i.test(unit!)
      ? UNIT_MS[letter]
      : undefined;
    if (ms === undefined) continue;
    total += Number(amount) * ms;
  }
  return total === 0 ? undefined : Math.ceil(nowMs + total);
}

function readDate(groups: Groups, moment: OutputMoment): number | undefined {
  const time = timeOf(groups);
  const zone = zoneOf(groups, moment);
  if (time === undefined) return undefined;
  const today = dateIn(zone, moment.nowMs);
  const month = MONTHS.indexOf(groups["month"]!.toLowerCase()) + 1;
  const day = Number(groups["day"]);
  const inYear = (year: number) => zonedMs({ year, month, day, ...time }, zone);
  if (groups["year"] !== undefined) return inYear(Number(groups["year"]));
  const thisYear = inYear(today.year);
  // In December "Jan 3" is next year's.
  return thisYear !== undefined && thisYear < moment.nowMs - LONG_PAST_MS ? inYear(today.year + 1) : thisYear;
}

function readWeekday(groups: Groups, moment: OutputMoment): number | undefined {
  const time = timeOf(groups);
  const zone = zoneOf(groups, moment);
  if (time === undefined) return undefined;
  const { year, month, day } = dateIn(zone, moment.nowMs);
  const wanted = WEEKDAYS.indexOf(groups["weekday"]!.toLowerCase());
  const ahead = (wanted - new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 7) % 7;
  return nextFrom(moment, zone, { ...time, ahead, everyDays: 7 });
}

function readTimeOfDay(groups: Groups, moment: OutputMoment): number | undefined {
  const time = timeOf(groups);
  // A bare number is no time of day: "try again 3 times".
  if (time === undefined || (groups["half"] === undefined && groups["minute"] === undefined))
    return undefined;
  return nextFrom(moment, zoneOf(groups, moment), { ...time, ahead: 0, everyDays: 1 });
}

/** A limit that ended a moment ago ended then; it does not end tomorrow. */
const JUST_NOW_MS = 15 * 60_000;

interface Recurring {
  readonly hour: number;
  readonly minute: number;
  /** Days from today. */
  readonly ahead: number;
  readonly everyDays: number;
}

function nextFrom({ nowMs }: OutputMoment, zone: Zone, recurring: Recurring): number | undefined {
  const { hour, minute, ahead, everyDays } = recurring;
  const { year, month, day } = dateIn(zone, nowMs);
  const first = zonedMs({ year, month, day: day + ahead, hour, minute }, zone);
  if (first === undefined || first >= nowMs - JUST_NOW_MS) return first;
  return zonedMs({ year, month, day: day + ahead + everyDays, hour, minute }, zone);
}

function timeOf({ hour, minute, half }: Groups): { hour: number; minute: number } | undefined {
  const hours = Number(hour);
  const minutes = Number(minute ?? 0);
  if (minutes > 59) return undefined;
  if (half === undefined) return hours > 23 ? undefined : { hour: hours, minute: minutes };
  if (hours < 1 || hours > 12) return undefined;
  return { hour: (hours % 12) + (/^p/i.test(half) ? 12 : 0), minute: minutes };
}

/** The name of a zone, or its distance from UTC in minutes. */
type Zone = string | number;

const HOUR = 60;

/** What people write for a zone. Of those with several meanings, the one that agents' services use. */
const ABBREVIATIONS: Readonly<Record<string, Zone>> = {
  UTC: 0,
  GMT: 0,
  Z: 0,
  ET: "America/New_York",
  EST: -5 * HOUR,
  EDT: -4 * HOUR,
  CT: "America/Chicago",
  CST: -6 * HOUR,
  CDT: -5 * HOUR,
  MT: "America/Denver",
  MST: -7 * HOUR,
  MDT: -6 * HOUR,
  PT: "America/Los_Angeles",
  PST: -8 * HOUR,
  PDT: -7 * HOUR,
  BST: HOUR,
  WET: 0,
  WEST: HOUR,
  CET: HOUR,
  CEST: 2 * HOUR,
  EET: 2 * HOUR,
  EEST: 3 * HOUR,
  MSK: 3 * HOUR,
  IST: 5 * HOUR + 30,
  SGT: 8 * HOUR,
  HKT: 8 * HOUR,
  JST: 9 * HOUR,
  KST: 9 * HOUR,
  AEST: 10 * HOUR,
  AEDT: 11 * HOUR,
};

const OFFSET = /^(?:UTC|GMT)?(?<sign>[+-])(?<hours>\d{1,2}):?(?<minutes>\d\d)?$/i;

/** Where the text names no zone that is known, the moment's own is the best guess. */
function zoneOf({ zone }: Groups, { timeZone }: OutputMoment): Zone {
  if (zone === undefined) return timeZone;
  const offset = OFFSET.exec(zone)?.groups;
  if (offset) {
    const minutes = Number(offset["hours"]) * HOUR + Number(offset["minutes"] ?? 0);
    return offset["sign"] === "-" ? -minutes : minutes;
  }
  const known = ABBREVIATIONS[zone.toUpperCase()];
  if (known !== undefined) return known;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return timeZone;
  }
}

interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

/**
 * The instant at which the clocks of a zone show a time.
 *
 * The offset is looked up at the first guess and again at the corrected one, because a change of the clocks may lie
 * between the two. A time that a change skips comes out an hour later.
 */
function zonedMs({ year, month, day, hour, minute }: WallTime, zone: Zone): number | undefined {
  const asIfUtc = Date.UTC(year, month - 1, day, hour, minute);
  if (Number.isNaN(asIfUtc)) return undefined;
  const first = asIfUtc - offsetMs(zone, asIfUtc);
  const second = asIfUtc - offsetMs(zone, first);
  return offsetMs(zone, second) === asIfUtc - second ? second : Math.max(first, second);
}

function offsetMs(zone: Zone, atMs: number): number {
  if (typeof zone === "number") return zone * 60_000;
  const { year, month, day, hour, minute, second } = dateIn(zone, atMs);
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(atMs / 1000) * 1000;
}

function dateIn(zone: Zone, atMs: number): WallTime & { readonly second: number } {
  if (typeof zone === "number") return dateIn("UTC", atMs + zone * 60_000);
  const parts = new Intl.DateTimeFormat("en-u-hc-h23", {
    timeZone: zone,
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(atMs);
  const part = (type: string): number => Number(parts.find((found) => found.type === type)?.value);
  return {
    year: part("year"),
    month: part("month"),
    day: part("day"),
    hour: part("hour"),
    minute: part("minute"),
    second: part("second"),
  };
}

const numberOrUndefined = (value: number): number | undefined => (Number.isNaN(value) ? undefined : value);
