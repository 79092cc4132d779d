import { plural, type StepStatus, usageText, type UsageView } from "../../domain/index.ts";
import type { HostedCheck } from "../../platform/ports/index.ts";

export interface RequestStep {
  readonly anchor: string;
  readonly title: string;
  readonly status: StepStatus;
  readonly note: string | null;
  readonly commit: string | null;
  /** What passed on the tree that landed; undefined where nothing was verified. */
  readonly evidence: string | undefined;
  /** How long agents worked on it, and how often they were started. */
  readonly workedMs: number;
  readonly starts: number;
  /** What they used; null where nothing is known of it. */
  readonly usage: UsageView | null;
}

export interface RequestView {
  readonly marker: string;
  readonly plan: string;
  readonly title: string;
  readonly steps: readonly RequestStep[];
  readonly checks: readonly HostedCheck[];
  /** What the whole plan used, with what belongs to no step. */
  readonly usage: UsageView | null;
}

/** Kept below what hosting services and command lines take. */
const MOST_CHARACTERS = 60_000;
const MOST_CELL = 200;

/** By which a request is known as Pawl's for one plan, whatever else is written into it. */
export const requestMarker = (plan: string, repository: string): string =>
  `<!-- pawl plan=${encodeURIComponent(plan)} repository=${encodeURIComponent(repository)} -->`;

/** What a request says: where every step stands, what was verified, and what it cost. */
export function requestBody({ marker, plan, title, steps, checks, usage }: RequestView): string {
  const done = steps.filter(({ status }) => status === "completed").length;
  const head = [
    marker,
    `## ${cell(title)}`,
    "",
    `\`${plan.replaceAll("`", "")}\`: ${done} of ${steps.length} steps landed.`,
    "",
    "| step | state | commit | verified | agent time | cost |",
    "| --- | --- | --- | --- | --- | --- |",
  ];
  const foot = [
    "",
    ...checks.map(({ name, outcome }) => `- ${cell(name)}: ${outcome}`),
    ...(checks.length > 0 ? [""] : []),
    `Agents worked ${minutes(sum(steps.map(({ workedMs }) => workedMs)))} in ${plural(sum(steps.map(({ starts }) => starts)), "start")}${usage ? ` and used ${usageText(usage)}` : ""}.`,
    "",
    "Pawl keeps this text current.",
  ];
  let room = MOST_CHARACTERS - [...head, ...foot].join("\n").length;
  const rows: string[] = [];
  for (const step of steps) {
    const row = rowOf(step);
    room -= row.length + 1;
    if (room < 0) {
      rows.push(`| … ${steps.length - rows.length} more | | | | | |`);
      break;
    }
    rows.push(row);
  }
  return [...head, ...rows, ...foot].join("\n");
}

const rowOf = ({
  anchor,
  title,
  status,
  note,
  commit,
  evidence,
  workedMs,
  starts,
  usage,
}: RequestStep): string => {
  const state = STATES[status];
  const verified = status === "completed" ? (evidence ?? "not verified") : "";
  const worked = starts === 0 ? "" : minutes(workedMs);
  const why = status === "blocked" && note !== null ? `${state}: ${note}` : state;
  return `| ${cell(anchor)} ${cell(title)} | ${cell(why)} | ${commit?.slice(0, 12) ?? ""} | ${cell(verified)} | ${worked} | ${usage ? usageText(usage) : ""} |`;
};

const STATES: Readonly<Record<StepStatus, string>> = {
  pending: "open",
  claimed: "in work",
  in_progress: "in work",
  awaiting_verification: "being verified",
  completed: "landed",
  blocked: "blocked",
  on_hold: "on hold",
};

/** One line of plain text: a title must end no table and call no person. */
const cell = (text: string): string =>
  text
    .slice(0, MOST_CELL)
    .replaceAll(/[\r\n]+/g, " ")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll("|", "&#124;")
    .replaceAll("@", "&#64;");

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

const minutes = (ms: number): string =>
  ms < 60_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;
