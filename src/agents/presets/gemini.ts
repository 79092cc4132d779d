import type { AgentEvent } from "../../domain/agent-event.ts";
import type { AgentPreset, LineReader } from "../agent-preset.ts";
import { joinFragments } from "../join-fragments.ts";
import { asCount, asObject, asText, type Json, jsonLine, toolDetail } from "../json-line.ts";
import type { OutputMoment } from "../reset-time.ts";
import { ALL_SIGNS, troubleIn } from "../signs.ts";

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
      const text = asText(event["content"]) ?? "";
      return event["delta"] === true ? push(text) : [...flush(), ...push(`${text}\n`)];
    }
    return [...flush(), ...readEvent(event, moment())];
  };
}

function readEvent(event: Json, moment: OutputMoment): readonly AgentEvent[] {
  switch (event["type"]) {
    case "init": {
      const id = asText(event["session_id"]);
      return id === undefined ? [] : [{ kind: "session", id }];
    }
    case "tool_use":
      return [
        {
          kind: "tool",
          name: asText(event["tool_name"]) ?? "tool",
          detail: toolDetail(event["parameters"]),
        },
      ];
    case "error": {
      const text = asText(event["message"]) ?? "error";
      return [{ kind: "notice", text }, ...trouble(text, moment, "words")];
    }
    case "result":
      return readResult(event, moment);
    default:
      return [];
  }
}

function readResult(event: Json, moment: OutputMoment): readonly AgentEvent[] {
  const stats = asObject(event["stats"]);
  const ok = event["status"] === "success";
  const text = asText(asObject(event["error"])?.["message"]);
  return [
    {
      kind: "usage",
      usage: {
        inputTokens: asCount(stats?.["input_tokens"]),
        outputTokens: asCount(stats?.["output_tokens"]),
        costUsd: 0,
      },
    },
    { kind: "result", ok, text },
    ...(ok ? [] : trouble(text ?? "", moment, "field")),
  ];
}

function trouble(text: string, moment: OutputMoment, from: "field" | "words"): readonly AgentEvent[] {
  const found = troubleIn(text, ALL_SIGNS, moment, from);
  return found ? [{ kind: "trouble", trouble: found }] : [];
}
