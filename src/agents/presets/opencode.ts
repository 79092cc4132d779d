import type { AgentEvent } from "../../domain/index.ts";
import type { AgentPreset, Argument, Terms } from "../agent-preset.ts";
import { jsonCount, jsonObject, jsonText, type Json, jsonLine, toolDetail } from "../json-line.ts";
import type { OutputMoment } from "../reset-time.ts";
import { refusedWrites } from "../refusals.ts";
import { ALL_SIGNS, troubleIn, agentTrouble, troubleOfStatus } from "../signs.ts";

const OPTIONS: readonly Argument[] = [
  "run",
  "--format",
  "json",
  // At a limit or an overloaded server it waits without a word, for hours; its log says why.
  "--print-logs",
  ["--log-level", "ERROR"],
  ["--dir", "{worktree}"],
  ["--model", "{model}"],
];

/** opencode takes its message from stdin when there is none on the command line. */
export const opencode: AgentPreset = {
  about: "opencode (`opencode run`)",
  program: "opencode",
  prompt: "stdin",
  start: OPTIONS,
  resume: [...OPTIONS, ["--session", "{session}"]],
  sessionId: "theirs",
  permissions: {
    edits: ({ commands }) =>
      granted({
        bash: {
          "*": "deny",
          ...Object.fromEntries(["pawl", ...commands].flatMap(commandRules)),
        },
        external_directory: "deny",
      }),
    sandboxed: () => granted({ bash: "allow", external_directory: "allow" }),
    full: () => granted({ bash: "allow", external_directory: "allow" }),
  },
  sandbox: "pawl",
  hasCommandList: true,
  ownFolders: [
    "~/.local/share/opencode",
    "~/.local/state/opencode",
    "~/.config/opencode",
    "~/.cache/opencode",
  ],
  output: "events",
  reader: (moment) => {
    let known: string | undefined;
    return (line) => {
      const event = jsonLine(line);
      if (!event) return [];
      const id = jsonText(event["sessionID"]);
      const first: readonly AgentEvent[] = id === undefined || id === known ? [] : [{ kind: "session", id }];
      known = id ?? known;
      return [...first, ...readEvent(event, moment())];
    };
  },
  signs: ALL_SIGNS,
  exitCodes: {},
  exitCodeIsTrue: true,
};

/** A question would be answered by "no", because no one can answer; so everything is allowed or denied. */
const granted = (rules: Json): Terms => ({
  env: { OPENCODE_PERMISSION: JSON.stringify({ edit: "allow", webfetch: "allow", ...rules }) },
});

const commandRules = (command: string): readonly (readonly [string, string])[] =>
  command.endsWith("*")
    ? [[command, "allow"]]
    : [
        [command, "allow"],
        [`${command} *`, "allow"],
      ];

const REFUSED = /a rule which prevents you from using|rejected permission|auto-reject/i;

function readEvent(event: Json, moment: OutputMoment): readonly AgentEvent[] {
  const part = jsonObject(event["part"]);
  switch (event["type"]) {
    case "text": {
      const text = jsonText(part?.["text"]);
      return text === undefined ? [] : [{ kind: "text", text }];
    }
    case "tool_use": {
      const state = jsonObject(part?.["state"]);
      const name = jsonText(part?.["tool"]) ?? "tool";
      const detail = toolDetail(state?.["input"]);
      if (REFUSED.test(jsonText(state?.["error"]) ?? "")) return [{ kind: "refused", what: detail ?? name }];
      return [{ kind: "tool", name, detail }, ...refusedWrites(jsonText(state?.["output"]) ?? "")];
    }
    case "step_finish": {
      const tokens = jsonObject(part?.["tokens"]);
      const cache = jsonObject(tokens?.["cache"]);
      const usage = {
        inputTokens: jsonCount(tokens?.["input"]) + jsonCount(cache?.["read"]) + jsonCount(cache?.["write"]),
        outputTokens: jsonCount(tokens?.["output"]) + jsonCount(tokens?.["reasoning"]),
        costUsd: jsonCount(part?.["cost"]),
      };
      return [{ kind: "usage", usage }];
    }
    case "error":
      return readError(jsonObject(event["error"]), moment);
    default:
      return [];
  }
}

function readError(error: Json | undefined, moment: OutputMoment): readonly AgentEvent[] {
  const data = jsonObject(error?.["data"]);
  const name = jsonText(error?.["name"]) ?? "error";
  const text = `${name}: ${jsonText(data?.["message"]) ?? "no message"}`;
  const kind = troubleOfStatus(jsonCount(data?.["statusCode"]));
  const wait = jsonText(jsonObject(data?.["responseHeaders"])?.["retry-after"]);
  const told = wait === undefined ? text : `${text} (retry-after: ${wait})`;
  const trouble = kind ? agentTrouble(kind, told, moment) : troubleIn(told, ALL_SIGNS, moment, "field");
  return [
    { kind: "notice", text },
    { kind: "result", ok: false, text: undefined },
    ...(trouble ? [{ kind: "trouble" as const, trouble }] : []),
  ];
}
