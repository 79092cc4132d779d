import { backlog, backlogTask } from "./backlog.ts";
import { beads } from "./beads.ts";
import { bmad } from "./bmad.ts";
import { checklist } from "./checklist.ts";
import { claudeTasks, claudeTodos } from "./claude-tasks.ts";
import { conductor } from "./conductor.ts";
import { cursor } from "./cursor.ts";
import { featureList } from "./feature-list.ts";
import { type FormatName, isFormatName } from "./format-names.ts";
import { gsdPlan } from "./gsd-plan.ts";
import { gsdRoadmap } from "./gsd-roadmap.ts";
import { headed } from "./headed.ts";
import { implementationPlan } from "./implementation-plan.ts";
import { kiro } from "./kiro.ts";
import { isNearly, LIKENESS } from "./likeness.ts";
import type { PlanFormat } from "./plan-format.ts";
import { ralph } from "./ralph.ts";
import { taskFiles } from "./task-files.ts";
import { taskMaster } from "./task-master.ts";
import { tugplan } from "./tugplan.ts";

/** The formats Pawl reads, in the order in which they are asked. */
const BY_NAME: { readonly [N in FormatName]: PlanFormat<N> } = {
  "task-files": taskFiles,
  backlog,
  "claude-tasks": claudeTasks,
  "implementation-plan": implementationPlan,
  "task-master": taskMaster,
  ralph,
  "feature-list": featureList,
  "claude-todos": claudeTodos,
  beads,
  "backlog-task": backlogTask,
  "gsd-plan": gsdPlan,
  "gsd-roadmap": gsdRoadmap,
  bmad,
  cursor,
  tugplan,
  headed,
  kiro,
  conductor,
  checklist,
};

export const FORMATS: readonly PlanFormat[] = Object.values(BY_NAME);

/** Takes what no other format recognised, and says what it misses. */
export const FALLBACK: PlanFormat = tugplan;

/** How a file is read: the format that it is most like, and one that it is nearly as much like. */
export interface FormatChoice {
  readonly format: PlanFormat;
  /** False where no format knows the file, and one reads it all the same to say what it misses. */
  readonly isRecognised: boolean;
  readonly runnerUp: PlanFormat | undefined;
}

/** Weighs the whole file. Of two formats that it is equally like, the one that stands first in the table counts. */
export function chooseFormat(path: string, text: string, isFolder = false): FormatChoice {
  const ofKind = FORMATS.filter((format) => (format.isFolder === true) === isFolder);
  const weighed = (formats: readonly PlanFormat[]) =>
    formats
      .map((format) => ({ format, weight: format.weigh(path, text) }))
      .filter(({ weight }) => weight > LIKENESS.no)
      .toSorted((a, b) => b.weight - a.weight);
  // Looking for headings and boxes in JSON would take longer than reading it.
  const asJson = JSON_START.test(text) ? weighed(ofKind.filter(({ isMarkdown }) => !isMarkdown)) : [];
  const [first, ...others] = asJson.length > 0 ? asJson : weighed(ofKind);
  const second = others.find(({ format }) => first && !isDialect(first.format, format));
  const isClose = first && second && isNearly(first.weight, second.weight);
  return {
    format: first?.format ?? FALLBACK,
    isRecognised: (first?.weight ?? LIKENESS.no) > LIKENESS.barely,
    runnerUp: isClose ? second.format : undefined,
  };
}

/** No Markdown begins so. */
const JSON_START = /^\ufeff?\s*(?:\{|\[\s*\{)/;

const isDialect = (one: PlanFormat, other: PlanFormat): boolean =>
  one.dialectOf === other.name || other.dialectOf === one.name;

export const formatNamed = (name: string): PlanFormat | undefined =>
  isFormatName(name) ? BY_NAME[name] : undefined;
