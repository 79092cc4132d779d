import { describe, expect, it } from "vitest";
import { transcriptLine } from "./transcript.ts";

const read = (event: object) => transcriptLine(JSON.stringify(event));

describe("claude", () => {
  it("tells words, calls with what they change, and their results under the same id", () => {
    const said = read({
      type: "assistant",
      message: {
        content: [
          { type: "text", text: "Reading." },
          {
            type: "tool_use",
            id: "t1",
            name: "Edit",
            input: { file_path: "/w/a.ts", old_string: "one", new_string: "two" },
          },
        ],
      },
    });
    expect(said).toEqual([
      { kind: "text", text: "Reading." },
      {
        kind: "call",
        id: "t1",
        tool: "Edit",
        detail: "/w/a.ts",
        path: "/w/a.ts",
        edits: [{ before: "one", after: "two" }],
        input: null,
        at: null,
      },
    ]);
    expect(
      read({
        type: "user",
        timestamp: "2026-11-17T10:00:00.000Z",
        message: {
          content: [
            {
              type: "tool_result",
              tool_use_id: "t1",
              content: [{ type: "text", text: "no" }],
              is_error: true,
            },
          ],
        },
      }),
    ).toEqual([{ kind: "result", id: "t1", ok: false, text: "no", at: "2026-11-17T10:00:00.000Z" }]);
  });

  it("ends with what was refused and why it failed", () => {
    expect(
      read({
        type: "result",
        is_error: true,
        result: "out of credit",
        permission_denials: [{ tool_name: "Bash", tool_input: { command: "npm test" } }],
      }),
    ).toEqual([
      { kind: "refused", what: "npm test" },
      { kind: "end", ok: false, text: "out of credit" },
    ]);
  });
});

it("codex: a command has its output and its exit code", () => {
  const item = { id: "i1", type: "command_execution", command: "npm test" };
  expect(read({ type: "item.started", item })).toMatchObject([
    { kind: "call", id: "i1", detail: "npm test" },
  ]);
  expect(
    read({ type: "item.completed", item: { ...item, aggregated_output: "2 failed", exit_code: 1 } }),
  ).toMatchObject([{ kind: "result", id: "i1", ok: false, text: "2 failed" }]);
});

it("gemini and opencode: both call a tool by the same name, and Pawl distinguishes them", () => {
  expect(
    read({ type: "tool_use", tool_id: "g1", tool_name: "read_file", parameters: { file_path: "a.ts" } }),
  ).toMatchObject([{ kind: "call", id: "g1", tool: "read_file", path: "a.ts" }]);
  expect(
    read({
      type: "tool_use",
      part: {
        callID: "o1",
        tool: "bash",
        state: { input: { command: "ls" }, output: "a.ts", status: "completed" },
      },
    }),
  ).toMatchObject([
    { kind: "call", id: "o1", detail: "ls" },
    { kind: "result", id: "o1", ok: true, text: "a.ts" },
  ]);
});

it("leaves to others what no known agent prints, and cuts what is too long", () => {
  expect(transcriptLine("npm warn deprecated")).toBeUndefined();
  expect(read({ type: "something_new" })).toBeUndefined();
  expect(transcriptLine('{"type":"assistant"')).toBeUndefined();
  const [event] = read({ type: "text", part: { text: "x".repeat(30_000) } })!;
  expect(event).toMatchObject({ kind: "text", text: expect.stringMatching(/… 10000 more characters$/) });
});
