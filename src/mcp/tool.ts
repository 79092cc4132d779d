import type { AgentSession } from "../agent-sessions/index.ts";
import type { Pawl } from "../api.ts";
import type { Interruption } from "../platform/ports/index.ts";

/** JSON Schema, as much of it as tools need. */
export type Schema = Readonly<Record<string, unknown>>;

/** What a tool may use. */
export interface ToolContext {
  readonly pawl: Pawl;
  readonly agentSession: AgentSession;
  /** Says when the client called the call off, or is gone. */
  readonly interruption: Interruption;
}

/** What a tool says: data, and one line for people. */
export interface ToolAnswer {
  readonly data: Readonly<Record<string, unknown>>;
  readonly line: string;
}

/** One tool of the server. All of it stands in its file. */
export interface Tool {
  readonly name: `pawl_${string}`;
  readonly about: string;
  readonly input: ObjectSchema;
  readonly output: ObjectSchema;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
    readonly openWorldHint?: boolean;
  };
  /** The arguments have been checked against `input`. */
  readonly run: (context: ToolContext, args: Readonly<Record<string, unknown>>) => Promise<ToolAnswer>;
}

export interface ObjectSchema extends Schema {
  readonly type: "object";
}

/** Everything is about this repository. Without saying so a client takes a tool for one that reaches out, and may refuse it. */
const HERE = { openWorldHint: false } as const;

export const READS = { readOnlyHint: true, ...HERE } as const;
export const WRITES = { readOnlyHint: false, destructiveHint: false, ...HERE } as const;

export const shortText = (maxLength = 300): Schema => ({ type: "string", maxLength });
export const STRING: Schema = { type: "string" };
export const BOOLEAN: Schema = { type: "boolean" };
export const NUMBER: Schema = { type: "number" };
export const LIST: Schema = { type: "array" };
export const orNull = (type: string): Schema => ({ type: [type, "null"] });

/** An argument object: what is not named is refused, so that a slip of the pen is noticed. */
export const takes = (
  properties: Readonly<Record<string, Schema>> = {},
  required: readonly string[] = [],
): ObjectSchema => ({
  type: "object",
  properties,
  ...(required.length > 0 ? { required } : {}),
  additionalProperties: false,
});

/** A result object: everything named is there. */
export const gives = (properties: Readonly<Record<string, Schema>>): ObjectSchema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
});

export const defineTool = (tool: Tool): Tool => tool;

/** An argument that the schema allows to be left out. */
export const given = (args: Readonly<Record<string, unknown>>, name: string): string | undefined =>
  args[name] as string | undefined;
