import type { AgentEvent, TroubleKind } from "../../domain/index.ts";
import { type AgentPreset, type Argument, type LineReader, PERMISSIONS } from "../agent-preset.ts";
import { CLAUDE_PERMISSIONS } from "../permissions/claude-permissions.ts";
import {
  jsonCount,
  jsonList,
  jsonObject,
  jsonText,
  byType,
  type EventTable,
  type Json,
  toolDetail,
} from "../json-line.ts";
import { refusedWrites, toolCalls } from "../refusals.ts";
import { epochMs, type OutputMoment } from "../reset-time.ts";
import { ALL_SIGNS, troubleIn, agentTrouble, troubleOfStatus } from "../signs.ts";

/** Claude Code in print mode. */
export const claude: AgentPreset = {
  about: "Claude Code (`claude -p`)",
  program: "claude",
  prompt: "stdin",
  start: inPrintMode(["--session-id", "{session}"]),
  resume: inPrintMode(["--resume", "{session}"]),
  sessionId: "ours",
  permissions: CLAUDE_PERMISSIONS,
  sandbox: "own",
  hasCommandList: true,
  ownFolders: ["~/.claude"],
  settingsOption: "--settings",
  output: "events",
  reader: readClaudeEvents,
  signs: ALL_SIGNS,
  exitCodes: {},
  exitCodeIsTrue: true,
};

function inPrintMode(conversation: Argument): readonly Argument[] {
  return [
    "-p",
    "--output-format",
    "stream-json",
    "--verbose",
    PERMISSIONS,
    conversation,
    ["--model", "{model}"],
    ["--max-turns", "{max_turns}"],
  ];
}

/** Others print the same events, some with more of their own. */
export function readClaudeEvents(moment: () => OutputMoment, more: EventTable = {}): LineReader {
  return byType({ ...READ, ...readingRefusals(toolCalls()), ...more }, moment);
}

/** A refused call names only its id; what it was to do stands in the message before. */
const readingRefusals = ({ note, refused }: ReturnType<typeof toolCalls>): EventTable => ({
  system: (event) =>
    event["subtype"] === "permission_denied"
      ? [refused(jsonText(event["tool_use_id"]), jsonText(event["tool_name"]) ?? "a tool")]
      : readSystem(event),
  assistant: (event, moment) => {
    for (const block of jsonList(jsonObject(event["message"])?.["content"]).map(jsonObject))
      if (block?.["type"] === "tool_use") note(jsonText(block["id"]), toolDetail(block["input"]));
    return readAssistant(event, moment);
  },
  user: (event) =>
    jsonList(jsonObject(event["message"])?.["content"])
      .map(jsonObject)
      .flatMap((block) => refusedWrites(jsonText(block?.["content"]) ?? "")),
  result: (event, moment) => [
    ...jsonList(event["permission_denials"])
      .map(jsonObject)
      .map((one): AgentEvent => ({
        kind: "refused",
        what: toolDetail(one?.["tool_input"]) ?? jsonText(one?.["tool_name"]) ?? "a tool",
      })),
    ...readResult(event, moment),
  ],
});

const READ: EventTable = {
  system: readSystem,
  assistant: readAssistant,
  rate_limit_event: readRateLimit,
  result: readResult,
};

function readSystem(event: Json): readonly AgentEvent[] {
  const id = jsonText(event["session_id"]);
  if (event["subtype"] === "init" && id !== undefined) return [{ kind: "session", id }];
  if (event["subtype"] !== "api_retry") return [];
  const why = jsonText(event["error"]) ?? "unknown";
  const text = `retrying (${jsonCount(event["attempt"])} of ${jsonCount(event["max_retries"])}): ${why}`;
  const kind = troubleOfError(why) ?? troubleOfStatus(jsonCount(event["error_status"]));
  // Retries without a status got no answer at all.
  return [
    { kind: "notice", text },
    { kind: "trouble", trouble: { kind: kind ?? "offline", from: "words", said: text } },
  ];
}

