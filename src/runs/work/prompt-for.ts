import { Failure, type WorkflowCommand } from "../../domain/index.ts";
import {
  EMPTY_CONTEXT,
  fillTemplate,
  type PromptContext,
  PROMPTS,
  type PromptStep,
} from "../../agents/index.ts";
import { listCheckpoints } from "../../sessions/index.ts";
import { type ClaimedStep, listStepArtifacts } from "../../steps/index.ts";
import { type Evidence, listVerdicts } from "../../verification/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import type { CheckpointRow, VerdictRow } from "../../platform/index.ts";
import { savedPlan } from "../../plans/index.ts";
import type { CommandPosition } from "./checkpoint.ts";
import { DEFAULT_ITERATIONS } from "../prepare/run-config.ts";
import { viewOfStep } from "./step-view.ts";
import type { Worker } from "./worker.ts";
import { writtenStep } from "./step-view.ts";

/** The prompt of a command; undefined for one that is a program. */
export async function promptFor(
  worker: Worker,
  { work }: WorkflowCommand,
  held: ClaimedStep | undefined,
  place: CommandPosition,
): Promise<string | undefined> {
  if ("argv" in work) return undefined;
  const context = await promptContext(worker, held, place);
  if ("prompt" in work) return PROMPTS[work.prompt].write(context);
  const { files, repository } = worker.ports;
  const path = `${repository.mainTopLevel ?? worker.session.worktree.path}/${work.template}`;
  if (!files.exists(path)) throw new Failure("prompt/invalid", `There is no ${work.template}.`, { path });
  const text = new TextDecoder().decode(files.read(path, MOST_TEMPLATE));
  return fillTemplate(text, context, work.template);
}

const MOST_TEMPLATE = 1024 * 1024;

/** Everything that is known and bears on the work. */
export async function promptContext(
  worker: Worker,
  held: ClaimedStep | undefined,
  place: CommandPosition | undefined,
): Promise<PromptContext> {
  const { ports, session, config, workflow } = worker;
  const database = await ports.database();
  const checkpoints = await database.read((sql) => sql.all(listCheckpoints, { session_id: session.id }));
  const context: PromptContext = {
    ...EMPTY_CONTEXT,
    focus: config.focus,
    specId: place?.specId,
    iteration:
      place && workflow.iterates
        ? { number: place.iteration, most: config.maxIterations ?? DEFAULT_ITERATIONS }
        : undefined,
    done: doneBefore(checkpoints, held),
  };
  return held ? { ...context, ...(await stepContext(worker.ports, held)) } : context;
}

/** What is known of a step: its text, its checklist, what others left, what verification said. */
export async function stepContext(
  ports: Ports,
  held: Omit<ClaimedStep, "claim">,
): Promise<Pick<PromptContext, "verdicts" | "artifacts" | "plan"> & { readonly step: PromptStep }> {
  const { plan, anchor } = held;
  const database = await ports.database();
  const stored = await database.read(async (sql) => {
    const { phase_title } = await savedPlan(sql, plan);
    return {
      title: phase_title ?? undefined,
      verdicts: await sql.all(listVerdicts, { plan_path: plan, anchor }),
      artifacts: await sql.all(listStepArtifacts, { plan_path: plan, anchor }),
    };
  });
  return {
    plan: { path: plan, title: stored.title },
    step: await stepFor(ports, held),
    verdicts: stored.verdicts.map(verdictFor),
    artifacts: stored.artifacts.map(({ kind, content, summary }) => ({ kind, text: content ?? summary })),
  };
}

async function stepFor(ports: Ports, held: Omit<ClaimedStep, "claim">): Promise<PromptStep> {
  const written = await writtenStep(ports, held);
  const { items, substeps } = await viewOfStep(ports, held);
  return {
    anchor: held.anchor,
    title: held.title,
    body: [
      written?.body ?? "",
      ...(written?.substeps ?? []).map(({ title, body }) => `### ${title}\n\n${body}`),
    ].join("\n\n"),
    references: written?.references,
    items: items.map(({ kind, ordinal, text, status }) => ({ kind, ordinal, text, status })),
    substeps: substeps.map(({ anchor, title, status }) => ({ anchor, title, status })),
  };
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

const MOST_FILES = 20;

/** What this session did before for the same step; without a step, everything it did. */
function doneBefore(checkpoints: readonly CheckpointRow[], held: ClaimedStep | undefined): readonly string[] {
  return checkpoints
    .filter(({ anchor, position }) => anchor === (held?.anchor ?? null) && position >= 0)
    .map(({ command, iteration, outcome, files_modified, spec_found }) => {
      const files = JSON.parse(files_modified ?? "[]") as readonly string[];
      const what = outcome === null ? "was interrupted; what it had changed is still there" : outcome;
      const changed = files.length === 0 ? "" : `; changed ${files.slice(0, MOST_FILES).join(", ")}`;
      const spec = spec_found === null ? "" : `; spec ${spec_found}`;
      return `${command}${iteration > 1 ? ` (iteration ${iteration})` : ""}: ${what}${changed}${spec}`;
    });
}
