import type { AgentEvent } from "../../domain/index.ts";
import type { AgentPreset, Argument } from "../agent-preset.ts";
import { USER_ARGUMENTS } from "../argv-of.ts";
import {
  jsonList,
  jsonObject,
  jsonText,
  byType,
  type EventTable,
  type Json,
  sessionEvents,
  usageEvent,
} from "../json-line.ts";
import { ALL_SIGNS, troubleEvents } from "../signs.ts";

const OPTIONS: readonly Argument[] = [
  "exec",
  "--json",
  "--skip-git-repo-check",
  ["--sandbox", "workspace-write"],
  ["--add-dir", "{state_dir}"],
  // A login shell reads the system's profile, which sets PATH anew: the `pawl` that Pawl put there would be lost.
  ["-c", "allow_login_shell=false"],
  ["--model", "{model}"],
  USER_ARGUMENTS,
];

/** Codex in its sandbox. The state's folder is added, because the sandbox keeps everything under `.git` read-only. */
export const codex: AgentPreset = {
  about: "Codex (`codex exec`)",
  program: "codex",
  prompt: "stdin",
  start: [...OPTIONS, "-"],
  // The options stand before the word `resume`, which does not take all of them.
  resume: [...OPTIONS, "resume", ["{session}"], "-"],
  sessionId: "theirs",
  output: "events",
  reader: (moment) => byType(READ, moment),
  signs: ALL_SIGNS,
  exitCodes: {},
  exitCodeIsTrue: true,
};

const READ: EventTable = {
  "thread.started": (event) => sessionEvents(event["thread_id"]),
  "item.started": (event) => readItem(jsonObject(event["item"]), "started"),
  "item.completed": (event) => readItem(jsonObject(event["item"]), "completed"),
  "turn.completed": (event) => [usageEvent(event["usage"]), { kind: "result", ok: true, text: undefined }],
  "turn.failed": (event, moment) => {
    const text = jsonText(jsonObject(event["error"])?.["message"]);
    return [{ kind: "result", ok: false, text }, ...troubleEvents(text, moment, "field")];
  },
  // Also written for what it tries again, so it is no last word.
  error: (event, moment) => {
    const text = jsonText(event["message"]);
    return text === undefined ? [] : [{ kind: "notice", text }, ...troubleEvents(text, moment, "words")];
  },
};

function readItem(item: Json | undefined, when: "started" | "completed"): readonly AgentEvent[] {
  const type = jsonText(item?.["type"]);
  if (!item || type === undefined) return [];
  if (type === "agent_message" || type === "error") {
    const text = jsonText(item["text"]) ?? jsonText(item["message"]);
    if (when === "started" || text === undefined) return [];
    return [{ kind: type === "error" ? "notice" : "text", text }];
  }
  const detail = DETAIL[type]?.(item);
  // Commands are told at their start, since they take long; changes once they are made.
  return detail && when === detail.when ? [{ kind: "tool", name: detail.name, detail: detail.text }] : [];
}

interface Detail {
  readonly name: string;
  readonly text: string | undefined;
  readonly when: "started" | "completed";
}

const DETAIL: Readonly<Record<string, (item: Json) => Detail>> = {
  command_execution: (item) => ({ name: "command", text: jsonText(item["command"]), when: "started" }),
  file_change: (item) => ({
    name: "edit",
    text: jsonList(item["changes"])
      .map((change) => jsonText(jsonObject(change)?.["path"]))
      .filter((path) => path !== undefined)
      .join(", "),
    when: "completed",
  }),
  mcp_tool_call: (item) => ({
    name: jsonText(item["tool"]) ?? "tool",
    text: jsonText(item["server"]),
    when: "started",
  }),
  web_search: (item) => ({ name: "search", text: jsonText(item["query"]), when: "completed" }),
};
