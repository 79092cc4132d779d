import type { Readable, Writable } from "node:stream";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";
import { wrongParameters } from "./wrong-parameters.ts";

export interface LineTransport extends Transport {
  /** Comes once the other end neither reads nor writes. */
  readonly gone: Promise<void>;
}

/** More than any honest call needs; longer lines are answered with an error and forgotten as they come. */
const MOST_BYTES = 1024 * 1024;

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;

/**
 * One JSON message a line, both ways.
 *
 * The SDK's own reader ends the connection at a line that is too long, and says nothing to one that is no message. Here
 * both get the answer that the protocol has for them, and the next line is read.
 */
export function lineTransport(
  input: Readable,
  output: Writable,
  mostBytes: number = MOST_BYTES,
): LineTransport {
  let leave: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const write = (text: string) =>
    new Promise<void>((resolve) => {
      if (output.writableEnded || output.destroyed || output.write(text)) resolve();
      else output.once("drain", resolve);
    });
  const refuse = (code: number, message: string, id: string | number | null = null) =>
    void write(`${JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } })}\n`);
  const hear = (line: string | undefined) => {
    if (line === undefined) return refuse(INVALID_REQUEST, `A message is longer than ${mostBytes} bytes.`);
    if (line.trim() === "") return undefined;
    const parsed = parse(line);
    if (parsed === undefined) return refuse(PARSE_ERROR, "A line is not JSON.");
    const message = JSONRPCMessageSchema.safeParse(parsed);
    if (!message.success)
      return refuse(INVALID_REQUEST, "A line is no message of JSON-RPC 2.0.", idOf(parsed));
    const wrong = wrongParameters(message.data);
    if (wrong !== undefined) return refuse(INVALID_PARAMS, wrong, idOf(parsed));
    transport.onmessage?.(message.data);
    return undefined;
  };
  const take = byLines(mostBytes, hear);
  const transport: LineTransport = {
    gone,
    start: async () => {
      input.on("data", take);
      for (const end of ["end", "close", "error"]) input.on(end, leave);
      for (const end of ["close", "error"]) output.on(end, leave);
    },
    send: (message) => write(`${JSON.stringify(message)}\n`),
    close: async () => {
      input.off("data", take);
      input.pause();
      transport.onclose?.();
      leave();
    },
  };
  return transport;
}

/** Cuts bytes into lines. One that is too long is forgotten while it comes, and reported as undefined once it ends. */
function byLines(mostBytes: number, hear: (line: string | undefined) => void): (chunk: Buffer) => void {
  let pieces: Buffer[] = [];
  let bytes = 0;
  const keep = (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > mostBytes) pieces = [];
    else if (piece.length > 0) pieces.push(piece);
  };
  return (chunk) => {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      keep(chunk.subarray(from, end));
      from = end + 1;
      const line = bytes > mostBytes ? undefined : Buffer.concat(pieces).toString("utf8");
      pieces = [];
      bytes = 0;
      hear(line);
    }
    keep(chunk.subarray(from));
  };
}

/** Undefined when it is no JSON. */
function parse(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}

function idOf(parsed: unknown): string | number | null {
  const id = typeof parsed === "object" && parsed !== null && "id" in parsed ? parsed.id : null;
  return typeof id === "string" || typeof id === "number" ? id : null;
}
