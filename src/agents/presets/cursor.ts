import type { AgentPreset, Argument } from "../agent-preset.ts";
import { type EventTable, type Json, jsonObject, jsonText, toolDetail } from "../json-line.ts";
import { ALL_SIGNS } from "../signs.ts";
import { readClaudeEvents } from "./claude.ts";

const OPTIONS: readonly Argument[] = [
  "-p",
  "--output-format",
  "stream-json",
  "--force",
  ["--model", "{model}"],
];

/** Cursor's agent. Its events are like Claude Code's, but for those of its tools. */
export const cursor: AgentPreset = {
  about: "Cursor CLI (`cursor-agent -p`)",
  program: "cursor-agent",
  prompt: "stdin",
  start: OPTIONS,
  resume: [...OPTIONS, ["--resume", "{session}"]],
  sessionId: "theirs",
  permissions: { edits: () => ({}), sandboxed: () => ({}), full: () => ({}) },
  sandbox: "pawl",
  hasCommandList: false,
  ownFolders: ["~/.cursor", "~/.config/cursor", "~/.local/share/cursor-agent"],
  output: "events",
  reader: (moment) => readClaudeEvents(moment, TOOLS),
  signs: ALL_SIGNS,
  exitCodes: {},
  exitCodeIsTrue: true,
  isUntried: true,
};

/** Each tool has a field of its own: `shellToolCall`, `writeToolCall`. */
const TOOLS: EventTable = {
  tool_call(event: Json) {
    if (event["subtype"] !== "started") return [];
    const [[name, call] = ["tool", undefined]] = Object.entries(jsonObject(event["tool_call"]) ?? {});
    const detail = toolDetail(jsonObject(call)?.["args"]);
    return [{ kind: "tool", name: jsonText(name.replace(/ToolCall$/, "")) ?? "tool", detail }];
  },
};
