import type { FoundStatus, PlanItem } from "../../../domain/index.ts";
import type { FormatName } from "../format-names.ts";
import type { Showing } from "../shown-status.ts";

type Mark = PlanItem["box"];

/** What the marks of a kind of list mean, and which one each status gets. Words and order are the same in all of them. */
export interface Dialect {
  readonly name: FormatName;
  /** What a mark says about a step; `dropped` is no step. */
  readonly statusOf: Readonly<Record<Mark, FoundStatus | "dropped">>;
  /** What a mark says about an item. */
  readonly itemOf: Readonly<Record<Mark, Mark>>;
  /** What is written for a status; where there is no mark, a box is open. */
  readonly marks: Readonly<Partial<Record<FoundStatus, string>>>;
  readonly showing: Showing;
  /** Boxes that are for a person, and no work of an agent. */
  readonly isForPeople?: (box: string) => boolean;
  /** Only boxes under such a heading are work, where there is one. */
  readonly isWork?: (heading: string) => boolean;
  /** The heading under which more about a step stands; boxes there are its items, and the text is its text. */
  readonly isAbout?: (heading: string, box: string) => boolean;
}

const OPEN_OTHERWISE: Showing["instead"] = {
  awaiting_verification: "pending",
  blocked: "pending",
  failed: "pending",
  on_hold: "pending",
};

const AS_MARKED: Dialect["itemOf"] = {
  open: "open",
  ticked: "ticked",
  deferred: "deferred",
  dropped: "dropped",
};

/** A box is ticked or not. `[~]` puts a step off and `[-]` drops it. */
export const PLAIN: Dialect = {
  name: "checklist",
  statusOf: { open: "pending", ticked: "completed", deferred: "on_hold", dropped: "dropped" },
  itemOf: AS_MARKED,
  marks: {},
  showing: { instead: { ...OPEN_OTHERWISE, in_progress: "pending" }, resetsAbandoned: false },
};

/** Kiro: `[-]` is in progress and `[~]` is queued. */
export const KIRO: Dialect = {
  name: "kiro",
  statusOf: { open: "pending", ticked: "completed", deferred: "pending", dropped: "in_progress" },
  itemOf: { ...AS_MARKED, deferred: "open", dropped: "open" },
  marks: { in_progress: "-" },
  showing: { instead: { ...OPEN_OTHERWISE, awaiting_verification: "in_progress" }, resetsAbandoned: false },
};

/** Conductor: `[~]` is in progress. At the end of a phase a person is asked whether it works. */
export const CONDUCTOR: Dialect = {
  name: "conductor",
  statusOf: { open: "pending", ticked: "completed", deferred: "in_progress", dropped: "dropped" },
  itemOf: { ...AS_MARKED, deferred: "open" },
  marks: { in_progress: "~" },
  isForPeople: (box) => /^(?:\*\*)?task:\s*conductor\s*-\s*user manual verification\b/i.test(box),
  showing: { instead: { ...OPEN_OTHERWISE, awaiting_verification: "in_progress" }, resetsAbandoned: false },
};

/** BMAD: the tasks of a story. Acceptance criteria and records of agents are no tasks. */
export const BMAD: Dialect = {
  ...PLAIN,
  name: "bmad",
  isWork: (heading) => /^tasks\s*\/\s*subtasks/i.test(heading),
};

const phaseIn = (text: string): string | undefined => /^(?:\*\*)?phase\s+(\d+(?:\.\d+)?)\b/i.exec(text)?.[1];

/** GSD: the phases of a roadmap, each with a section of its own. */
export const GSD_ROADMAP: Dialect = {
  ...PLAIN,
  name: "gsd-roadmap",
  isAbout: (heading, box) => phaseIn(heading) !== undefined && phaseIn(heading) === phaseIn(box),
};
