import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { type CallToolResult, ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished } from "vitest";
import { PAWL } from "./cli.ts";
import { cleanEnv } from "./repository.ts";
import type { Data } from "./workshop.ts";

/** The SDK's own client on a server of ours. Closed with the test. */
export interface McpClient {
  readonly client: Client;
  readonly pid: () => number;
  /** The data of a call that must succeed; the client has checked it against the tool's schema. */
  readonly call: (name: string, args?: Data) => Promise<Data>;
  /** The first line of a call that must be refused, and its details. */
  readonly refused: (name: string, args?: Data) => Promise<{ readonly line: string; readonly details: Data }>;
  readonly line: (name: string, args?: Data) => Promise<string>;
}

export interface McpOptions {
  readonly cwd: string;
  readonly roots?: () => readonly string[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export async function mcpClient({ cwd, roots, args = [], env = {} }: McpOptions): Promise<McpClient> {
  const client = new Client(
    { name: "test", version: "1" },
    { capabilities: roots ? { roots: { listChanged: true } } : {} },
  );
  if (roots)
    client.setRequestHandler(ListRootsRequestSchema, () => ({
      roots: roots().map((path) => ({ uri: pathToFileURL(path).href })),
    }));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PAWL, "mcp", ...args],
    cwd,
    env: cleanEnv(env),
    stderr: "inherit",
  });
  onTestFinished(() => client.close());
  await client.connect(transport);
  // The client checks results only of tools that it has listed.
  await client.listTools();
  const ask = async (name: string, given: Data = {}) =>
    (await client.callTool({ name, arguments: given })) as CallToolResult;
  const textOf = ({ content }: CallToolResult, index: number): string => {
    const part = content[index];
    return part?.type === "text" ? part.text : "";
  };
  return {
    client,
    pid: () => transport.pid!,
    async call(name, given) {
      const result = await ask(name, given);
      expect(result.isError, textOf(result, 0)).not.toBe(true);
      expect(result.content).toHaveLength(2);
      expect(textOf(result, 0)).not.toContain("\n");
      // For clients that drop the structured part.
      expect(JSON.parse(textOf(result, 1))).toEqual(result.structuredContent);
      return result.structuredContent as Data;
    },
    async refused(name, given) {
      const result = await ask(name, given);
      expect(result.isError, JSON.stringify(result)).toBe(true);
      expect(result.structuredContent).toBeUndefined();
      return { line: textOf(result, 0), details: JSON.parse(textOf(result, 1) || "{}") as Data };
    },
    line: async (name, given) => textOf(await ask(name, given), 0),
  };
}
