import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { askKey } from "./terminal-keys.ts";

/** A terminal whose typing is written by the test, and what was printed on it. */
function terminal() {
  const stdin = Object.assign(new PassThrough(), { isRaw: false, setRawMode: () => stdin });
  const printed: string[] = [];
  const answer = askKey(["R", "A", "S"], (text) => printed.push(text), {
    stdin: stdin as unknown as NodeJS.Process["stdin"],
    pid: process.pid,
  });
  const type = async (text: string) => {
    const asked = printed.length;
    stdin.write(text);
    await expect.poll(() => printed.length).toBeGreaterThan(asked);
  };
  return { type, answer, printed };
}

describe("a question at the terminal", () => {
  it.each(["a", "A", "a\r", "a\n"])("is answered by one key: %j", async (typed) => {
    const { type, answer } = terminal();
    await type(typed);
    expect(await answer).toBe("A");
  });

  it("is not answered by a letter inside something that was typed ahead", async () => {
    const { type, answer, printed } = terminal();
    await type("clear; pawl resume\r");
    await type("ra");
    expect(printed.at(-1)).toBe("\r\n[R]/[A]/[S] ");
    await type("s");
    expect(await answer).toBe("S");
  });

  it.each(["\u0004", "\u001b"])("is left undecided by %j", async (typed) => {
    const { type, answer } = terminal();
    await type(typed);
    expect(await answer).toBeUndefined();
  });
});
