import { Failure, type Plan } from "../../domain/index.ts";
import type { PlanContent } from "../../platform/ports/index.ts";
import { isTaskHeading } from "./headed/task-heading.ts";
import { collectDiagnostics } from "./diagnostics.ts";
import { chooseFormat, FALLBACK, formatNamed } from "./formats.ts";
import type { PlanFormat } from "./plan-format.ts";
import type { PlanBytes } from "./plan-source.ts";
import { scanMarkdown } from "./markdown/document.ts";
import { reportUnreadWork } from "./unread-work.ts";
import { meaningOf, meaningWithoutSections } from "./step-text.ts";
import { FORMAT_NAMES, formatCarriesStatus, formatKeptBy } from "./format-names.ts";

export { MAX_PLAN_BYTES } from "../../domain/index.ts";

/**
 * A plan from the bytes of its file.
 *
 * Bytes that are no text are refused: read with stand-ins, two different files could become one and the same plan.
 * What is wrong with the plan itself comes back as its diagnostics.
 */
export function parsePlan(bytes: Uint8Array, path: string): Plan {
  return readChosen(path, decode(bytes, path), false);
}

/** Of two formats that fit nearly as well the one whose reading leaves out less; the other one is named. */
function readChosen(path: string, text: string, isFolder: boolean): Plan {
  const { format, isRecognised, runnerUp } = chooseFormat(path, text, isFolder);
  const plan = format.read(text);
  if (plan.steps.length === 0 && !isRecognised) return { ...withUnreadWork(plan, text), format: UNKNOWN };
  if (!runnerUp) return plan;
  const other = runnerUp.read(text);
  if (lostBy(other) === Infinity && lostBy(plan) < Infinity) return plan;
  return lostBy(other) < lostBy(plan) ? withRunnerUp(other, format) : withRunnerUp(plan, runnerUp);
}

/**
 * How much of a file a reading does not take up; a reading that cannot be carried out takes up nothing. With the heading of
 * a task everything under it is lost.
 */
const lostBy = ({ steps, leftOut = [], diagnostics }: Plan): number =>
  steps.length === 0 || diagnostics.some(({ severity }) => severity === "error")
    ? Infinity
    : leftOut.reduce((sum, { text }) => sum + (isTaskHeading(text) ? LOST_WITH_A_TASK : 1), 0);

const LOST_WITH_A_TASK = 5;

/** The format of a file that no format knows. */
const UNKNOWN = "unknown";

function withUnreadWork(plan: Plan, text: string): Plan {
  if (plan.format !== FALLBACK.name) return plan;
  const { report, all } = collectDiagnostics();
  reportUnreadWork(scanMarkdown(text), report);
  return { ...plan, diagnostics: [...plan.diagnostics, ...all()] };
}

function withRunnerUp(plan: Plan, { name }: PlanFormat): Plan {
  const { report, all } = collectDiagnostics();
  report(
    "plan/close-call",
    { line: 1, column: 1 },
    () => `It is read as ${plan.format}; it could also be ${name}: --format ${name} reads it so.`,
  );
  return { ...plan, diagnostics: [...all(), ...plan.diagnostics] };
}

/** The same for a plan that may lie in a folder. A format that is named is used, whatever the content looks like. */
export function parseSource(source: PlanBytes, path: string, named?: string): Plan {
  const { isFolder = false, file, folder } = source;
  const names = folder?.files.map(({ name }) => name).join("\n") ?? "";
  const whole =
    folder && (namedFormat(named, true) ?? chooseFormat(path, names, true).format).readFolder?.(folder);
  if (whole) return withKeeper(whole);
  const text = decode(source.bytes, path);
  return withKeeper(namedFormat(named, isFolder)?.read(text) ?? readChosen(file ?? path, text, isFolder));
}

/** Says of a list that another program keeps what a run would refuse. */
function withKeeper(plan: Plan): Plan {
  const program = formatKeptBy(plan.format);
  if (program === undefined || plan.steps.length === 0) return plan;
  const { report, all } = collectDiagnostics();
  report(
    "plan/import-only",
    { line: 1, column: 1 },
    () => `It is a list that ${program} keeps: Pawl reads it, and cannot run it.`,
  );
  return { ...plan, diagnostics: [...all(), ...plan.diagnostics] };
}

/** Refuses what `parseSource` would refuse whatever the format is, for who parses later. */
export function refuseNoText({ folder, bytes }: PlanBytes, path: string): void {
  if (folder === undefined) decode(bytes, path);
}

/** Undefined when none was named. A folder of files and one file cannot be read as each other. */
function namedFormat(name: string | undefined, isFolder: boolean): PlanFormat | undefined {
  if (name === undefined) return undefined;
  const format = formatNamed(name);
  if (!format)
    throw new Failure("usage/wrong", `There is no format ${name}.`, {
      format: name,
      known: FORMAT_NAMES,
    });
  if ((format.isFolder === true) !== isFolder)
    throw new Failure(
      "usage/wrong",
      `${name} is a format for ${format.isFolder ? "folders" : "single files"}, and this is ${isFolder ? "a folder" : "a file"}.`,
      { format: name },
    );
  return format;
}

/** A plan from what was kept of it when it was saved: its text, in the format that it was read in then. */
export const parseKept = (content: string, format: string): Plan =>
  (formatNamed(format) ?? FALLBACK).read(content.replace(/^\ufeff/, ""));

/**
 * What a plan is known by: two readings with the same hash are the same work.
 *
 * The bytes of the file where only its author writes to it. Where Pawl itself writes progress back, only what the
 * steps say: else its own tick would make the plan another one.
 */
export function hashOf(plan: Plan, content: PlanContent, sha256: (text: string) => string): string {
  return formatCarriesStatus(plan.format) ? sha256(meaningOf(plan)) : content.hash;
}

/** Whether a plan that was saved under a hash is this one, also where an older Pawl saved it. */
export const isKnownBy = (
  hash: string,
  plan: Plan,
  content: PlanContent,
  sha256: (text: string) => string,
): boolean =>
  hash === hashOf(plan, content, sha256) ||
  (plan.steps.some(({ section }) => section) && hash === sha256(meaningWithoutSections(plan)));

function decode(bytes: Uint8Array, path: string): string {
  const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (isWide) throw notText(path, 0, "UTF-16: its byte order mark stands");
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
