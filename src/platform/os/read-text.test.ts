import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodeFiles } from "./node-files.ts";

const LIMIT = 1024 * 1024;

describe("a file read as text", () => {
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), "pawl-read-text-"))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const read = (content: string | Uint8Array, most = LIMIT) => {
    const path = join(folder, "file");
    writeFileSync(path, content);
    return nodeFiles.readText(path, most);
  };

  it.each([
    ["nothing", ""],
    ["a byte order mark", "\ufeff{}"],
    ["other scripts", "Größe – 漢字 – 🎉"],
    ["the stand-in character itself", "a \ufffd b"],
    ["as much as the page holds, less one", "x".repeat(64 * 1024 - 1)],
    ["as much as the page holds", "é".repeat(32 * 1024)],
    ["more than the page holds", "é".repeat(100_000)],
  ])("has every character of %s", (_, text) => {
    expect(read(text)).toBe(text);
  });

  it("has nothing of a longer file that was read before", () => {
    read("a long text that stood here before");
    expect(read("short")).toBe("short");
  });

  it.each([
    ["invalid UTF-8", Uint8Array.of(0x61, 0xff, 0x62)],
    ["a character that is cut off", Uint8Array.of(0x61, 0xe2, 0x82)],
    ["a NUL", Uint8Array.of(0x61, 0, 0x62)],
    ["invalid UTF-8 in a large file", new Uint8Array(100_000).fill(0xff)],
  ])("is no text with %s", (_, bytes) => {
    expect(read(bytes)).toBeUndefined();
  });

  it("is refused past its limit, and not read", () => {
    expect(() => read("12345", 4)).toThrow("has 5 bytes; at most 4 are read");
  });

  it.runIf(process.platform === "linux")("is read to its end where the system names no size", () => {
    expect(nodeFiles.readText("/proc/self/status", LIMIT)).toContain("Pid:");
  });
});
