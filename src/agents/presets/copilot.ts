import type { AgentEvent } from "../../domain/index.ts";
import { type AgentPreset, type Argument, PERMISSIONS } from "../agent-preset.ts";
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
} from "../json-line.ts";
import { refusedWrites, toolCalls } from "../refusals.ts";
import type { OutputMoment } from "../reset-time.ts";
import { agentTrouble, ALL_SIGNS, troubleEvents, troubleOfStatus } from "../signs.ts";

/** The same option begins a conversation and continues it. */
const OPTIONS: readonly Argument[] = [
  "--output-format",
  "json",
  PERMISSIONS,
  ["--session-id", "{session}"],
  ["--model", "{model}"],
];

/** GitHub Copilot CLI. Without a terminal it refuses what its list does not allow. */
export const copilot: AgentPreset = {
  about: "GitHub Copilot CLI (`copilot`)",
  program: "copilot",
  prompt: "stdin",
  start: OPTIONS,
  resume: OPTIONS,
  sessionId: "ours",
  permissions: {
    edits: ({ commands }) => ({
      args: ["write", ...["pawl", ...commands].map(shellRule)].map((rule) => ({
        list: ["--allow-tool", rule],
      })),
    }),
    sandboxed: () => ({ args: ["--allow-all"] }),
    full: () => ({ args: ["--allow-all"] }),
  },
  sandbox: "pawl",
  hasCommandList: true,
  ownFolders: ["~/.copilot", "~/.cache/copilot"],
  output: "events",
  reader: (moment) => byType(readEvents(), moment),
  signs: ALL_SIGNS,
  exitCodes: {},
  exitCodeIsTrue: true,
};

const shellRule = (command: string): string => `shell(${command.replace(/(?<!\s)\s*\*$/, "")}:*)`;

const dataOf = (event: Json): Json => jsonObject(event["data"]) ?? {};

function readEvents(): EventTable {
  const { note, refused } = toolCalls();
  return {
    "assistant.message": (event) => {
      const data = dataOf(event);
      const text = jsonText(data["content"]);
      const tokens = jsonCount(data["outputTokens"]);
      return [
        ...(tokens === 0
          ? []
          : [{ kind: "usage" as const, usage: { inputTokens: 0, outputTokens: tokens, costUsd: 0 } }]),
        ...(text === undefined ? [] : [{ kind: "text" as const, text }]),
        ...jsonList(data["toolRequests"]).flatMap((one) => readCall(jsonObject(one), note)),
      ];
    },
    "tool.execution_complete": (event) => {
      const data = dataOf(event);
      if (jsonObject(data["error"])?.["code"] === "denied")
        return [refused(jsonText(data["toolCallId"]), "a tool")];
      return refusedWrites(jsonText(jsonObject(data["result"])?.["content"]) ?? "");
    },
    "session.error": (event, moment) => readError(dataOf(event), moment),
    result: (event) => [
      ...sessionEvents(event["sessionId"]),
      { kind: "result", ok: event["exitCode"] === 0, text: undefined },
    ],
  };
}

function readCall(call: Json | undefined, note: ReturnType<typeof toolCalls>["note"]): readonly AgentEvent[] {
  const detail = toolDetail(call?.["arguments"]);
  note(jsonText(call?.["toolCallId"]), detail);
  return [{ kind: "tool", name: jsonText(call?.["name"]) ?? "tool", detail }];
}

function readError(data: Json, moment: OutputMoment): readonly AgentEvent[] {
  const text = jsonText(data["message"]) ?? "error";
  const kind = troubleOfStatus(jsonCount(data["statusCode"]));
  return [
    { kind: "notice", text },
    ...(kind
      ? [{ kind: "trouble" as const, trouble: agentTrouble(kind, text, moment) }]
      : troubleEvents(text, moment, "field")),
  ];
}
