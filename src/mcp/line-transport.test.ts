import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { lineTransport } from "./line-transport.ts";

async function wire(most?: number) {
  const input = new PassThrough();
  const output = new PassThrough();
  const heard: unknown[] = [];
  const transport = lineTransport(input, output, most);
  Object.assign(transport, { onmessage: (message: unknown) => heard.push(message) });
  await transport.start();
  const said = () =>
    String(output.read() ?? "")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { id: unknown; error: { code: number; message: string } });
  return { input, output, heard, transport, said };
}

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };

describe("messages by lines", () => {
  it("are received whole, wherever the pieces are cut", async () => {
    const { input, heard, said } = await wire();
    const bytes = Buffer.from(
      `${JSON.stringify({ ...PING, params: { x: "grün" } })}\r\n\n${JSON.stringify(PING)}\n`,
    );
    for (const byte of bytes) input.write(Buffer.from([byte]));
    await new Promise(setImmediate);
    expect(heard).toMatchObject([{ params: { x: "grün" } }, PING]);
    expect(said()).toEqual([]);
  });

  it("that are none get the protocol's own errors, and the next one is received", async () => {
    const { input, heard, said } = await wire();
    input.write(`{broken\n[]\n{"id":7,"method":5}\nnull\n${JSON.stringify(PING)}\n`);
    await new Promise(setImmediate);
    expect(said().map(({ id, error }) => [id, error.code])).toEqual([
      [null, -32700],
      [null, -32600],
      [7, -32600],
      [null, -32600],
    ]);
    expect(heard).toEqual([PING]);
  });

  it("whose parameters are wrong are answered with which, in one line, and the next one is received", async () => {
    const { input, heard, said } = await wire();
    const wrong: readonly (readonly [string, unknown, RegExp])[] = [
      ["tools/call", undefined, /^tools\/call: params: /],
      ["tools/call", {}, /^tools\/call: params\.name: /],
      ["tools/call", { name: 7 }, /^tools\/call: params\.name: /],
      ["tools/call", { name: "pawl_claim", arguments: "plan.md" }, /^tools\/call: params\.arguments: /],
      ["tools/call", { name: "pawl_claim", arguments: [1] }, /^tools\/call: params\.arguments: /],
      ["tools/list", { cursor: 1 }, /^tools\/list: params\.cursor: /],
      ["resources/list", { cursor: {} }, /params\.cursor/],
      ["resources/templates/list", { cursor: {} }, /params\.cursor/],
      ["resources/read", { uri: null }, /^resources\/read: params\.uri: /],
      ["resources/subscribe", {}, /params\.uri/],
      ["resources/unsubscribe", {}, /params\.uri/],
      ["prompts/list", { cursor: 1 }, /params\.cursor/],
      ["prompts/get", { name: "work", arguments: { plan: 7 } }, /^prompts\/get: params\.arguments\.plan: /],
      ["initialize", { protocolVersion: 1 }, /^initialize: params\./],
    ];
    for (const [id, [method, params]] of wrong.entries())
      input.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    input.write(`${JSON.stringify(PING)}\n`);
    await new Promise(setImmediate);
    const answers = said();
    expect(answers).toHaveLength(wrong.length);
    for (const [at, { id, error }] of answers.entries()) {
      expect({ id, code: error.code }).toEqual({ id: at, code: -32602 });
      expect(error.message).toMatch(wrong[at]![2]);
      expect(error.message).not.toMatch(/[\n{[]/);
    }
    expect(heard).toEqual([PING]);
  });

  it("that are too long are dropped as they come, and the next one is received", async () => {
    const { input, heard, said } = await wire(1000);
    for (let piece = 0; piece < 100; piece += 1) input.write("x".repeat(100));
    input.write(`\n${JSON.stringify(PING)}\n`);
    await new Promise(setImmediate);
    expect(said().map(({ error }) => error.code)).toEqual([-32600]);
    expect(heard).toEqual([PING]);
  });

  it.each(["input", "output"] as const)("end when the %s closes", async (end) => {
    const both = await wire();
    both[end].destroy();
    await expect(both.transport.gone).resolves.toBeUndefined();
    await expect(both.transport.send(PING as never)).resolves.toBeUndefined();
  });
});
