import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Allowance, callLimit } from "../platform/index.ts";
import { Failure } from "../domain/index.ts";
import { EXCHANGE, refuseRequest } from "./admit.ts";
import { answerFailure, answerJson, SAFE_HEADERS } from "./answer.ts";
import type { Keys } from "./keys.ts";
import { serializeTurns } from "./serialize-turns.ts";
import type { PageFile } from "./page-files.ts";
import { readJson } from "./read-json.ts";
import { queryOf, type Route } from "./route.ts";
import { ROUTES } from "./routes/index.ts";
import {
  type UnauthenticatedConnections,
  unauthenticatedConnections,
} from "./unauthenticated-connections.ts";
import type { PageContext } from "./page-context.ts";
import { snakeCase } from "../journal/index.ts";

export interface Served {
  readonly port: number;
  readonly close: () => Promise<void>;
}

export interface Serving {
  readonly context: PageContext;
  readonly keys: Keys;
  readonly page: ReadonlyMap<string, PageFile>;
  /** The first of them that is free is taken; 0 stands for any. */
  readonly ports: readonly number[];
  readonly nowMs: () => number;
}

/** Only this machine. Anything else would need what a local page does not have: accounts and encryption. */
const LOOPBACK = "127.0.0.1";

/** Connections that have not shown a token, and those that have: windows of the page, each with a stream of its own. */
const MOST_STRANGERS = 60;
const MOST_KNOWN = 100;

