import type { AgentEvent } from "../../domain/index.ts";
import type { AgentPreset, LineReader } from "../agent-preset.ts";
import { joinFragments } from "../join-fragments.ts";
import {
  jsonObject,
  jsonText,
  type Json,
  jsonLine,
  toolDetail,
  sessionEvents,
  usageEvent,
} from "../json-line.ts";
import type { OutputMoment } from "../reset-time.ts";
import { ALL_SIGNS, troubleEvents } from "../signs.ts";

/** Gemini CLI, which works without questions when its input is no terminal. It resumes only by a number of its own. */
export const gemini: AgentPreset = {
  about: "Gemini CLI (`gemini`)",
  program: "gemini",
  prompt: "stdin",
  start: [
    "--output-format",
    "stream-json",
    ["--approval-mode", "auto_edit"],
    "--skip-trust",
    ["--session-id", "{session}"],
    ["--model", "{model}"],
  ],
  resume: undefined,
  sessionId: "ours",
  output: "events",
  reader,
  signs: ALL_SIGNS,
  exitCodes: { 41: "unauthorised", 53: "turns" },
  exitCodeIsTrue: true,
};

function reader(moment: () => OutputMoment): LineReader {
  const { push, flush } = joinFragments();
  return (line) => {
    const event = jsonLine(line);
    if (!event) return [];
    if (event["type"] === "message") {
      if (event["role"] !== "assistant") return [];
      const text = jsonText(event["content"]) ?? "";
      return event["delta"] === true ? push(text) : [...flush(), ...push(`${text}\n`)];
    }
    return [...flush(), ...readEvent(event, moment())];
  };
}

function readEvent(event: Json, moment: OutputMoment): readonly AgentEvent[] {
  switch (event["type"]) {
    case "init":
      return sessionEvents(event["session_id"]);
    case "tool_use":
      return [
        {
          kind: "tool",
          name: jsonText(event["tool_name"]) ?? "tool",
          detail: toolDetail(event["parameters"]),
        },
      ];
    case "error": {
      const text = jsonText(event["message"]) ?? "error";
      return [{ kind: "notice", text }, ...troubleEvents(text, moment, "words")];
    }
    case "result":
      return readResult(event, moment);
    default:
      return [];
  }
}

function readResult(event: Json, moment: OutputMoment): readonly AgentEvent[] {
  const ok = event["status"] === "success";
  const text = jsonText(jsonObject(event["error"])?.["message"]);
  return [
    usageEvent(event["stats"]),
    { kind: "result", ok, text },
    ...(ok ? [] : troubleEvents(text ?? "", moment, "field")),
  ];
}
