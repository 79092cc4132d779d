import { jsonLine, jsonList, jsonObject, jsonText, type Json, toolDetail } from "./json-line.ts";

/**
 * What an agent said and did, one thing each, for people who read along.
 *
 * A call and its result are two events with the same `id`, because the output has them apart. Texts are as the agent wrote
 * them: the caller that shows them makes them safe first.
 */
export type TranscriptEvent =
  | { readonly kind: "text"; readonly text: string }
  /** Lines that are no part of its answer: plain output, warnings, what goes to stderr. */
  | { readonly kind: "notice"; readonly text: string }
  | {
      readonly kind: "call";
      readonly id: string | null;
      readonly tool: string;
      /** The command, the pattern or the path: what a line has room for. */
      readonly detail: string | null;
      readonly path: string | null;
      /** What an edit replaces, and by what. */
      readonly edits: readonly TranscriptEdit[];
      /** All of its input, where that says more. */
      readonly input: string | null;
      readonly at: string | null;
    }
  | {
      readonly kind: "result";
      readonly id: string | null;
      readonly ok: boolean;
      readonly text: string;
      readonly at: string | null;
    }
  | { readonly kind: "refused"; readonly what: string }
  | { readonly kind: "end"; readonly ok: boolean; readonly text: string | null };

export interface TranscriptEdit {
  readonly before: string;
  readonly after: string;
}

/** Longer texts are data; the log has all of them. */
const LONGEST = 20_000;

const cut = (text: string): string =>
  text.length > LONGEST ? `${text.slice(0, LONGEST)}\n… ${text.length - LONGEST} more characters` : text;

/** One line of an agent's output as events; undefined for a line that no agent known here prints. */
export function transcriptLine(line: string): readonly TranscriptEvent[] | undefined {
  const event = jsonLine(line);
  const read = event && READ[jsonText(event["type"]) ?? ""];
  return read?.(event!);
}

type Read = (event: Json) => readonly TranscriptEvent[];

/** By the `type` that lines carry. Where two agents use the same one, the fields tell them apart. */
const READ: Readonly<Record<string, Read>> = {
  // claude
  assistant: (event) => blocksOf(event).flatMap((block) => fromBlock(block, event)),
  user: (event) =>
    blocksOf(event).flatMap((block) =>
      block["type"] === "tool_result"
        ? [result(block["tool_use_id"], block["is_error"] !== true, contentText(block["content"]), event)]
        : [],
    ),
  system: (event) =>
    event["subtype"] === "api_retry"
      ? [{ kind: "notice", text: `retrying: ${jsonText(event["error"]) ?? "unknown"}` }]
      : [],
  rate_limit_event: () => [],
  // codex
  "thread.started": () => [],
  "turn.started": () => [],
  "turn.completed": () => [{ kind: "end", ok: true, text: null }],
  "turn.failed": (event) => [
    { kind: "end", ok: false, text: jsonText(jsonObject(event["error"])?.["message"]) ?? null },
  ],
  "item.started": (event) => fromItem(jsonObject(event["item"]) ?? {}, false),
  "item.updated": () => [],
  "item.completed": (event) => fromItem(jsonObject(event["item"]) ?? {}, true),
  // gemini
  init: () => [],
  message: (event) => (event["role"] === "assistant" ? textOf(event["content"]) : []),
  tool_result: (event) => [
    result(
      event["tool_id"],
      event["status"] !== "error",
      jsonText(event["output"]) ?? jsonText(jsonObject(event["error"])?.["message"]) ?? "",
      event,
    ),
  ],
  // gemini, and opencode in a part
  tool_use: (event) => fromToolUse(event),
  text: (event) => textOf(jsonObject(event["part"])?.["text"]),
  step_start: () => [],
  step_finish: () => [],
  // all of them
  error: (event) => [{ kind: "notice", text: errorText(event) }],
  result: (event) => {
    const ok = event["is_error"] !== true && event["status"] !== "error";
    return [
      ...jsonList(event["permission_denials"])
        .map(jsonObject)
        .map((one): TranscriptEvent => ({
          kind: "refused",
          what: toolDetail(one?.["tool_input"]) ?? jsonText(one?.["tool_name"]) ?? "a tool",
        })),
      {
        kind: "end",
        ok,
        text: ok
          ? null
          : (jsonText(event["result"]) ?? jsonText(jsonObject(event["error"])?.["message"]) ?? null),
      },
    ];
  },
};

const blocksOf = (event: Json): readonly Json[] =>
  jsonList(jsonObject(event["message"])?.["content"]).map((block) => jsonObject(block) ?? {});

function fromBlock(block: Json, event: Json): readonly TranscriptEvent[] {
  if (block["type"] === "text") return textOf(block["text"]);
  if (block["type"] !== "tool_use") return [];
  return [call(block["id"], block["name"], block["input"], event)];
}