/** Serves the page and its calls until it is closed. */
export async function servePage(serving: Serving): Promise<Served> {
  const server = createServer({
    maxHeaderSize: 16 * 1024,
    headersTimeout: 5_000,
    requestTimeout: 10_000,
    connectionsCheckingInterval: 1_000,
    keepAliveTimeout: 10_000,
    insecureHTTPParser: false,
    joinDuplicateHeaders: false,
  });
  server.maxConnections = MOST_STRANGERS + MOST_KNOWN;
  server.maxRequestsPerSocket = 10_000;
  const strangers = unauthenticatedConnections(MOST_STRANGERS);
  server.on("connection", strangers.enter);
  const handle = handlerFor(serving, strangers, () => (server.address() as AddressInfo).port);
  server.on("request", (request, response) => void handle(request, response));
  // No client is asked to continue before it is known; calls of the page fit into one piece anyway.
  server.on("checkContinue", (request, response) => void handle(request, response));
  // Nothing here speaks another protocol.
  server.on("upgrade", (_request, socket) => socket.destroy());
  server.on("connect", (_request, socket) => socket.destroy());
  server.on("clientError", (_error, socket) => socket.destroy());
  await listenOn(server, serving.ports);
  // A connection that could not be taken is its caller's trouble, not of a run in this process.
  server.on("error", () => undefined);
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

async function listenOn(server: Server, [port = 0, ...others]: readonly number[]): Promise<void> {
  try {
    await listen(server, port);
  } catch (error) {
    if (others.length === 0) throw error;
    await listenOn(server, others);
  }
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((listening, failed) => {
    const refused = (error: NodeJS.ErrnoException): void =>
      failed(
        new Failure("ui/not-served", `Port ${port} cannot be used (${error.code ?? error.message}).`, {
          port,
        }),
      );
    server.once("error", refused);
    server.listen(port, LOOPBACK, () => {
      server.off("error", refused);
      listening();
    });
  });

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

function handlerFor(serving: Serving, strangers: UnauthenticatedConnections, portNow: () => number): Handle {
  const { context, keys, page, nowMs } = serving;
  const mayAsk = within({ atOnce: 400, perSecond: 200 }, nowMs);
  // A client without a token may be anyone on this machine, and must not use up what those have who are in.
  const mayEnter = within({ atOnce: 400, perSecond: 200 }, nowMs);
  const mayFail = within({ atOnce: 40, perSecond: 5 }, nowMs);
  const ownTurn = serializeTurns();
  return async (request, response) => {
    response.on("error", () => response.destroy());
    const { path, search } = addressOf(request.url ?? "");
    const method = request.method ?? "";
    const route = ROUTES.find((one) => one.path === path);
    const command = route?.command ?? "ui";
    try {
      const { headers, rawHeaders } = request;
      const refusal = refuseRequest({ method, path, headers, rawHeaders }, portNow(), keys.isToken);
      // A client that showed the token is known; one that asked for anything else has waited least.
      const isKnown = !refusal && path.startsWith("/api/") && path !== EXCHANGE;
      strangers[isKnown ? "leave" : "enter"](request.socket);
      if (refusal) throw mayFail() ? refusal : tooMany();
      if (!path.startsWith("/api/")) return sendFile(request, response, page.get(path), method);
      if (!(path === EXCHANGE ? mayEnter : mayAsk)()) throw tooMany();
      if (path === EXCHANGE) return await enter(serving, request, response, mayFail);
      await ownTurn();
      await answerRoute(context, { request, response, route, search, method });
    } catch (error) {
      answerFailure(response, command, error);
      request.resume();
    }
  };
}

function within(allowance: Allowance, nowMs: () => number): () => boolean {
  const waitMs = callLimit(allowance, nowMs);
  return () => waitMs() === 0;
}

const tooMany = (): Failure => new Failure("ui/too-many", "Too many calls at once.", {});

/** Nothing decodes or tidies the path: it is compared as it came. */
function addressOf(url: string): { readonly path: string; readonly search: string } {
  const at = url.indexOf("?");
  return at === -1 ? { path: url, search: "" } : { path: url.slice(0, at), search: url.slice(at + 1) };
}

async function enter(
  { keys, context }: Serving,
  request: IncomingMessage,
  response: ServerResponse,
  mayFail: () => boolean,
): Promise<void> {
  if (request.method !== "POST") throw new Failure("ui/wrong-method", "Get a ticket with POST.", {});
  const { ticket } = await readJson(request);
  const token = typeof ticket === "string" && ticket.length < 200 ? keys.exchange(ticket) : undefined;
  if (token === undefined)
    throw mayFail()
      ? new Failure("ui/no-token", "That link was already used, or has expired.", {})
      : tooMany();
  answerJson(response, "ui enter", { token, read_only: context.isReadOnly });
}

interface Asking {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly route: Route | undefined;
  readonly search: string;
  readonly method: string;
}

async function answerRoute(context: PageContext, asking: Asking): Promise<void> {
  const { request, response, route, search, method } = asking;
  if (route === undefined) throw new Failure("ui/not-found", "There is no such call.", {});
  if (route.method !== method) throw new Failure("ui/wrong-method", `Ask this by ${route.method}.`, {});
  const body = method === "POST" ? await readJson(request) : {};
  const last = request.headers["last-event-id"];
  const data = await route.answer(context, {
    query: queryOf(new URLSearchParams(search)),
    body,
    response,
    lastEventId: typeof last === "string" && /^\d{1,15}$/.test(last) ? Number(last) : undefined,
  });
  if (data !== undefined) answerJson(response, route.command, snakeCase(data));
}

function sendFile(
  { headers }: IncomingMessage,
  response: ServerResponse,
  file: PageFile | undefined,
  method: string,
): void {
  if (file === undefined) throw new Failure("ui/not-found", "There is no such page.", {});
  if (method === "POST") throw new Failure("ui/wrong-method", "The page can only be read.", {});
  const takesPacked = /\bbr\b/.test(headers["accept-encoding"] ?? "");
  const body = takesPacked && file.packed ? file.packed : file.plain;
  response.writeHead(200, {
    ...SAFE_HEADERS,
    "Content-Type": file.type,
    "Content-Length": body.length,
    "Cache-Control": file.isForEver ? "private, max-age=31536000, immutable" : "no-store",
    Vary: "Accept-Encoding",
    ...(body === file.packed ? { "Content-Encoding": "br" } : {}),
  });
  response.end(method === "HEAD" ? undefined : body);
}
