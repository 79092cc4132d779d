import { type CallToolResult, ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv-provider.js";
import { callLimit } from "../platform/index.ts";
import { Failure } from "../domain/index.ts";
import { type Clock, type Interruption, NEVER } from "../platform/ports/index.ts";
import { failureResult } from "./failure-result.ts";
import { oneLine } from "./foreign-text.ts";
import type { ClientSession } from "./client-session.ts";
import type { Tool } from "./tool.ts";
import { toFailure } from "../journal/index.ts";

export interface Answering {
  readonly tools: readonly Tool[];
  readonly clock: Clock;
  readonly session: () => Promise<ClientSession>;
  /** The client is gone, or the server is to end. */
  readonly over: AbortSignal;
}

interface Call {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, unknown>> | undefined;
  readonly _meta?: { readonly progressToken?: string | number | undefined } | undefined;
}

interface Extra {
  readonly signal: AbortSignal;
  readonly sendNotification: (notification: {
    readonly method: "notifications/progress";
    readonly params: { progressToken: string | number; progress: number; message?: string };
  }) => Promise<void>;
}

/** An agent in a loop is slowed down, not its neighbours. */
const ALLOWANCE = { atOnce: 40, perSecond: 10 };

/** Long calls say that they live: clients give up on silence. */
const PROGRESS_MS = 5000;

/** Answers calls of tools: checks the arguments, slows down a client that calls too fast, and makes a result of everything. */
export function answerCalls({ tools, clock, session, over }: Answering) {
  const waitFor = callLimit(ALLOWANCE, clock.uptimeMs);
  const validator = new AjvJsonSchemaValidator();
  const known = new Map(
    tools.map((tool) => [tool.name as string, { tool, check: validator.getValidator(tool.input) }]),
  );
  return {
    list: tools.map(({ name, about, input, output, annotations }) => ({
      name,
      description: about,
      inputSchema: input,
      outputSchema: output,
      annotations,
    })),
    async call(call: Call, extra: Extra): Promise<CallToolResult> {
      const found = known.get(call.name);
      if (!found) throw new McpError(ErrorCode.InvalidParams, `There is no tool "${oneLine(call.name)}".`);
      const stopProgress = reportProgress(call, extra);
      try {
        const retryMs = waitFor();
        if (retryMs > 0) throw new Failure("desk/too-fast", "Too many calls.", { retry_after_ms: retryMs });
        const args = call.arguments ?? {};
        const checked = found.check(args);
        if (!checked.valid) throw wrongArguments(found.tool, checked.errorMessage);
        const { pawl, agentSession } = await session();
        const interruption = asInterruption(AbortSignal.any([extra.signal, over]));
        const { data, line } = await found.tool.run({ pawl, agentSession, interruption }, args);
        // Some clients drop the structured part: all of it is in the text, too.
        const texts = [oneLine(line), JSON.stringify(data)];
        return {
          content: texts.map((text) => ({ type: "text" as const, text })),
          structuredContent: { ...data },
        };
      } catch (thrown) {
        return failureResult(toFailure(thrown), call.name);
      } finally {
        stopProgress();
      }
    },
  };
}

const wrongArguments = ({ name, input }: Tool, problem: string): Failure =>
  new Failure(
    "usage/wrong",
    `${name}: ${oneLine(problem)}.`,
    { arguments: Object.keys(input["properties"] ?? {}) },
    { hint: "Correct the arguments and call again." },
  );

/** A call that is called off ends like one that a person interrupts. */
const asInterruption = (signal: AbortSignal): Interruption => ({
  signal: () => (signal.aborted ? "SIGINT" : undefined),
  listen(heard) {
    signal.addEventListener("abort", heard);
    return () => signal.removeEventListener("abort", heard);
  },
  beforeLeaving: NEVER.beforeLeaving,
});

function reportProgress({ _meta, name }: Call, { sendNotification }: Extra): () => void {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  let progress = 0;
  const timer = setInterval(() => {
    progress += 1;
    const params = { progressToken, progress, message: `${name} is running` };
    sendNotification({ method: "notifications/progress", params }).catch(() => undefined);
  }, PROGRESS_MS);
  return () => clearInterval(timer);
}
