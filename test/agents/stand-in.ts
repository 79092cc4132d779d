import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the stand-in answers to one request of an agent. */
export type Turn =
  | { readonly say: string }
  /** Makes the agent run a command. */
  | { readonly run: string }
  /** Makes the agent write a file with its own tool; with a command where it has none. */
  | { readonly write: string; readonly text: string }
  /** Makes the agent use the tool whose name ends so. Requests that do not offer it take no turn. */
  | { readonly use: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly refuse: Refusal }
  /** Takes the request and never answers. */
  | { readonly hang: true };

export type Refusal = "limit" | "key" | "context" | "overload";

export interface StandIn {
  readonly url: string;
  /** What is answered from now on, in order; the last one again and again. */
  readonly answer: (...turns: readonly Turn[]) => void;
  /** Requests for an answer so far. */
  readonly asked: () => number;
  /** Whether any request for an answer had this text in it. */
  readonly wasSent: (text: string) => boolean;
  readonly close: () => Promise<void>;
}

/** A model's API on loopback, in the dialects that the released agents speak. It knows no model. */
export async function standIn(): Promise<StandIn> {
  let turns: Turn[] = [{ say: "Hello." }];
  let asked = 0;
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const dialect = DIALECTS.find(({ path }) => request.url!.includes(path));
      if (request.method !== "POST" || dialect === undefined) return send(response, 200, {});
      // Small questions on the side, such as for a title or a count of tokens, take no turn.
      if (request.url!.includes("count_tokens")) return send(response, 200, { input_tokens: 1 });
      asked += 1;
      const asking = JSON.parse(body) as Request;
      if (dialect.isAside(asking)) return dialect.send(response, dialect.events({ say: "Noted." }, asking));
      bodies.push(body);
      const [next] = turns as [Turn, ...Turn[]];
      if ("use" in next && toolNamed(asking, next.use) === undefined)
        return dialect.send(response, dialect.events({ say: "Noted." }, asking));
      const turn = turns.length > 1 ? turns.shift()! : next;
      if ("hang" in turn) return undefined;
      if ("refuse" in turn) return dialect.refuse(response, turn.refuse);
      return dialect.send(response, dialect.events("write" in turn ? writing(turn, asking) : turn, asking));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: (...next) => {
      turns = [...next];
      asked = 0;
    },
    asked: () => asked,
    wasSent: (text) => bodies.some((body) => body.includes(text)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Tool {
  readonly name?: string;
  readonly type?: string;
  readonly function?: { readonly name: string };
  readonly functionDeclarations?: readonly { readonly name: string }[];
}

interface Request {
  readonly tools?: readonly Tool[];
}

type Event = Readonly<Record<string, unknown>>;
type Speech = Exclude<
  Turn,
  { readonly refuse: unknown } | { readonly hang: unknown } | { readonly write: unknown }
>;

/** What agents call their tool for writing a file, and what that takes. */
const WRITERS: Readonly<Record<string, (path: string, text: string) => Readonly<Record<string, unknown>>>> = {
  Write: (file_path, content) => ({ file_path, content }),
  write_file: (file_path, content) => ({ file_path, content }),
  write: (filePath, content) => ({ filePath, content }),
  create: (path, file_text) => ({ path, file_text }),
};

function writing({ write, text }: Extract<Turn, { readonly write: unknown }>, request: Request): Speech {
  const tool = toolNames(request).find((name) => Object.hasOwn(WRITERS, name));
  return tool === undefined
    ? { run: `printf %s '${text}' > '${write}'` }
    : { use: tool, input: WRITERS[tool]!(write, text) };
}

const toolNames = ({ tools = [] }: Request): readonly string[] =>
  tools.flatMap(({ name, function: fn, functionDeclarations = [] }) => [
    ...(name === undefined ? [] : [name]),
    ...(fn === undefined ? [] : [fn.name]),
    ...functionDeclarations.map((one) => one.name),
  ]);

const toolNamed = (request: Request, end: string): string | undefined => {
  const names = toolNames(request);
  return names.includes(end) ? end : names.find((name) => name.endsWith(end));
};

interface Dialect {
  readonly path: string;
  /** Small questions on the side, such as for a title, take no turn. */
  readonly isAside: (request: Request) => boolean;
  readonly events: (turn: Speech, request: Request) => readonly Event[];
  readonly send: (response: ServerResponse, events: readonly Event[]) => void;
  readonly refuse: (response: ServerResponse, why: Refusal) => void;
}

const hasNoTools = (request: Request): boolean => toolNames(request).length === 0;

const messages: Dialect = {
  path: "/v1/messages",
  isAside: () => false,
  send: stream,
  events(turn, request) {
    const block =
      "say" in turn
        ? { start: { type: "text", text: "" }, delta: { type: "text_delta", text: turn.say } }
        : {
            start: { type: "tool_use", id: `toolu_${randomUUID()}`, input: {}, ...toolCall(turn, request) },
            delta: { type: "input_json_delta", partial_json: inputOf(turn) },
          };
    const usage = { input_tokens: 3, output_tokens: 1 };
    const message = { id: "msg_1", type: "message", role: "assistant", model: "stand-in", content: [] };
    return [
      { type: "message_start", message: { ...message, stop_reason: null, stop_sequence: null, usage } },
      { type: "content_block_start", index: 0, content_block: block.start },
      { type: "content_block_delta", index: 0, delta: block.delta },
      { type: "content_block_stop", index: 0 },
      {
        type: "message_delta",
        delta: { stop_reason: "say" in turn ? "end_turn" : "tool_use", stop_sequence: null },
        usage: { output_tokens: 5 },
      },
      { type: "message_stop" },
    ];
  },
  refuse(response, why) {
    const [status, type, message] = {
      limit: [429, "rate_limit_error", "This request would exceed your account's rate limit."],
      key: [401, "authentication_error", "invalid x-api-key"],
      context: [400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"],
      overload: [529, "overloaded_error", "Overloaded"],
    }[why] as [number, string, string];
    send(response, status, { type: "error", error: { type, message } }, { "x-should-retry": "false" });
  },
};

const toolCall = (turn: Exclude<Speech, { readonly say: unknown }>, request: Request) => ({
  name: "use" in turn ? toolNamed(request, turn.use)! : shellOf(request),
});

/** What agents call their tool for commands; all of these take it as `command`. */
const shellOf = (request: Request): string =>
  toolNames(request).find((name) => /^(?:bash|run_shell_command|shell)$/i.test(name)) ?? "Bash";

const inputOf = (turn: Exclude<Speech, { readonly say: unknown }>): string =>
  JSON.stringify("use" in turn ? turn.input : { command: turn.run, description: "work" });

const responses: Dialect = {
  path: "/v1/responses",
  isAside: () => false,
  send: stream,
  events(turn, { tools = [] }) {
    const usage = {
      input_tokens: 3,
      input_tokens_details: null,
      output_tokens: 2,
      output_tokens_details: null,
      total_tokens: 5,
    };
    const item =
      "say" in turn
        ? { type: "message", role: "assistant", id: "m1", content: [{ type: "output_text", text: turn.say }] }
        : "use" in turn
          ? {
              type: "function_call",
              id: "f1",
              call_id: `call_${randomUUID()}`,
              name: toolNamed({ tools }, turn.use)!,
              arguments: inputOf(turn),
            }
          : {
              type: "function_call",
              id: "f1",
              call_id: `call_${randomUUID()}`,
              ...shellCall(tools, turn.run),
            };
    return [
      { type: "response.created", response: { id: "r1" } },
      { type: "response.output_item.done", item },
      { type: "response.completed", response: { id: "r1", usage } },
    ];
  },
  refuse(response, why) {
    const resets_at = Math.floor(Date.now() / 1000) + 7200;
    const [status, error] = {
      limit: [429, { type: "usage_limit_reached", message: "The usage limit has been reached", resets_at }],
      key: [401, { message: "Incorrect API key provided", code: "invalid_api_key" }],
      context: [
        400,
        {
          type: "invalid_request_error",
          code: "context_length_exceeded",
          message: "Your input is too long.",
        },
      ],
      overload: [503, { type: "server_error", message: "The server is overloaded." }],
    }[why] as [number, object];
    send(response, status, { error });
  },
};

/** The tool for commands has another name and form from version to version; the request tells which. */
function shellCall(tools: NonNullable<Request["tools"]>, command: string) {
  const names = new Set(tools.map(({ name, type }) => name ?? type));
  if (names.has("exec_command")) return { name: "exec_command", arguments: JSON.stringify({ cmd: command }) };
  if (names.has("shell_command"))
    return { name: "shell_command", arguments: JSON.stringify({ command, workdir: "." }) };
  return { name: "shell", arguments: JSON.stringify({ command: ["sh", "-c", command] }) };
}

/** What opencode, qwen and copilot speak: chat completions in chunks. */
const chat: Dialect = {
  path: "/chat/completions",
  isAside: hasNoTools,
  send: (response, events) => streamData(response, events, "data: [DONE]\n\n"),
  events(turn, request) {
    const chunk = (delta: object, finish_reason: string | null, more: object = {}) => ({
      id: "c1",
      object: "chat.completion.chunk",
      created: 1,
      model: "stand-in",
      choices: [{ index: 0, delta, finish_reason }],
      ...more,
    });
    const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
    const call = (speech: Exclude<Speech, { readonly say: unknown }>) => ({
      index: 0,
      id: `call_${randomUUID()}`,
      type: "function",
      function: { ...toolCall(speech, request), arguments: inputOf(speech) },
    });
    return [
      chunk(
        "say" in turn
          ? { role: "assistant", content: turn.say }
          : { role: "assistant", content: null, tool_calls: [call(turn)] },
        null,
      ),
      chunk({}, "say" in turn ? "stop" : "tool_calls", { usage }),
    ];
  },
  refuse(response, why) {
    const [status, code, message] = {
      limit: [429, "rate_limit_exceeded", "Rate limit reached for requests"],
      key: [401, "invalid_api_key", "Incorrect API key provided"],
      context: [400, "context_length_exceeded", "This model's maximum context length is 128000 tokens."],
      overload: [503, "overloaded", "The server is overloaded."],
    }[why] as [number, string, string];
    const wait = why === "overload" ? "1" : "7200";
    send(response, status, { error: { message, code, type: code } }, { "retry-after": wait });
  },
};

const gemini: Dialect = {
  path: "enerateContent",
  isAside: hasNoTools,
  send: streamData,
  events(turn, request) {
    const part =
      "say" in turn
        ? { text: turn.say }
        : {
            functionCall: {
              ...toolCall(turn, request),
              args: JSON.parse(inputOf(turn)) as Readonly<Record<string, unknown>>,
            },
          };
    const usageMetadata = { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 };
    const content = { role: "model", parts: [part] };
    return [{ candidates: [{ content, finishReason: "STOP", index: 0 }], usageMetadata }];
  },
  refuse(response, why) {
    const [code, status, message] = {
      limit: [429, "RESOURCE_EXHAUSTED", "You have exhausted your daily quota on this model."],
      key: [400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key."],
      context: [400, "INVALID_ARGUMENT", "The input token count exceeds the maximum number of tokens."],
      overload: [503, "UNAVAILABLE", "The model is overloaded. Please try again later."],
    }[why] as [number, string, string];
    send(response, code, { error: { code, status, message } });
  },
};

const DIALECTS: readonly Dialect[] = [messages, responses, chat, gemini];

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function send(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

function stream(response: ServerResponse, events: readonly Event[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events)
    response.write(`event: ${String(event["type"])}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
}

function streamData(response: ServerResponse, events: readonly Event[], end = ""): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events) response.write(`data: ${JSON.stringify(event)}\n\n`);
  response.end(end);
}