function readAssistant(event: Json, moment: OutputMoment): readonly AgentEvent[] {
  const message = jsonObject(event["message"]);
  const events: AgentEvent[] = messageUsage(message);
  for (const block of jsonList(message?.["content"]).map(jsonObject)) {
    const text = jsonText(block?.["text"]);
    if (block?.["type"] === "text" && text !== undefined) events.push({ kind: "text", text });
    if (block?.["type"] === "tool_use")
      events.push({
        kind: "tool",
        name: jsonText(block["name"]) ?? "tool",
        detail: toolDetail(block["input"]),
      });
  }
  const error = jsonText(event["error"]);
  const said = events.map((found) => (found.kind === "text" ? found.text : "")).join(" ");
  const kind = error === undefined ? undefined : troubleOfError(error);
  if (kind) events.push({ kind: "trouble", trouble: agentTrouble(kind, said, moment) });
  return events;
}

/** One message stands on several lines, one for each of its parts. Words of claude's own have no tokens. */
function messageUsage(message: Json | undefined): AgentEvent[] {
  const id = jsonText(message?.["id"]);
  const usage = tokensOf(jsonObject(message?.["usage"]));
  if (id === undefined || usage.inputTokens + usage.outputTokens === 0) return [];
  return [{ kind: "message-usage", message: id, usage: { ...usage, costUsd: 0 } }];
}

/** What is read from a cache and written to one comes in too. */
const tokensOf = (usage: Json | undefined) => ({
  inputTokens:
    jsonCount(usage?.["input_tokens"]) +
    jsonCount(usage?.["cache_creation_input_tokens"]) +
    jsonCount(usage?.["cache_read_input_tokens"]),
  outputTokens: jsonCount(usage?.["output_tokens"]),
});

/** The cost and the tokens by model are those of all runs of the conversation; in older releases, of this one. */
function readUsage(event: Json): AgentEvent {
  const costUsd = jsonCount(event["total_cost_usd"]);
  const usage = { ...tokensOf(jsonObject(event["usage"])), costUsd };
  const models = Object.values(jsonObject(event["modelUsage"]) ?? {}).map(jsonObject);
  if (models.length === 0) return { kind: "usage", usage };
  const sum = (...names: readonly string[]) =>
    models.reduce((all, model) => all + names.reduce((some, name) => some + jsonCount(model?.[name]), 0), 0);
  const inputTokens = sum("inputTokens", "cacheReadInputTokens", "cacheCreationInputTokens");
  return { kind: "usage", usage, conversation: { inputTokens, outputTokens: sum("outputTokens"), costUsd } };
}

/** Only `rejected` is a limit; the others tell how near it is. */
function readRateLimit(event: Json, moment: OutputMoment): readonly AgentEvent[] {
  const info = jsonObject(event["rate_limit_info"]);
  if (info?.["status"] !== "rejected") return [];
  const untilMs = epochMs(info["resetsAt"], moment);
  const said = `usage limit (${jsonText(info["rateLimitType"]) ?? "unknown"})`;
  return [{ kind: "trouble", trouble: { kind: "limited", untilMs, from: "field", said } }];
}

/** A failed run says `"subtype":"success"` all the same, so the subtype is asked only for why it stopped. */
function readResult(event: Json, moment: OutputMoment): readonly AgentEvent[] {
  const text = jsonText(event["result"]) ?? jsonText(jsonObject(event["error"])?.["message"]);
  const outOfTurns = event["subtype"] === "error_max_turns";
  const ok = event["is_error"] !== true && !(jsonText(event["subtype"]) ?? "").startsWith("error");
  const events: AgentEvent[] = [
    readUsage(event),
    { kind: "result", ok, text, ...(outOfTurns ? { because: "turns" as const } : {}) },
  ];
  if (ok || outOfTurns) return events;
  const kind =
    troubleOfStatus(jsonCount(event["api_error_status"])) ??
    troubleOfError(jsonText(event["api_error_type"]) ?? "");
  const trouble = kind
    ? agentTrouble(kind, text ?? "", moment)
    : troubleIn(text ?? "", ALL_SIGNS, moment, "field");
  return trouble ? [...events, { kind: "trouble", trouble }] : events;
}

const ERRORS: Readonly<Record<string, TroubleKind>> = {
  rate_limit: "limited",
  rate_limit_error: "limited",
  authentication_failed: "unauthorised",
  authentication_error: "unauthorised",
  permission_error: "unauthorised",
  billing_error: "unauthorised",
  overloaded: "offline",
  overloaded_error: "offline",
  server_error: "offline",
  api_error: "offline",
  request_too_large: "context_exhausted",
};

const troubleOfError = (name: string): TroubleKind | undefined =>
  Object.hasOwn(ERRORS, name) ? ERRORS[name] : undefined;
