import { afterEach, describe, expect, it, vi } from "vitest";
import { answerCalls } from "./answer-calls.ts";
import type { ClientSession } from "./client-session.ts";
import { defineTool, gives, READS, STRING, takes, type ToolAnswer } from "./tool.ts";

afterEach(() => vi.useRealTimers());

/** A server with one tool, which ends when the test says so. */
function oneTool() {
  let end: (answer: ToolAnswer) => void = () => undefined;
  let fail: (cause: Error) => void = () => undefined;
  const stopped: string[] = [];
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const tool = defineTool({
    name: "pawl_wait",
    about: "Waits.",
    input: takes({ plan: STRING }),
    output: gives({ said: STRING }),
    annotations: READS,
    run: ({ interruption }) => {
      interruption.listen(() => stopped.push(interruption.signal() ?? ""));
      begin();
      return new Promise((resolve, reject) => {
        end = resolve;
        fail = reject;
      });
    },
  });
  const calls = answerCalls({
    tools: [tool],
    clock: { wallMs: () => 0, uptimeMs: () => 0 },
    session: async () => ({}) as ClientSession,
    over: new AbortController().signal,
  });
  return {
    calls,
    stopped,
    begun,
    end: (answer: ToolAnswer) => end(answer),
    fail: (cause: Error) => fail(cause),
  };
}

describe("a call that takes long", () => {
  it("reports every five seconds that it runs, to clients that asked for it, and stops once it has ended", async () => {
    vi.useFakeTimers();
    const { calls, end } = oneTool();
    const told: unknown[] = [];
    const extra = {
      signal: new AbortController().signal,
      sendNotification: async ({ params }: { params: unknown }) => void told.push(params),
    };
    const answer = calls.call({ name: "pawl_wait", _meta: { progressToken: "t" } }, extra);
    await vi.advanceTimersByTimeAsync(11_000);
    expect(told).toEqual([
      { progressToken: "t", progress: 1, message: "pawl_wait is running" },
      { progressToken: "t", progress: 2, message: "pawl_wait is running" },
    ]);
    end({ data: { said: "x" }, line: "done" });
    expect(await answer).toMatchObject({ structuredContent: { said: "x" } });
    await vi.advanceTimersByTimeAsync(11_000);
    expect(told).toHaveLength(2);
  });

  it("hears that it was called off", async () => {
    const { calls, stopped, begun, end } = oneTool();
    const off = new AbortController();
    const extra = { signal: off.signal, sendNotification: async () => undefined };
    const answer = calls.call({ name: "pawl_wait" }, extra);
    await begun;
    off.abort();
    expect(stopped).toEqual(["SIGINT"]);
    end({ data: { said: "x" }, line: "done" });
    await answer;
  });

  it("reports what the system refused as that, and not as a bug", async () => {
    const { calls, begun, fail } = oneTool();
    const extra = { signal: new AbortController().signal, sendNotification: async () => undefined };
    const answer = calls.call({ name: "pawl_wait" }, extra);
    await begun;
    fail(Object.assign(new Error("ENOSPC: write"), { code: "ENOSPC", errno: -28, syscall: "write" }));
    expect((await answer).content[0]).toMatchObject({
      text: expect.stringMatching(/^E094 system\/refused: ENOSPC: write\. Free some disk space/) as string,
    });
  });

  it("names the argument that is wrong, in one line", async () => {
    const { calls } = oneTool();
    const extra = { signal: new AbortController().signal, sendNotification: async () => undefined };
    const { isError, content } = await calls.call({ name: "pawl_wait", arguments: { plan: 7 } }, extra);
    expect(isError).toBe(true);
    expect(content[0]).toMatchObject({
      text: expect.stringMatching(/^E066 usage\/wrong: pawl_wait: [^\n]*plan[^\n]*$/) as string,
    });
  });
});
