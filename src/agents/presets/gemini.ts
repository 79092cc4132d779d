import type { AgentEvent } from "../../domain/index.ts";
import { type AgentPreset, type Argument, type LineReader, PERMISSIONS } from "../agent-preset.ts";
import { joinFragments } from "../join-fragments.ts";
import {
  jsonObject,
  jsonText,
  type Json,
  jsonLine,
  toolDetail,
  sessionEvents,
  usageOf,
} from "../json-line.ts";
import { refusedWrites, toolCalls } from "../refusals.ts";
import type { OutputMoment } from "../reset-time.ts";
import { ALL_SIGNS, troubleEvents } from "../signs.ts";

const OPTIONS: readonly Argument[] = ["--output-format", "stream-json", PERMISSIONS, "--skip-trust"];
const MODEL: Argument = ["--model", "{model}"];

/** Gemini CLI, which works without questions when its input is no terminal. */
export const gemini: AgentPreset = {
  about: "Gemini CLI (`gemini`)",
  program: "gemini",
  prompt: "stdin",
  start: [...OPTIONS, ["--session-id", "{session}"], MODEL],
  resume: [...OPTIONS, ["--resume", "{session}"], MODEL],
  sessionId: "ours",
  permissions: {
    edits: ({ commands }) => ({
      args: [["--approval-mode", "auto_edit"]],
      file: { option: "--policy", name: "policy.toml", text: policy(["pawl", ...commands]) },
    }),
    sandboxed: () => ({ args: [["--approval-mode", "yolo"]] }),
    full: () => ({ args: [["--approval-mode", "yolo"]] }),
  },
  sandbox: "pawl",
  hasCommandList: true,
  ownFolders: ["~/.gemini", "~/.cache/gemini-cli"],
  output: "events",
  reader,
  signs: ALL_SIGNS,
  exitCodes: { 41: "unauthorised", 53: "turns" },
  exitCodeIsTrue: true,
};

/** Without a terminal it refuses every command that no rule allows. */
const policy = (commands: readonly string[]): string =>
  commands
    .map((command) =>
      [
        "[[rule]]",
        'toolName = "run_shell_command"',
        `commandPrefix = ${JSON.stringify(command.replace(/(?<!\s)\s*\*$/, ""))}`,
        'decision = "allow"',
        "priority = 900",
        "",
      ].join("\n"),
    )
    .join("\n");

function reader(moment: () => OutputMoment): LineReader {
  const { push, flush } = joinFragments();
  const calls = toolCalls();
  return (line) => {
    const event = jsonLine(line);
    if (!event) return [];
    if (event["type"] === "message") {
      if (event["role"] !== "assistant") return [];
      const text = jsonText(event["content"]) ?? "";
      return event["delta"] === true ? push(text) : [...flush(), ...push(`${text}\n`)];
    }
    if (event["type"] === "tool_use") calls.note(jsonText(event["tool_id"]), toolDetail(event["parameters"]));
    if (event["type"] === "tool_result") return readToolResult(event, calls);
    return [...flush(), ...readEvent(event, moment())];
  };
}

function readToolResult(event: Json, { refused }: ReturnType<typeof toolCalls>): readonly AgentEvent[] {
  const isRefused = jsonObject(event["error"])?.["type"] === "policy_violation";
  return isRefused
    ? [refused(jsonText(event["tool_id"]), "a tool")]
    : refusedWrites(jsonText(event["output"]) ?? "");
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
    { kind: "usage", usage: usageOf(event["stats"]) },
    { kind: "result", ok, text },
    ...(ok ? [] : troubleEvents(text ?? "", moment, "field")),
  ];
}
