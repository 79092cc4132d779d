import { type Json, jsonLine, jsonList, jsonObject, jsonText, toolDetail } from "../json-line.ts";

/** One prompt to an agent that speaks the Agent Client Protocol. */
export interface AcpTurn {
  readonly cwd: string;
  readonly prompt: string;
  /** The conversation to take up again. */
  readonly session: string | undefined;
  /** What it may run. Undefined: anything. */
  readonly commands: readonly string[] | undefined;
  readonly send: (message: Json) => void;
  /** A line of the output that the preset `acp` reads. */
  readonly print: (event: Json) => void;
}

export interface AcpConversation {
  /** Takes a line of the agent's output. */
  readonly take: (line: string) => void;
  /** Asks the agent to stop. */
  readonly cancel: () => void;
  /** The exit code, once the agent has answered the prompt or cannot. */
  readonly done: Promise<number>;
}

const VERSION = 1;
const AUTH_REQUIRED = -32_000;
const NO_METHOD = -32_601;

/**
 * Speaks the Agent Client Protocol as a client without a person: it opens or loads a conversation, gives one prompt, and
 * answers every request for permission by the profile. What the agent reports is printed as lines of JSON.
 */
export function converse(turn: AcpTurn): AcpConversation {
  const { cwd, send, print } = turn;
  const { request, settle } = requests(send);
  let session = turn.session;
  // The agent reports a loaded conversation once more from its start.
  let isSilent = true;
  let isCancelled = false;

  const open = async (): Promise<void> => {
    const { agentCapabilities } = await request("initialize", {
      protocolVersion: VERSION,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    });
    const place = { cwd, mcpServers: [] };
    const canLoad = jsonObject(agentCapabilities)?.["loadSession"] === true;
    if (session !== undefined && canLoad) await request("session/load", { sessionId: session, ...place });
    else session = jsonText((await request("session/new", place))["sessionId"]);
    // Only what can be loaded again is named: Pawl then gives the next start nothing but what is new.
    if (canLoad) print({ type: "session", id: session });
  };

  const work = async (): Promise<number> => {
    try {
      await open();
      isSilent = false;
      const prompt = [{ type: "text", text: turn.prompt }];
      const result = await request("session/prompt", { sessionId: session, prompt });
      print({ ...result, type: "result" });
      return result["stopReason"] === "end_turn" ? 0 : 1;
    } catch (error) {
      if (!(error instanceof AcpError)) throw error;
      print({ ...error.error, type: "failed", method: error.method });
      return 1;
    }
  };

  const person = permissions(turn);
  return {
    done: work(),
    cancel() {
      isCancelled = true;
      if (session !== undefined)
        send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: session } });
    },
    take(line) {
      const message = jsonLine(line);
      if (!message) return;
      const { id, method } = message;
      const params = jsonObject(message["params"]);
      if (method === "session/update") person.takeUpdate(jsonObject(params?.["update"]), isSilent);
      else if (method === "session/request_permission")
        send({ jsonrpc: "2.0", id, result: { outcome: person.answerPermission(params, isCancelled) } });
      else if (method !== undefined && id !== undefined)
        send({ jsonrpc: "2.0", id, error: { code: NO_METHOD, message: "Pawl does not offer this." } });
      else if (method === undefined) settle(message);
    },
  };
}

/** Requests to the agent, each with the answer that it gets. */
function requests(send: AcpTurn["send"]) {
  const waiting = new Map<unknown, (message: Json) => void>();
  return {
    request: (method: string, params: Json) =>
      new Promise<Json>((resolve, reject) => {
        const id = waiting.size + 1;
        waiting.set(id, (message) => {
          const error = jsonObject(message["error"]);
          if (error) reject(new AcpError(method, error));
          else resolve(jsonObject(message["result"]) ?? {});
        });
        send({ jsonrpc: "2.0", id, method, params });
      }),
    settle: (message: Json) => waiting.get(message["id"])?.(message),
  };
}

/** Answers for the person. A request often names only the call, whose details came in an update before. */
function permissions({ commands, print }: Pick<AcpTurn, "commands" | "print">) {
  const calls = new Map<string, Json>();
  // With a list, one listed command must not become a standing permission for others.
  const allowing = commands === undefined ? ["allow_once", "allow_always"] : ["allow_once"];
  return {
    takeUpdate(update: Json | undefined, isSilent: boolean): void {
      const id = jsonText(update?.["toolCallId"]);
      if (update && id !== undefined) calls.set(id, { ...calls.get(id), ...update });
      if (calls.size > MOST_CALLS) calls.delete(calls.keys().next().value!);
      if (update && !isSilent) print({ ...update, type: "update" });
    },
    answerPermission(params: Json | undefined, isCancelled: boolean): Json {
      if (isCancelled) return { outcome: "cancelled" };
      const asked = jsonObject(params?.["toolCall"]) ?? {};
      const call = { ...calls.get(jsonText(asked["toolCallId"]) ?? ""), ...asked };
      const isAllowed = mayDo(call, commands);
      if (!isAllowed) print({ type: "refused", what: commandOf(call) ?? "a tool" });
      const options = jsonList(params?.["options"]).map(jsonObject);
      const kinds = isAllowed ? allowing : ["reject_once", "reject_always"];
      const option = kinds.flatMap((kind) => options.filter((one) => one?.["kind"] === kind))[0];
      const optionId = jsonText(option?.["optionId"]);
      return optionId === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId };
    },
  };
}

/** What changes nothing but files. */
const FILE_KINDS: ReadonlySet<string | undefined> = new Set([
  "read",
  "edit",
  "delete",
  "move",
  "search",
  "think",
]);

/** By the kind of the tool: what changes nothing but files may happen, anything else must be a command on the list. */
function mayDo(call: Json, commands: readonly string[] | undefined): boolean {
  if (commands === undefined) return true;
  if (FILE_KINDS.has(jsonText(call["kind"]))) return true;
  return isListed(exactCommand(call) ?? "", commands);
}

const MOST_CALLS = 200;

class AcpError extends Error {
  readonly method: string;
  readonly error: Json;

  constructor(method: string, error: Json) {
    super(method);
    this.method = method;
    this.error = error["code"] === AUTH_REQUIRED ? { status: 401, ...error } : error;
  }
}

const titleOf = (call: Json): string | undefined => jsonText(call["title"])?.replace(/^`(.*)`$/s, "$1");

/** For people: agents name the command in their own input, or only in the title that they show. */
const commandOf = (call: Json): string | undefined => toolDetail(call["rawInput"]) ?? titleOf(call);

/** What would run. Only without any input does the title stand for it; words about a command are no command. */
const exactCommand = (call: Json): string | undefined =>
  call["rawInput"] === undefined ? titleOf(call) : jsonText(jsonObject(call["rawInput"])?.["command"]);

/** Anything by which a shell would run more than the one command. */
const MORE_THAN_ONE = /[;&|<>`$(){}\n\\]/;

/** Whether a command is one of the list, with further arguments at most. */
export function isListed(command: string, list: readonly string[]): boolean {
  const text = command.trim();
  if (text === "" || MORE_THAN_ONE.test(text)) return false;
  return ["pawl", ...list].some((one) => {
    const start = one.replace(/(?<!\s)\s*\*$/, "");
    return text === start || text.startsWith(`${start} `);
  });
}
