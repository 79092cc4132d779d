import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitLines } from "./split-lines.ts";

function split(chunks: readonly Uint8Array[], longest?: number): string[] {
  const lines: string[] = [];
  const splitter = splitLines((line) => lines.push(line), longest);
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return lines;
}

describe("lines", () => {
  it("are the same however the bytes are cut into chunks", () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.string({ unit: "binary" }).map((text) => Buffer.from(`${text}\n€\r\n${text}`)),
    );
    fc.assert(
      fc.property(bytes, fc.array(fc.nat(220), { maxLength: 8 }), (content, cuts) => {
        const edges = [...new Set([0, ...cuts.map((cut) => Math.min(cut, content.length)), content.length])];
        edges.sort((a, b) => a - b);
        const chunks = edges.slice(1).map((edge, index) => content.subarray(edges[index], edge));
        expect(split(chunks)).toEqual(split([content]));
      }),
    );
  });

  it("keep text and empty lines, and lose line ends", () => {
    expect(split([Buffer.from("a\n\r\nb\r\nc")])).toEqual(["a", "", "b", "c"]);
    expect(split([Buffer.from("a\n")])).toEqual(["a"]);
    expect(split([])).toEqual([]);
  });

  it("carry stand-ins where the bytes are no text", () => {
    expect(split([Buffer.from([0x61, 0xff, 0x00, 0x62, 0x0a])])).toEqual(["a\ufffd\u0000b"]);
  });

  it("that are too long are cut, and the next one is whole", () => {
    const long = Buffer.alloc(5000, "x");
    const lines = split([long, Buffer.from("y\nnext\n")], 2000);
    expect(lines).toEqual([`${"x".repeat(1024)}…`, "next"]);
  });

  it("that never end take no memory", () => {
    const lines: string[] = [];
    const splitter = splitLines((line) => lines.push(line), 100_000);
    const chunk = Buffer.alloc(1024 * 1024, "x");
    const before = process.memoryUsage().arrayBuffers;
    for (let round = 0; round < 200; round += 1) splitter.push(chunk);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20 * 1024 * 1024);
    splitter.end();
    expect(lines.map(({ length }) => length)).toEqual([1025]);
  });

  it("do not change when the caller uses its buffer again", () => {
    const lines: string[] = [];
    const splitter = splitLines((line) => lines.push(line));
    const buffer = Buffer.from("first");
    splitter.push(buffer);
    buffer.fill("z");
    splitter.push(Buffer.from("\n"));
    expect(lines).toEqual(["first"]);
  });
});
