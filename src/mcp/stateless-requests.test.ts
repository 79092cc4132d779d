import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it } from "vitest";
import { STATELESS_VERSION, statelessRequests } from "./stateless-requests.ts";

/** A client at one end, and a server that answers every request with its method at the other. */
async function connected() {
  const sent: JSONRPCMessage[] = [];
  let requests = 0;
  const wire: Transport = {
    start: async () => undefined,
    send: async (message) => void sent.push(message),
    close: async () => undefined,
  };
  const transport = statelessRequests(wire, {
    server: { name: "pawl", version: "1" },
    capabilities: { tools: {} },
    instructions: "Claim.",
    onRequest: () => (requests += 1),
  });
  const heard: string[] = [];
  const onmessage = (message: JSONRPCMessage) => {
    if (!("method" in message)) return;
    heard.push(message.method);
    if ("id" in message)
      void transport.send({ jsonrpc: "2.0", id: message.id, result: { is: message.method } });
  };
  Object.assign(transport, { onmessage });
  await transport.start();
  const ask = (method: string, version?: string) => {
    const _meta = version === undefined ? {} : { "io.modelcontextprotocol/protocolVersion": version };
    wire.onmessage!({ jsonrpc: "2.0", id: sent.length + 1, method, params: { _meta } });
    return sent.at(-1) as unknown as Record<string, any>; // oxlint-disable-line typescript/no-explicit-any
  };
  return { ask, heard, requests: () => requests };
}

describe("a client whose requests name their version", () => {
  it("discovers the server without a handshake", async () => {
    const { ask, heard, requests } = await connected();
    const { result } = ask("server/discover", STATELESS_VERSION);
    expect(result).toMatchObject({
      resultType: "complete",
      supportedVersions: expect.arrayContaining([STATELESS_VERSION, "2025-11-25"]),
      capabilities: { tools: {} },
      instructions: "Claim.",
      ttlMs: 0,
      cacheScope: "private",
      _meta: { "io.modelcontextprotocol/serverInfo": { name: "pawl", version: "1" } },
    });
    expect([heard, requests()]).toEqual([[], 1]);
  });

  it("gets complete answers of the same handlers", async () => {
    const { ask } = await connected();
    expect(ask("tools/call", STATELESS_VERSION)["result"]).toEqual({
      is: "tools/call",
      resultType: "complete",
    });
    expect(ask("tools/list", STATELESS_VERSION)["result"]).toMatchObject({
      resultType: "complete",
      ttlMs: 0,
    });
  });

  it("is refused a version that is not known, with those that are", async () => {
    const { ask, heard } = await connected();
    expect(ask("tools/list", "1900-01-01")["error"]).toMatchObject({
      code: -32022,
      data: { supported: expect.arrayContaining([STATELESS_VERSION]), requested: "1900-01-01" },
    });
    expect(heard).toEqual([]);
  });
});

it("a client of an earlier revision gets answers as they were", async () => {
  const { ask, heard, requests } = await connected();
  expect(ask("initialize")["result"]).toEqual({ is: "initialize" });
  expect(ask("tools/list")["result"]).toEqual({ is: "tools/list" });
  expect([heard, requests()]).toEqual([["initialize", "tools/list"], 0]);
});
