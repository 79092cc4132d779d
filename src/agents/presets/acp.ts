import { ACP_MARK, type AgentEvent } from "../../domain/index.ts";
import { type AgentPreset, type Argument, PERMISSIONS, PROGRAM, USER_ARGUMENTS } from "../agent-preset.ts";
import { joinFragments } from "../join-fragments.ts";
import {
  byType,
  type EventTable,
  type Json,
  jsonCount,
  jsonList,
  jsonObject,
  jsonText,
  sessionEvents,
  toolDetail,
  usageOf,
} from "../json-line.ts";
import { refusedWrites } from "../refusals.ts";
import type { OutputMoment } from "../reset-time.ts";
import { agentTrouble, ALL_SIGNS, troubleEvents, troubleOfStatus } from "../signs.ts";

const BY_RUN = { [ACP_MARK]: "1" } as const;

const speaking = (conversation: readonly Argument[]): readonly Argument[] => [
  "pawl",
  "acp",
  PERMISSIONS,
  ...conversation,
  "--",
  PROGRAM,
  USER_ARGUMENTS,
];

/** Any agent that speaks the Agent Client Protocol. `pawl acp` is its client: it asks, and answers for the person. */
export const acp: AgentPreset = {
  about: "Any agent that speaks the Agent Client Protocol, such as `gemini --acp`",
  program: undefined,
  prompt: "stdin",
  start: speaking([]),
  resume: speaking([["--session", "{session}"]]),
  sessionId: "theirs",
  permissions: {
    edits: ({ commands }) => ({
      env: BY_RUN,
      args: ["--ask", ...commands.map((command) => ({ list: ["--allow", command] }))],
    }),
    sandboxed: () => ({ env: BY_RUN }),
    full: () => ({ env: BY_RUN }),
  },
  sandbox: "pawl",
  // It need not ask before it runs a command.
  hasCommandList: false,
  ownFolders: [],
  output: "events",
  reader: (moment) => byType(readUpdates(), moment),
  signs: ALL_SIGNS,
  exitCodes: {},
  exitCodeIsTrue: true,
};

/** What `pawl acp` prints: what the agent reported, and how its turn ended. */
function readUpdates(): EventTable {
  const { push, flush } = joinFragments();
  const seen = new Set<string>();
  return {
    session: (event) => sessionEvents(event["id"]),
    refused: (event) => [{ kind: "refused", what: jsonText(event["what"]) ?? "a tool" }],
    update: (event) =>
      event["sessionUpdate"] === "agent_message_chunk"
        ? push(jsonText(jsonObject(event["content"])?.["text"]) ?? "")
        : [...flush(), ...readUpdate(event, seen)],
    result: (event) => [...flush(), ...readUsage(event), readStop(jsonText(event["stopReason"]))],
    failed: (event, moment) => [...flush(), ...readFailure(event, moment)],
  };
}

/** A call is reported once; some agents report it only when it is over. */
function readUpdate(event: Json, seen: Set<string>): readonly AgentEvent[] {
  const id = jsonText(event["toolCallId"]);
  if (id === undefined) return [];
  const isNew = !seen.has(id);
  seen.add(id);
  const detail = toolDetail(event["rawInput"]) ?? jsonText(event["title"]);
  const output = jsonList(event["content"]).map(
    (block) => jsonText(jsonObject(jsonObject(block)?.["content"])?.["text"]) ?? "",
  );
  return [
    ...(isNew ? [{ kind: "tool" as const, name: jsonText(event["kind"]) ?? "tool", detail }] : []),
    ...output.flatMap(refusedWrites),
  ];
}

const readStop = (reason: string | undefined): AgentEvent => ({
  kind: "result",
  ok: reason === "end_turn",
  text: undefined,
  ...(reason === "max_turn_requests" ? { because: "turns" as const } : {}),
});

/** Not every agent reports tokens. */
function readUsage(event: Json): readonly AgentEvent[] {
  const usage = jsonObject(event["usage"]);
  const quota = jsonObject(jsonObject(event["_meta"])?.["quota"])?.["token_count"];
  if (usage === undefined) return quota === undefined ? [] : [{ kind: "usage", usage: usageOf(quota) }];
  const inputTokens =
    jsonCount(usage["inputTokens"]) +
    jsonCount(usage["cachedReadTokens"]) +
    jsonCount(usage["cachedWriteTokens"]);
  return [
    { kind: "usage", usage: { inputTokens, outputTokens: jsonCount(usage["outputTokens"]), costUsd: 0 } },
  ];
}

/** The code of an error is sometimes the status that the model's server answered with. */
function readFailure(event: Json, moment: OutputMoment): readonly AgentEvent[] {
  const data = jsonObject(event["data"]);
  const said = [event["message"], event["data"], data?.["details"], data?.["message"]].flatMap(
    (one) => jsonText(one) ?? [],
  );
  const text = [...new Set(said)].join(": ") || `${jsonText(event["method"]) ?? "it"} failed`;
  const kind = troubleOfStatus(jsonCount(event["status"]) || jsonCount(event["code"]));
  return [
    { kind: "notice", text },
    { kind: "result", ok: false, text: undefined },
    ...(kind
      ? [{ kind: "trouble" as const, trouble: agentTrouble(kind, text, moment) }]
      : troubleEvents(text, moment, "field")),
  ];
}