const textOf = (value: unknown): readonly TranscriptEvent[] => {
  const text = jsonText(value);
  return text === undefined ? [] : [{ kind: "text", text: cut(text) }];
};

const contentText = (content: unknown): string =>
  jsonText(content) ??
  jsonList(content)
    .map((part) => jsonText(jsonObject(part)?.["text"]) ?? "")
    .join("\n");

const result = (id: unknown, ok: boolean, text: string, event: Json): TranscriptEvent => ({
  kind: "result",
  id: jsonText(id) ?? null,
  ok,
  text: cut(text),
  at: jsonText(event["timestamp"]) ?? null,
});

function call(id: unknown, tool: unknown, input: unknown, event: Json): TranscriptEvent {
  const fields = jsonObject(input) ?? {};
  const path =
    jsonText(fields["file_path"]) ?? jsonText(fields["filePath"]) ?? jsonText(fields["path"]) ?? null;
  const detail = toolDetail(input) ?? null;
  const edits = editsOf(fields);
  return {
    kind: "call",
    id: jsonText(id) ?? null,
    tool: jsonText(tool) ?? "tool",
    detail,
    path,
    edits,
    input: edits.length > 0 || Object.keys(fields).length === 0 ? null : inputText(fields, detail),
    at: jsonText(event["timestamp"]) ?? null,
  };
}

/** What an edit replaces, under the names that agents give it; a whole file that is written replaces nothing. */
function editsOf(fields: Json): readonly TranscriptEdit[] {
  const one = (from: Json): readonly TranscriptEdit[] => {
    const before = jsonText(from["old_string"]) ?? jsonText(from["oldString"]) ?? "";
    const after =
      jsonText(from["new_string"]) ?? jsonText(from["newString"]) ?? jsonText(from["content"]) ?? "";
    return before === "" && after === "" ? [] : [{ before: cut(before), after: cut(after) }];
  };
  const many = jsonList(fields["edits"]).flatMap((edit) => one(jsonObject(edit) ?? {}));
  return many.length > 0 ? many : one(fields);
}

const inputText = (fields: Json, detail: string | null): string | null => {
  const values = Object.values(fields);
  if (values.length === 1 && values[0] === detail) return null;
  return cut(
    Object.entries(fields)
      .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
      .join("\n"),
  );
};

/** Codex tells commands at their start and end, everything else once. */
function fromItem(item: Json, isOver: boolean): readonly TranscriptEvent[] {
  const id = item["id"];
  switch (item["type"]) {
    case "agent_message":
      return isOver ? textOf(item["text"]) : [];
    case "reasoning":
      return [];
    case "error":
      return isOver ? [{ kind: "notice", text: cut(jsonText(item["message"]) ?? "error") }] : [];
    case "command_execution": {
      if (!isOver) return [call(id, "command", { command: item["command"] }, item)];
      const code = item["exit_code"];
      const ok = code === 0 || (code == null && item["status"] !== "failed");
      return [result(id, ok, jsonText(item["aggregated_output"]) ?? "", item)];
    }
    case "file_change":
      return isOver ? changesOf(item) : [];
    case "mcp_tool_call":
      return isOver
        ? [
            result(
              id,
              item["status"] !== "failed",
              contentText(jsonObject(item["result"])?.["content"]),
              item,
            ),
          ]
        : [call(id, item["tool"], item["arguments"], item)];
    case "web_search":
      return isOver ? [call(id, "search", { query: item["query"] }, item)] : [];
    default:
      return [];
  }
}

const changesOf = (item: Json): readonly TranscriptEvent[] =>
  jsonList(item["changes"]).flatMap((change) => {
    const path = jsonText(jsonObject(change)?.["path"]);
    return path === undefined ? [] : [call(undefined, "edit", { path }, item)];
  });

function fromToolUse(event: Json): readonly TranscriptEvent[] {
  const part = jsonObject(event["part"]);
  if (!part) return [call(event["tool_id"], event["tool_name"], event["parameters"], event)];
  const state = jsonObject(part["state"]) ?? {};
  const id = jsonText(part["callID"]) ?? jsonText(part["id"]);
  const output = jsonText(state["output"]) ?? jsonText(state["error"]);
  return [
    call(id, part["tool"], state["input"], event),
    ...(output === undefined ? [] : [result(id, state["status"] !== "error", output, event)]),
  ];
}

const errorText = (event: Json): string => {
  const error = jsonObject(event["error"]);
  return cut(
    jsonText(event["message"]) ??
      jsonText(jsonObject(error?.["data"])?.["message"]) ??
      jsonText(error?.["name"]) ??
      "error",
  );
};
