import type { FoundStatus } from "../../../domain/index.ts";
import type { PlanWriter } from "../plan-format.ts";
import { NO_STATUS_BUT_DONE, type RecordShape } from "./shape.ts";
import { writeRecords } from "./write.ts";

type Progress = Pick<RecordShape, "statuses" | "words" | "showing">;

/** The records of agent harnesses pass or do not. */
export const PASSES: Progress = {
  statuses: new Map([
    ["true", "completed"],
    ["false", "pending"],
  ]),
  words: { pending: false, completed: true },
  showing: NO_STATUS_BUT_DONE,
};

/** Many files of the same harnesses have a status instead, in words of their own. */
const WORDS: Readonly<Record<FoundStatus | "dropped", string>> = {
  pending: "pending,not started,todo,to do,planned,queued,backlog,ready,open,failing",
  in_progress: "in progress,active,started,doing,wip",
  awaiting_verification: "review,in review,verifying",
  completed: "done,complete,completed,finished,passing,pass,passed,verified",
  blocked: "blocked",
  failed: "failed,fail",
  on_hold: "on hold,deferred,postponed,paused",
  dropped: "dropped,cancelled,canceled,removed,obsolete,superseded",
};

const STATUS: Progress = {
  statuses: new Map(
    (Object.keys(WORDS) as (keyof typeof WORDS)[]).flatMap((status) =>
      WORDS[status].split(",").map((word) => [word, status] as const),
    ),
  ),
  words: { pending: "pending", in_progress: "in_progress", completed: "done", blocked: "blocked" },
  showing: {
    instead: { awaiting_verification: "in_progress", failed: "blocked", on_hold: "blocked" },
    resetsAbandoned: false,
  },
};

export const hasPasses = (text: string): boolean => /"passes"\s*:\s*(?:true|false)/.test(text);

/** The records of a file; it may say of itself how far it is before them. */
const recordsIn = (text: string): string =>
  text.slice(/"(?:userStories|features)"\s*:\s*\[/.exec(text)?.index ?? 0);

export const hasStatus = (text: string): boolean => /"(?:status|state)"\s*:\s*"/.test(recordsIn(text));

/** The member by which records say that they are done, where it is another one than `passes`. */
export const doneFlagIn = (text: string): string | undefined =>
  /"(completed?|done)"\s*:\s*(?:true|false)/.exec(recordsIn(text))?.[1];

/**
 * The shape of one file: by `passes` where its records have that, else by their status, else by another word for done. A
 * status beside `passes` that says something else is reported.
 */
export function passesOrStatus(shape: RecordShape): (text: string) => RecordShape {
  const worded = { ...shape, ...STATUS, fields: { ...shape.fields, status: ["status", "state"] } };
  const both: RecordShape = {
    ...shape,
    fields: { ...shape.fields, beside: { names: ["status", "state"], statuses: STATUS.statuses } },
  };
  return (text) => {
    if (hasPasses(text)) return both;
    if (hasStatus(text)) return worded;
    const flag = doneFlagIn(text);
    return flag === undefined ? shape : { ...shape, fields: { ...shape.fields, status: [flag] } };
  };
}

export const passesWriter = (shapeOf: (text: string) => RecordShape): PlanWriter => ({
  companions: [],
  write: (plan, progress) => writeRecords(shapeOf(plan.text))(plan, progress),
});
