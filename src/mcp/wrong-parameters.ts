import {
  CallToolRequestSchema,
  GetPromptRequestSchema,
  InitializeRequestSchema,
  type JSONRPCMessage,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  PingRequestSchema,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { oneLine } from "./foreign-text.ts";

/** Every request that the server answers. */
const SHAPES = [
  CallToolRequestSchema,
  GetPromptRequestSchema,
  InitializeRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  PingRequestSchema,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
] as const;

const BY_METHOD: ReadonlyMap<string, (typeof SHAPES)[number]> = new Map(
  SHAPES.map((shape) => [shape.shape.method.value, shape]),
);

/**
 * What is wrong with the parameters of a request, in one line that names the field; undefined when nothing is.
 *
 * The SDK calls that an internal error, and prints what its checker found as JSON over many lines: a client would take
 * the server for broken, and a model would not read it.
 */
export function wrongParameters(message: JSONRPCMessage): string | undefined {
  if (!("method" in message) || !("id" in message)) return undefined;
  const found = BY_METHOD.get(message.method)?.safeParse(message);
  const issue = found?.error?.issues[0];
  if (!issue) return undefined;
  const field = issue.path.map(String).join(".");
  return oneLine(`${message.method}: ${field}: ${issue.message}`).slice(0, MOST_SIGNS);
}

const MOST_SIGNS = 300;
