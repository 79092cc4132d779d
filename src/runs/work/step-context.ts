import type { PromptContext, PromptHandover, PromptPassage, PromptStep } from "../../agents/index.ts";
import { flatten, Failure, type Plan, type PlanStep } from "../../domain/index.ts";
import type { VerdictRow } from "../../platform/index.ts";
import type { Ports, Sql } from "../../platform/ports/index.ts";
import { agentWordsIn, type ClosingMessage, closingMessages, messagesTo } from "../../journal/index.ts";
import { REMINDER } from "./reminder-name.ts";
import { savedPlan, stepSnapshot } from "../../plans/index.ts";
import { loadPassages, loadReadPlan } from "../../plans/formats/index.ts";
import { leaseClockOf } from "../../sessions/index.ts";
import {
  type ClaimedStep,
  listStepArtifacts,
  type PlanView,
  type StepView,
  tickableItems,
  viewOf,
} from "../../steps/index.ts";
import { type Evidence, listVerdicts } from "../../verification/index.ts";

/** A plan as it was saved: its text, and what its format reads in it. */
interface WrittenPlan {
  readonly plan: Plan;
  readonly content: string;
}

/** What is known of a step: its text, its checklist, what others left, what verification said, what came before it. */
export async function stepContext(
  ports: Ports,
  held: Omit<ClaimedStep, "claim">,
): Promise<
  Pick<
    PromptContext,
    "verdicts" | "artifacts" | "plan" | "earlier" | "handovers" | "messages" | "refused"
  > & {
    readonly step: PromptStep;
    readonly written: PlanStep | undefined;
  }
> {
  const { plan, anchor } = held;
  const database = await ports.database();
  const { saved, kept, view, verdicts, artifacts, said, refused, handovers, messages } = await database.read(
    async (sql) => {
      const row = await savedPlan(sql, plan);
      const view = await viewOf(sql, row, leaseClockOf(ports, sql));
      return {
        saved: row,
        kept: await stepSnapshot(sql, { plan, anchor }),
        view,
        said: await closingMessages(sql, { plan_path: plan, anchor }),
        refused: (await agentWordsIn(sql, { plan_path: plan, anchor })).refused,
        handovers: await handoversTo(sql, view, held),
        messages: await messagesTo(sql, { plan_path: plan, anchor }),
        verdicts: await sql.all(listVerdicts, { plan_path: plan, anchor }),
        artifacts: await sql.all(listStepArtifacts, { plan_path: plan, anchor }),
      };
    },
  );
  const { parseKept } = await loadReadPlan();
  const text = kept && { plan: parseKept(kept.content, kept.format), content: kept.content };
  const { goalIn } = await loadPassages();
  const step = await stepFor(held, view, text);
  return {
    plan: {
      path: plan,
      title: saved.phase_title ?? undefined,
      goal: text && (text.plan.context ?? (isMarkdown(text.content) ? goalIn(text.content) : undefined)),
    },
    step,
    written: text && stepIn(text, anchor),
    earlier: earlierIn(view, anchor),
    verdicts: verdicts.map(verdictFor),
    handovers,
    messages,
    refused,
    artifacts: [
      ...artifacts.map(({ kind, content, summary }) => ({ kind, text: content ?? summary })),
      ...lastOfEach(said).map(({ command, text: words }) => ({
        kind: `last message of ${command}`,
        text: words,
      })),
    ],
  };
}

/** The newest message of each command, oldest first: a strategy, a review, what an earlier attempt ended with. */
function lastOfEach(said: readonly ClosingMessage[]): readonly ClosingMessage[] {
  const newest = new Map<string, ClosingMessage>();
  for (const message of said) if (!newest.has(message.command)) newest.set(message.command, message);
  return [...newest.values()].toReversed();
}

/** A step may depend on many; those nearest to it say most about it. */
const MOST_DEPENDENCIES = 8;
const MOST_HANDOVER = 3 * 1024;

