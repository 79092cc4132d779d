import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type JSONRPCMessage, SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/sdk/types.js";

/** The revision in which each request says for itself what it speaks. Earlier ones begin with `initialize`. */
export const STATELESS_VERSION = "2026-07-28";

const VERSIONS = [STATELESS_VERSION, ...SUPPORTED_PROTOCOL_VERSIONS];

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
const SERVER_KEY = "io.modelcontextprotocol/serverInfo";

const UNSUPPORTED_VERSION = -32022;

/** What a client may keep of an answer. Plans and steps change with every call, so it is nothing. */
const NOT_KEPT = { ttlMs: 0, cacheScope: "private" } as const;

/** Answers that say how long they hold. */
const CACHEABLE: ReadonlySet<string> = new Set([
  "server/discover",
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
  "resources/read",
]);

export interface StatelessOptions {
  readonly server: { readonly name: string; readonly version: string };
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly instructions: string;
  /** Called for each request of such a client: it never says that it is ready. */
  readonly onRequest: () => void;
}

type Request = Extract<JSONRPCMessage, { method: string; id: unknown }>;

/**
 * Lets clients of the stateless revision in beside those that begin with `initialize`, on the same connection.
 *
 * A request that names its version is answered by the same handlers; its answer says that it is complete. Nothing is ever
 * sent to such a client that it has not asked for.
 */
export function statelessRequests(transport: Transport, options: StatelessOptions): Transport {
  /** Methods of the requests that wait for their answer, by id. */
  const open = new Map<string | number, string>();
  const inner: Transport = {
    start: async () => {
      Object.assign(transport, {
        onmessage: hear,
        onclose: () => inner.onclose?.(),
        onerror: (error: Error) => inner.onerror?.(error),
      });
      await transport.start();
    },
    send: (message) => transport.send(completed(message, open)),
    close: () => transport.close(),
  };
  const hear = (message: JSONRPCMessage) => {
    const version = isRequest(message) ? versionOf(message) : undefined;
    if (version === undefined || !isRequest(message)) return inner.onmessage?.(message);
    if (version !== STATELESS_VERSION) return void transport.send(unsupported(message.id, version));
    options.onRequest();
    open.set(message.id, message.method);
    if (message.method !== "server/discover") return inner.onmessage?.(message);
    return void inner.send({ jsonrpc: "2.0", id: message.id, result: discovered(options) });
  };
  return inner;
}

const isRequest = (message: JSONRPCMessage): message is Request => "method" in message && "id" in message;

function versionOf({ params }: Request): string | undefined {
  const version = params?._meta?.[VERSION_KEY];
  return typeof version === "string" ? version.slice(0, 100) : undefined;
}

const unsupported = (id: string | number, requested: string): JSONRPCMessage => ({
  jsonrpc: "2.0",
  id,
  error: {
    code: UNSUPPORTED_VERSION,
    message: "This version of the protocol is not supported.",
    data: { supported: VERSIONS, requested },
  },
});

const discovered = ({ server, capabilities, instructions }: StatelessOptions) => ({
  supportedVersions: VERSIONS,
  capabilities,
  instructions,
  _meta: { [SERVER_KEY]: server },
});

function completed(message: JSONRPCMessage, open: Map<string | number, string>): JSONRPCMessage {
  if ("method" in message || message.id === undefined) return message;
  const method = open.get(message.id);
  if (method === undefined) return message;
  open.delete(message.id);
  if (!("result" in message)) return message;
  const kept = CACHEABLE.has(method) ? NOT_KEPT : {};
  return { ...message, result: { ...message.result, resultType: "complete", ...kept } };
}
