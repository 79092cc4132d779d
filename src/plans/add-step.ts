import { Failure, flatten, type NewStep, type Plan, type PlanStep, shellWord } from "../domain/index.ts";
import type { Ports } from "../platform/ports/index.ts";
import { type Appended, loadAppendStep } from "./formats/index.ts";
import { committedPlan } from "./growth/committed-plan.ts";
import { readPlanFiles } from "./plan-edits.ts";
import { readPlan, refuseInvalid } from "./save.ts";

export interface AddStepRequest extends Partial<Pick<NewStep, "text" | "tasks" | "after">> {
  readonly plan: string;
  readonly title: string;
  /** Only if the file is still the one that an answer called so. */
  readonly seen?: string | undefined;
  readonly dryRun?: boolean | undefined;
}

export interface AddStepAnswer {
  readonly planPath: string;
  readonly anchor: string;
  readonly title: string;
  /** Where it stands in the file, counted from 1. */
  readonly line: number;
  readonly dependsOn: readonly string[];
  /** The lines that the file gets. */
  readonly lines: readonly string[];
  /** What the file was when this was worked out. */
  readonly seen: string;
  readonly added: boolean;
  /** The plan is committed, so the step counts once the file is committed again. */
  readonly needsCommit: boolean;
}

/**
 * Puts one more step at the end of a plan, in the plan's own format. All that was in the file stays as it is.
 *
 * The one thing that is written is the file, in one piece, and only while it still is what was read. A call that is
 * repeated finds its step there and adds no second one.
 */
export async function addStep(ports: Ports, request: AddStepRequest): Promise<AddStepAnswer> {
  const step = newStep(request);
  const read = await readPlan(ports, request.plan);
  refuseInvalid(read);
  const { key } = read;
  const files = readPlanFiles(ports, key, read.plan.format);
  if (!files.isReadable) throw cannotAdd(key, read.plan.format, "shape");
  const { format, placeOf } = files;
  const { text } = files.files;
  const before = format.read(text);
  const seen = ports.sha256(text);
  const needsCommit = (await committedPlan(ports, ports.plans.find(key))) !== undefined;
  const answer = (made: PlanStep, lines: readonly string[], added: boolean): AddStepAnswer => ({
    planPath: key,
    anchor: made.anchor,
    title: made.title,
    line: made.line,
    dependsOn: made.dependsOn.map(({ anchor }) => anchor),
    lines,
    seen,
    added,
    needsCommit,
  });
  const { appendedPlan, isStep } = await loadAppendStep();
  const last = before.steps.at(-1);
  if (last && isStep(last, step)) return answer(last, [], false);
  if (request.seen !== undefined && request.seen !== seen)
    throw new Failure("action/stale", `${key} has changed since this was decided.`, { plan_path: key });
  refuseUnknown(before, step.after, key);
  const appended = appendedPlan(format, key, text, step);
  if ("why" in appended) throw cannotAdd(key, format.name, appended.why);
  const { text: after, made } = appended;
  const lines = newLines(text, after);
  if (request.dryRun) return answer(made, lines, false);
  const { path } = placeOf("");
  if (!ports.files.replaceIf(path, Buffer.from(text), Buffer.from(after)))
    throw new Failure("action/stale", `${key} has changed since this was decided.`, { plan_path: key });
  return answer(made, lines, true);
}

type Why = Extract<Appended, { readonly why: string }>["why"];

function cannotAdd(key: string, format: string, why: Why): Failure {
  const check = `check it with \`pawl plan check ${shellWord(key)}\``;
  const reasons: Readonly<Record<Why, readonly [reason: string, hint: string]>> = {
    format: [
      `Pawl does not write steps into the format ${format}`,
      `Write the step into ${key} with the program that made it or with an editor, ${check}, and commit it.`,
    ],
    order: [
      "its format cannot say which steps this one waits for",
      "Leave out what it waits for: it follows the last step.",
    ],
    shape: [
      "its last step is written in a way that Pawl cannot continue",
      `Write the step into ${key} with an editor, ${check}, and commit it.`,
    ],
    words: [
      "read again, the plan would say something else",
      "Leave out headings, boxes and code fences, or write the step with an editor.",
    ],
  };
  const [reason, hint] = reasons[why];
  return new Failure(
    "step/cannot-add",
    `No step can be added to ${key}: ${reason}.`,
    { plan_path: key, format, why },
    { hint },
  );
}

const MOST_TITLE = 200;
const MOST_WORDS = 20_000;

/** What would end a heading, or act on a terminal, is no title. */
function newStep({ title, text = "", tasks = [], after = [] }: AddStepRequest): NewStep {
  const words = title.trim();
  const bad = (what: string): Failure => new Failure("usage/wrong", what, { title });
  if (words === "" || words.length > MOST_TITLE || CONTROL.test(words))
    throw bad(`The title of a step must be one line of at most ${MOST_TITLE} characters.`);
  const items = tasks.map((task) => task.trim()).filter((task) => task !== "");
  if (items.some((task) => CONTROL.test(task))) throw bad("A task is one line.");
  const body = text.replaceAll(/\r\n?/g, "\n").trim();
  if (body.length + items.join("").length > MOST_WORDS)
    throw bad(`A step has at most ${MOST_WORDS} characters.`);
  return { title: words, text: body, tasks: items, after: after.map((one) => one.replace(/^#/, "")) };
}

const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;

function refuseUnknown(plan: Plan, after: readonly string[], key: string): void {
  const anchors = new Set(flatten(plan).map(({ step }) => step.anchor));
  const unknown = after.find((anchor) => !anchors.has(anchor));
  if (unknown !== undefined)
    throw new Failure("step/unknown", `There is no step ${unknown} in ${key}.`, { anchor: unknown });
}

/** The lines that the longer text has more, which stand together. */
function newLines(before: string, after: string): readonly string[] {
  const [old, all] = [before, after].map((text) => text.split(/\r\n|\n|\r/)) as [string[], string[]];
  const start = all.findIndex((line, index) => line !== old[index]);
  return all.slice(start, start + all.length - old.length);
}