/** What the steps that this one depends on have left: what their agents said last, and artifacts. */
async function handoversTo(
  sql: Sql,
  { steps }: PlanView,
  { plan, anchor }: Omit<ClaimedStep, "claim">,
): Promise<readonly PromptHandover[]> {
  const wanted = steps.find((one) => one.anchor === anchor)?.dependsOn ?? [];
  const found: PromptHandover[] = [];
  for (const { anchor: of } of steps.filter((one) => wanted.includes(one.anchor)).slice(-MOST_DEPENDENCIES)) {
    const said = await closingMessages(sql, { plan_path: plan, anchor: of });
    const work = said.filter(({ type }) => type === "implement_spec");
    // The answer to a reminder says little about the work.
    const closing = work.find(({ command }) => command !== REMINDER) ?? work[0];
    if (closing) found.push({ anchor: of, kind: "closing message", text: cut(closing.text) });
    for (const { kind, content, summary } of await sql.all(listStepArtifacts, {
      plan_path: plan,
      anchor: of,
    }))
      found.push({ anchor: of, kind, text: cut(content ?? summary) });
  }
  return found;
}

const cut = (text: string): string =>
  text.length <= MOST_HANDOVER ? text : `${text.slice(0, MOST_HANDOVER)}\n[cut]`;

/** Folders are kept as a line of JSON and their files: there is no text of the plan's own in it. */
const isMarkdown = (content: string): boolean => !content.startsWith("{");

const stepIn = ({ plan }: WrittenPlan, anchor: string): PlanStep | undefined =>
  flatten(plan).find(({ step }) => step.anchor === anchor)?.step;

/** The completed steps, in the order of the plan. */
const earlierIn = ({ steps }: PlanView, anchor: string): NonNullable<PromptContext["earlier"]> =>
  steps
    .filter((step) => step.status === "completed" && step.anchor !== anchor)
    .map((step) => ({
      anchor: step.anchor,
      title: step.title,
      commit: step.commitHash?.slice(0, SHOWN_COMMIT) ?? undefined,
    }));

const SHOWN_COMMIT = 10;

async function stepFor(
  { plan, anchor, title }: Omit<ClaimedStep, "claim">,
  view: PlanView,
  text: WrittenPlan | undefined,
): Promise<PromptStep> {
  const index = view.steps.findIndex((one) => one.anchor === anchor);
  const seen = view.steps[index];
  if (seen === undefined)
    throw new Failure("step/unknown", `${plan} has no step ${anchor}.`, { plan_path: plan, anchor });
  const written = text && stepIn(text, anchor);
  const { passages, unresolved } = await referencesOf(text, written);
  return {
    anchor,
    title,
    number: index + 1,
    total: view.steps.length,
    body: await bodyOf(written, text?.plan.context !== undefined),
    references: written?.references,
    passages,
    unresolved,
    items: itemsOf(seen),
    substeps: seen.substeps.map((substep) => ({
      anchor: substep.anchor,
      title: substep.title,
      status: substep.status,
      items: itemsOf(substep),
    })),
  };
}

const itemsOf = (step: StepView): PromptStep["items"] =>
  tickableItems(step).map(({ kind, ordinal, text, status }) => ({ kind, ordinal, text, status }));

/** Where a format tells the context of the plan from its steps, the text of a step is one piece: files, code, commands. */
async function bodyOf(written: PlanStep | undefined, isWhole: boolean): Promise<string> {
  if (written === undefined) return "";
  const passages = await loadPassages();
  const stepProse = isWhole ? (body: string) => body : passages.stepProse;
  return [
    stepProse(written.body, written.items),
    ...written.substeps.map(({ title, body, items }) => {
      const prose = stepProse(body, items);
      return prose === "" ? "" : `### ${title}\n\n${prose}`;
    }),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

async function referencesOf(
  text: WrittenPlan | undefined,
  written: PlanStep | undefined,
): Promise<{ readonly passages: readonly PromptPassage[]; readonly unresolved: readonly string[] }> {
  const named = [written, ...(written?.substeps ?? [])].flatMap((step) => step?.references ?? []);
  if (text === undefined || named.length === 0 || !isMarkdown(text.content))
    return { passages: [], unresolved: [] };
  const { passagesFor } = await loadPassages();
  const { found, missing } = passagesFor(text.content, named.join(", "));
  return { passages: found, unresolved: missing };
}

function verdictFor({ attempt, outcome, recorded_at, evidence, because }: VerdictRow) {
  const last = (JSON.parse(evidence) as readonly Evidence[]).at(-1);
  return {
    attempt,
    passed: outcome === "passed",
    at: recorded_at,
    checked: last?.checked ?? because,
    output: last?.output ?? because,
  };
}
