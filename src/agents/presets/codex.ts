import { type AgentEvent, NO_USAGE } from "../../domain/index.ts";
import { type AgentPreset, type Argument, type Grant, PERMISSIONS, USER_ARGUMENTS } from "../agent-preset.ts";
import {
  jsonList,
  jsonObject,
  jsonText,
  byType,
  type EventTable,
  type Json,
  sessionEvents,
  usageOf,
} from "../json-line.ts";
import { refusedWrites } from "../refusals.ts";
import { ALL_SIGNS, troubleEvents } from "../signs.ts";

const OPTIONS: readonly Argument[] = [
  "exec",
  "--json",
  "--skip-git-repo-check",
  PERMISSIONS,
  // A login shell reads the system's profile, which sets PATH anew: the `pawl` that Pawl put there would be lost.
  ["-c", "allow_login_shell=false"],
  ["--model", "{model}"],
  USER_ARGUMENTS,
];

/** The state's folder is added, because the sandbox keeps everything under `.git` read-only. */
const inSandbox = ({ writable }: Grant) => ({
  args: [["--sandbox", "workspace-write"], ...writable.map((folder) => ({ list: ["--add-dir", folder] }))],
});

/** Codex. It has a sandbox of its own and no list of commands: in it, every command may run. */
export const codex: AgentPreset = {
  about: "Codex (`codex exec`)",
  program: "codex",
  prompt: "stdin",
  start: [...OPTIONS, "-"],
  // The options stand before the word `resume`, which does not take all of them.
  resume: [...OPTIONS, "resume", ["{session}"], "-"],
  sessionId: "theirs",
  permissions: {
    edits: inSandbox,
    sandboxed: inSandbox,
    full: () => ({ args: [["--sandbox", "danger-full-access"]] }),
  },
  sandbox: "bundled",
  hasCommandList: false,
  ownFolders: ["~/.codex"],
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
  // The tokens are those of all runs of the thread.
  "turn.completed": (event) => [
    { kind: "usage", usage: NO_USAGE, conversation: usageOf(event["usage"]) },
    { kind: "result", ok: true, text: undefined },
  ],
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
  if (when === "completed" && type === "command_execution")
    return refusedWrites(jsonText(item["aggregated_output"]) ?? "");
  const detail = DETAIL[type]?.(item);
  // Commands are reported at their start, since they take long; changes once they are made.
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
