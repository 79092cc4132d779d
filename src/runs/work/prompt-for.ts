import { type ExitOutcome, Failure, PAUSES, shellWord, type WorkflowCommand } from "../../domain/index.ts";
import {
  continuePrompt,
  EMPTY_CONTEXT,
  fillTemplate,
  type PromptContext,
  PROMPTS,
} from "../../agents/index.ts";
import { listCheckpoints } from "../../sessions/index.ts";
import type { ClaimedStep } from "../../steps/index.ts";
import { CHECKLIST, checksFor, type StepCheck } from "../../verification/index.ts";
import type { CheckpointRow } from "../../platform/index.ts";
import type { CommandPosition } from "./checkpoint.ts";
import { DEFAULT_ITERATIONS } from "../prepare/run-config.ts";
import { stepContext } from "./step-context.ts";
import type { Worker } from "./worker.ts";

/** What an agent is given to read, and which messages of people that it has not got before are in it. */
export interface WrittenPrompt {
  readonly prompt: string;
  readonly messages: readonly number[];
}

const withMessages = (context: PromptContext, prompt: string): WrittenPrompt => ({
  prompt,
  messages: newMessages(context).map(({ number }) => number),
});

const newMessages = ({ messages = [] }: PromptContext) => messages.filter(({ isDelivered }) => !isDelivered);

/** The prompt of a command; undefined for one that is a program. */
export async function promptFor(
  worker: Worker,
  { work }: WorkflowCommand,
  held: ClaimedStep | undefined,
  place: CommandPosition,
): Promise<WrittenPrompt | undefined> {
  if ("argv" in work) return undefined;
  const context = await promptContext(worker, held, place);
  if ("prompt" in work) return withMessages(context, PROMPTS[work.prompt].write(context));
  const { files, repository } = worker.ports;
  const path = `${repository.mainTopLevel ?? worker.session.worktree.path}/${work.template}`;
  if (!files.exists(path)) throw new Failure("prompt/invalid", `There is no ${work.template}.`, { path });
  const text = new TextDecoder().decode(files.read(path, MOST_TEMPLATE));
  const prompt = fillTemplate(text, context, work.template);
  const isTold = /\{\{\s*messages\s*\}\}/.test(text);
  return isTold ? withMessages(context, prompt) : { prompt, messages: [] };
}

/** What is new for a conversation that is taken up again: what was said since its last command began, and what is open. */
export async function promptToContinue(
  worker: Worker,
  held: ClaimedStep | undefined,
  place: CommandPosition,
  { last, isSentBack }: { readonly last: CheckpointRow; readonly isSentBack: boolean },
): Promise<WrittenPrompt> {
  const context = await promptContext(worker, held, place);
  // What is open stands in the prompt by itself.
  const verdicts = context.verdicts.filter(
    ({ at, checked }) => at > last.started_at && checked !== CHECKLIST,
  );
  const reason = !isSentBack ? "interrupted" : verdicts.length === 0 ? "items-open" : "sent-back";
  return continued({ ...context, verdicts }, reason);
}

/** A prompt for a conversation that continues: messages that it has got are not repeated. */
export function continued(
  context: PromptContext,
  reason: Parameters<typeof continuePrompt>[1],
): WrittenPrompt {
  const messages = newMessages(context);
  return withMessages(context, continuePrompt({ ...context, messages }, reason));
}

const MOST_TEMPLATE = 1024 * 1024;

/** Everything that is known and bears on the work. */
export async function promptContext(
  worker: Worker,
  held: ClaimedStep | undefined,
  place: CommandPosition | undefined,
): Promise<PromptContext> {
  const { ports, session, config, workflow, settings } = worker;
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
  if (held === undefined) return context;
  const { written, ...known } = await stepContext(ports, held);
  const checks = checksFor(known.step, settings.verify, written?.verification).flatMap(checkWords);
  return { ...context, ...known, checks };
}

/** A check as an agent would run it; the checklist is not run. */
const checkWords = (check: StepCheck): readonly string[] =>
  check.kind === "command"
    ? [check.argv.map(shellWord).join(" ")]
    : check.kind === "agent"
      ? [`agent ${check.agent}`]
      : [];

const MOST_FILES = 20;

/** What this session did before for the same step; without a step, everything it did. */
function doneBefore(checkpoints: readonly CheckpointRow[], held: ClaimedStep | undefined): readonly string[] {
  return checkpoints
    .filter(({ anchor, position }) => anchor === (held?.anchor ?? null) && position >= 0)
    .map(({ command, iteration, outcome, files_modified, spec_found, agent }) => {
      const files = JSON.parse(files_modified ?? "[]") as readonly string[];
      const what =
        outcome === null
          ? "was interrupted; what it had changed is still there"
          : PAUSES.has(outcome as ExitOutcome)
            ? `begun by ${agent ?? "another agent"}, which could not continue; its files are in this worktree`
            : outcome;
      const changed = files.length === 0 ? "" : `; changed ${files.slice(0, MOST_FILES).join(", ")}`;
      const spec = spec_found === null ? "" : `; spec ${spec_found}`;
      return `${command}${iteration > 1 ? ` (iteration ${iteration})` : ""}: ${what}${changed}${spec}`;
    });
}
