import { describe, expect, it } from "vitest";
import type { Json } from "../json-line.ts";
import { type AcpTurn, converse, isListed } from "./converse.ts";

/** An agent of few words: it answers each request by its table, and can ask for permission in between. */
function meet(
  turn: Partial<AcpTurn>,
  answers: Readonly<Record<string, (ask: (call: Json) => void) => Json>>,
) {
  const sent: Json[] = [];
  const printed: Json[] = [];
  const ask = (toolCall: Json) => {
    const options = ["allow_once", "reject_once"].map((kind) => ({ kind, optionId: kind, name: kind }));
    const params = { sessionId: "s1", toolCall, options };
    talk.take(JSON.stringify({ jsonrpc: "2.0", id: "q", method: "session/request_permission", params }));
  };
  const talk = converse({
    cwd: "/work",
    prompt: "Do it.",
    session: undefined,
    commands: undefined,
    print: (event) => printed.push(event),
    send(message) {
      sent.push(message);
      const answer = answers[String(message["method"])];
      if (message["id"] === undefined || answer === undefined) return;
      queueMicrotask(() => talk.take(JSON.stringify({ jsonrpc: "2.0", id: message["id"], ...answer(ask) })));
    },
    ...turn,
  });
  return { talk, sent, printed, methods: () => sent.map(({ method }) => method).filter(Boolean) };
}

const CAN_LOAD = { initialize: () => ({ result: { agentCapabilities: { loadSession: true } } }) };
const USUAL = {
  ...CAN_LOAD,
  "session/new": () => ({ result: { sessionId: "s1" } }),
  "session/load": () => ({ result: null }),
  "session/prompt": () => ({ result: { stopReason: "end_turn" } }),
};

describe("a conversation over the Agent Client Protocol", () => {
  it("is opened, given the prompt, and ends with the agent's turn", async () => {
    const { talk, sent, printed, methods } = meet({}, USUAL);
    expect(await talk.done).toBe(0);
    expect(methods()).toEqual(["initialize", "session/new", "session/prompt"]);
    expect(sent.at(-1)?.["params"]).toEqual({ sessionId: "s1", prompt: [{ type: "text", text: "Do it." }] });
    expect(printed).toEqual([
      { type: "session", id: "s1" },
      { type: "result", stopReason: "end_turn" },
    ]);
  });

  it("is loaded again, without the story so far", async () => {
    const { talk, printed, methods } = meet(
      { session: "s0" },
      {
        ...USUAL,
        "session/load": () => {
          const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "old" } };
          talk.take(JSON.stringify({ jsonrpc: "2.0", method: "session/update", params: { update } }));
          return { result: null };
        },
      },
    );
    expect(await talk.done).toBe(0);
    expect(methods()).toEqual(["initialize", "session/load", "session/prompt"]);
    expect(printed.map(({ type }) => type)).toEqual(["session", "result"]);
  });

  it("has no name where the agent could not load it", async () => {
    const { talk, printed } = meet({}, { ...USUAL, initialize: () => ({ result: {} }) });
    await talk.done;
    expect(printed.map(({ type }) => type)).toEqual(["result"]);
  });

  it.each([
    [undefined, { kind: "execute", rawInput: { command: "rm -rf build" } }, "allow_once"],
    [["npm test"], { kind: "edit", title: "Edit a.txt" }, "allow_once"],
    [["npm test"], { kind: "execute", rawInput: { command: "npm test" } }, "allow_once"],
    [["npm test"], { kind: "execute", title: "`npm test -- --watch`" }, "allow_once"],
    [["npm test"], { kind: "execute", rawInput: { command: "npm test; rm -rf build" } }, "reject_once"],
    [["npm test"], { kind: "execute", rawInput: { command: "node x.js" } }, "reject_once"],
    [["npm test"], { title: "something" }, "reject_once"],
  ])("answers with the list %j to %j: %s", async (commands, call, optionId) => {
    const { talk, sent, printed } = meet(
      { commands },
      {
        ...USUAL,
        "session/prompt": (ask) => {
          ask(call);
          return { result: { stopReason: "end_turn" } };
        },
      },
    );
    await talk.done;
    const answer = sent.find(({ id }) => id === "q");
    expect(answer?.["result"]).toEqual({ outcome: { outcome: "selected", optionId } });
    expect(printed.some(({ type }) => type === "refused")).toBe(optionId === "reject_once");
  });

  it("ends with the agent's error, and names a missing login as such", async () => {
    const error = { code: -32_000, message: "Authentication required" };
    const { talk, printed } = meet({}, { ...USUAL, "session/new": () => ({ error }) });
    expect(await talk.done).toBe(1);
    expect(printed).toEqual([{ type: "failed", method: "session/new", status: 401, ...error }]);
  });

  it("is cancelled by name, and refuses whatever is asked from then on", async () => {
    const { talk, sent } = meet(
      {},
      {
        ...USUAL,
        "session/prompt": (ask) => {
          talk.cancel();
          ask({ kind: "edit" });
          return { result: { stopReason: "cancelled" } };
        },
      },
    );
    expect(await talk.done).toBe(1);
    expect(sent).toContainEqual({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "s1" } });
    expect(sent.find(({ id }) => id === "q")?.["result"]).toEqual({ outcome: { outcome: "cancelled" } });
  });

  it("offers the agent nothing else, and passes over what is no message", async () => {
    const { talk, sent } = meet({}, USUAL);
    for (const line of [
      "",
      "hello",
      "{",
      "[]",
      '{"id":99,"result":{}}',
      '{"id":7,"method":"fs/read_text_file"}',
    ])
      talk.take(line);
    await talk.done;
    expect(sent.find(({ id }) => id === 7)?.["error"]).toMatchObject({ code: -32_601 });
  });
});

describe("a command", () => {
  it.each(["pawl state update", "cargo build", "npm test"])("%s is on the list", (command) => {
    expect(isListed(command, ["npm test", "cargo *"])).toBe(true);
  });

  it.each(["", "pawling", "npm tests", "npm test && x", "pawl $(x)", "cargo build\nrm x"])(
    "%j is not",
    (command) => {
      expect(isListed(command, ["npm test", "cargo *"])).toBe(false);
    },
  );
});
