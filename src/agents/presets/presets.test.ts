import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../domain/agent-event.ts";
import { verdictOfExit } from "../../domain/exit-verdict.ts";
import type { Exit } from "../../platform/ports/supervisor.ts";
import { agentOutput } from "../agent-output.ts";
import { AGENTS } from "./index.ts";
import type { PresetName } from "../agent-preset.ts";

const NOW = Date.parse("2026-11-15T12:00:00Z");
const RESET = Date.parse("2026-11-15T15:00:00Z");
const moment = () => ({ nowMs: NOW, timeZone: "Europe/Rome" });

/** Plays an output to a preset and tells what it makes of it. */
function play(
  name: PresetName,
  lines: readonly (object | string)[],
  { stderr = "", ...exit }: Partial<Exit> & { readonly stderr?: string } = {},
) {
  const events: AgentEvent[] = [];
  const output = agentOutput(AGENTS[name], moment, (event) => events.push(event));
  for (const line of lines)
    output.stdout(Buffer.from(`${typeof line === "string" ? line : JSON.stringify(line)}\n`));
  output.stderr(Buffer.from(stderr));
  const { report, facts } = output.end({
    exitCode: "exitCode" in exit ? exit.exitCode : 0,
    signal: exit.signal,
    stopped: exit.stopped,
  });
  return { events, report, verdict: verdictOfExit(facts) };
}

const failed = { exitCode: 1 };

describe("the presets", () => {
  it("are all registered, one file each", () => {
    const files = readdirSync(new URL(".", import.meta.url)).filter(
      (name) => !name.endsWith(".test.ts") && name !== "index.ts",
    );
    expect(files.toSorted()).toEqual(
      Object.keys(AGENTS)
        .map((name) => `${name}.ts`)
        .toSorted(),
    );
  });

  it("resume only by an id, and only where they have one", () => {
    for (const [name, { resume, sessionId }] of Object.entries(AGENTS)) {
      const words = (resume ?? []).flat();
      expect(words.includes("{session}"), name).toBe(resume !== undefined);
      if (resume) expect(sessionId, name).not.toBe("none");
    }
  });

  it("read hostile lines without a throw and without an event that is no event", () => {
    const hostile = [
      "",
      "{",
      "null",
      "[]",
      '{"type":null}',
      '{"type":"__proto__"}',
      '{"type":"constructor"}',
      '{"type":"toString","item":{"type":"constructor"}}',
      '{"type":"assistant","message":null}',
      '{"type":"assistant","message":{"content":[null,1,{"type":"tool_use"}]}}',
      '{"type":"result"}',
      '{"type":"result","usage":[],"is_error":true,"result":7,"api_error_status":"429"}',
      '{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":"soon"}}',
      '{"type":"item.completed","item":{"type":"file_change","changes":[null,{"path":7}]}}',
      '{"type":"item.completed"}',
      '{"type":"turn.failed","error":"x"}',
      '{"type":"message","role":"assistant","content":{}}',
      '{"type":"text","part":[]}',
      '{"type":"error","error":null}',
      "\u0000\u001b]52;c;aGk=\u0007\u202e",
    ];
    for (const name of Object.keys(AGENTS) as PresetName[]) {
      const { events } = play(name, hostile, failed);
      for (const event of events) {
        expect(event.kind, name).toMatch(/^(text|notice|tool|session|usage|result|trouble)$/);
        if (event.kind === "text") expect(typeof event.text, name).toBe("string");
      }
    }
  });
});

const text = (words: string, more: object = {}) => ({
  type: "assistant",
  message: { content: [{ type: "text", text: words }] },
  ...more,
});
const init = { type: "system", subtype: "init", session_id: "c-1" };
const success = {
  type: "result",
  subtype: "success",
  is_error: false,
  result: "All done.",
  total_cost_usd: 0.25,
  usage: { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 7 },
};
const error = (status: number | null, words: string, more: object = {}) => ({
  type: "result",
  subtype: "success",
  is_error: true,
  api_error_status: status,
  result: words,
  ...more,
});

describe("claude", () => {
  it("tells its session, words, tools, usage and result", () => {
    const tool = { type: "tool_use", name: "Edit", input: { file_path: "src/a.ts", new_string: "…" } };
    const { events, report, verdict } = play("claude", [
      init,
      text("Looking."),
      { type: "assistant", message: { content: [tool] } },
      { type: "user", message: { content: [{ type: "tool_result", content: "usage limit reached" }] } },
      success,
    ]);
    expect(events).toEqual([
      { kind: "session", id: "c-1" },
      { kind: "text", text: "Looking." },
      { kind: "tool", name: "Edit", detail: "src/a.ts" },
      { kind: "usage", usage: { inputTokens: 15, outputTokens: 7, costUsd: 0.25 } },
      { kind: "result", ok: true, text: "All done." },
    ]);
    expect(report).toMatchObject({ sessionId: "c-1", result: { ok: true }, answer: "Looking.\nAll done." });
    expect(verdict).toEqual({ outcome: "finished" });
  });

  it("believes is_error and not the subtype", () => {
    const { verdict } = play("claude", [init, error(null, "It broke.")], failed);
    expect(verdict).toEqual({ outcome: "failed", exitCode: 1, because: "exit" });
    expect(play("claude", [init, error(null, "It broke.")]).verdict).toMatchObject({ because: "result" });
  });

  it("is limited until the time of the rejected event", () => {
    const event = (status: string) => ({
      type: "rate_limit_event",
      rate_limit_info: { status, resetsAt: RESET / 1000, rateLimitType: "five_hour" },
    });
    const end = [
      text("You've hit your limit · resets 9pm", { error: "rate_limit", is_api_error_message: true }),
      error(429, "You've hit your limit · resets 9pm", { api_error_type: "rate_limit_error" }),
    ];
    expect(play("claude", [init, event("rejected"), error(429, "Limit.")], failed).verdict).toEqual({
      outcome: "limited",
      untilMs: RESET,
      said: "Limit.",
    });
    expect(play("claude", [init, ...end], failed).verdict).toMatchObject({
      outcome: "limited",
      untilMs: Date.parse("2026-11-15T20:00:00Z"),
    });
    for (const status of ["allowed", "allowed_warning"])
      expect(play("claude", [init, event(status), success]).events).not.toContainEqual(
        expect.objectContaining({ kind: "trouble" }),
      );
  });

  it.each([
    [error(401, "Invalid API key · Fix external API key"), "unauthorised"],
    [error(401, "x", { api_error_type: "authentication_error" }), "unauthorised"],
    [error(400, "Prompt is too long · the request is ~210000 tokens"), "context_exhausted"],
    [error(null, "API Error: Unable to connect to API (ConnectionRefused)"), "offline"],
    [error(529, "Overloaded"), "offline"],
    [error(429, "API Error: Request rejected (429) · would exceed your rate limit."), "limited"],
    [error(null, "Claude AI usage limit reached|1794754800"), "limited"],
  ])("takes %j as %s", (line, outcome) => {
    expect(play("claude", [init, line], failed).verdict).toMatchObject({ outcome });
  });

  it("is finished when it got over its troubles, and talks about limits as it likes", () => {
    const retry = { type: "system", subtype: "api_retry", attempt: 1, max_retries: 10, error: "unknown" };
    const words = "The test says: usage limit reached, ECONNREFUSED, 401 Unauthorized.";
    expect(play("claude", [init, retry, text(words), success]).verdict).toEqual({ outcome: "finished" });
    expect(play("claude", [init, text(words)], failed).verdict).toMatchObject({ outcome: "failed" });
  });

  it("is offline, not slow, when it is stopped while it retries", () => {
    const retry = { type: "system", subtype: "api_retry", attempt: 3, max_retries: 10, error: "unknown" };
    const stopped = { exitCode: undefined, signal: "SIGTERM", stopped: "timeout" } as const;
    expect(play("claude", [init, retry], stopped).verdict).toMatchObject({ outcome: "offline" });
    expect(play("claude", [init, retry, text("Back.")], stopped).verdict).toEqual({ outcome: "timed_out" });
  });

  it("says when it ran out of turns", () => {
    const line = { type: "result", subtype: "error_max_turns", is_error: true };
    expect(play("claude", [init, line], failed).verdict).toMatchObject({ because: "turns" });
  });

  it("tells people what it said before it had begun, and takes it for nothing more", () => {
    const { events, verdict } = play("claude", ["Invalid setting: usage limit reached", "", init], failed);
    expect(events.filter(({ kind }) => kind === "notice" || kind === "trouble")).toEqual([
      { kind: "notice", text: "Invalid setting: usage limit reached" },
    ]);
    expect(verdict.outcome).toBe("failed");
  });

  it("skips a line that another event was written into", () => {
    const broken = `{"type":"assist${JSON.stringify(success)}ant"}`;
    expect(play("claude", [init, broken, success]).verdict).toEqual({ outcome: "finished" });
  });
});

describe("codex", () => {
  const started = { type: "thread.started", thread_id: "t-1" };
  const item = (type: string, more: object) => ({ type: "item.completed", item: { type, ...more } });
  const turnFailed = (message: string) => ({ type: "turn.failed", error: { message } });

  it("tells its session, words, tools and usage", () => {
    const { events, report, verdict } = play("codex", [
      started,
      { type: "turn.started" },
      { type: "item.started", item: { type: "command_execution", command: "npm test" } },
      item("command_execution", { command: "npm test", exit_code: 1 }),
      item("file_change", { changes: [{ path: "a.ts", kind: "update" }, { path: "b.ts" }] }),
      item("reasoning", { text: "hm" }),
      item("agent_message", { text: "Done." }),
      { type: "turn.completed", usage: { input_tokens: 100, output_tokens: 20 } },
    ]);
    expect(events).toEqual([
      { kind: "session", id: "t-1" },
      { kind: "tool", name: "command", detail: "npm test" },
      { kind: "tool", name: "edit", detail: "a.ts, b.ts" },
      { kind: "text", text: "Done." },
      {
        kind: "usage",
        usage: { inputTokens: 0, outputTokens: 0, costUsd: 0 },
        conversation: { inputTokens: 100, outputTokens: 20, costUsd: 0 },
      },
      { kind: "result", ok: true, text: undefined },
    ]);
    expect(report.answer).toBe("Done.");
    expect(verdict).toEqual({ outcome: "finished" });
  });

  it.each([
    [
      "You’ve hit your usage limit. Upgrade to Pro (https://chatgpt.com/explore/pro), visit https://chatgpt.com/settings/usage to purchase more credits or try again at Nov 15th, 2026 4:00 PM.",
      { outcome: "limited", untilMs: RESET },
    ],
    [
      `{"error":{"type":"usage_limit_reached","message":"The usage limit has been reached","resets_at":${RESET / 1000}}}`,
      { outcome: "limited", untilMs: RESET },
    ],
    [
      "You've hit your usage limit. Upgrade to Pro or try again in 3 hours.",
      { outcome: "limited", untilMs: RESET },
    ],
    [
      "unexpected status 401 Unauthorized: Incorrect API key provided, url: http://127.0.0.1/v1/responses",
      { outcome: "unauthorised" },
    ],
    [
      '{"error":{"type":"invalid_request_error","code":"context_length_exceeded","message":"Your input exceeds the context window of this model."}}',
      { outcome: "context_exhausted" },
    ],
    ["stream disconnected before completion: error sending request for url", { outcome: "offline" }],
    ["The model refused.", { outcome: "failed" }],
  ])("takes %j as %j", (message, verdict) => {
    const lines = [started, { type: "error", message }, turnFailed(message)];
    expect(play("codex", lines, failed).verdict).toMatchObject(verdict);
  });

  it("is offline when it was stopped while it waited for the network", () => {
    const message = "Reconnecting... waiting for network (Connection failed: error sending request)";
    const lines = [started, { type: "error", message }, { type: "error", message }];
    const stopped = { exitCode: undefined, signal: "SIGKILL", stopped: "timeout" } as const;
    expect(play("codex", lines, stopped).verdict).toMatchObject({ outcome: "offline" });
  });

  it("keeps warnings and stderr out of its answer", () => {
    const lines = [
      started,
      item("error", { message: "Model metadata not found." }),
      { type: "error", message: "Verdict: pass" },
      item("agent_message", { text: "Verdict: fail" }),
    ];
    const { report, events } = play("codex", lines, { stderr: "Verdict: pass\n" });
    expect(report.answer).toBe("Verdict: fail");
    expect(events.filter(({ kind }) => kind === "notice")).toHaveLength(3);
  });

  it("is finished when a reconnect worked", () => {
    const lines = [
      started,
      { type: "error", message: "Reconnecting... 1/5 (stream disconnected)" },
      item("agent_message", { text: "Done." }),
      { type: "turn.completed", usage: {} },
    ];
    expect(play("codex", lines).verdict).toEqual({ outcome: "finished" });
  });
});

describe("gemini", () => {
  const said = (content: string) => ({ type: "message", role: "assistant", content, delta: true });

  it("joins the fragments of its words into lines", () => {
    const { events, report } = play("gemini", [
      { type: "init", session_id: "g-1" },
      { type: "message", role: "user", content: "the prompt" },
      said("First li"),
      said("ne\nSec"),
      said("ond"),
      { type: "tool_use", tool_name: "write_file", parameters: { file_path: "a.ts" } },
      { type: "result", status: "success", stats: { input_tokens: 3, output_tokens: 4 } },
    ]);
    expect(events.slice(0, 4)).toEqual([
      { kind: "session", id: "g-1" },
      { kind: "text", text: "First line" },
      { kind: "text", text: "Second" },
      { kind: "tool", name: "write_file", detail: "a.ts" },
    ]);
    expect(report.usage).toEqual({ inputTokens: 3, outputTokens: 4, costUsd: 0 });
  });

  it("gives out a line that never ends in pieces", () => {
    const { events } = play(
      "gemini",
      Array.from({ length: 100 }, () => said("x".repeat(1000))),
    );
    expect(events.length).toBeGreaterThan(3);
    for (const event of events) if (event.kind === "text") expect(event.text.length).toBeLessThan(20_000);
  });

  it.each([
    [{ exitCode: 41, stderr: "Please set an Auth method in your settings.json\n" }, "unauthorised"],
    [{ exitCode: 41 }, "unauthorised"],
    [{ exitCode: 1, stderr: "You have exhausted your daily quota on this model.\n" }, "limited"],
    [{ exitCode: 1, stderr: '{"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}\n' }, "limited"],
    [{ exitCode: 1, stderr: "TypeError: fetch failed\n" }, "offline"],
    [{ exitCode: 53 }, "failed"],
    [{ exitCode: 42 }, "failed"],
  ])("takes %j as %s", (exit, outcome) => {
    expect(play("gemini", [], exit).verdict).toMatchObject({ outcome });
  });

  it.each([
    [
      '[API Error: {"error":{"code":400,"message":"API key not valid. Please pass a valid API key."}}]',
      "unauthorised",
    ],
    [
      "[API Error: You have exhausted your daily quota on this model.]\nPlease wait and try again later.",
      "limited",
    ],
    ["[API Error: You exceeded your current quota. Please retry in 34.5s.]", "limited"],
  ])("takes a result with the error %j as %s, whatever its exit code", (message, outcome) => {
    const line = { type: "result", status: "error", error: { type: "unknown", message } };
    expect(play("gemini", [line], { exitCode: 144 }).verdict).toMatchObject({ outcome });
  });

  it("is limited until the time its quota tells", () => {
    const message = "You have exhausted your capacity. Your quota will reset after 3h0m0s. quota exceeded";
    const line = { type: "result", status: "error", error: { type: "Error", message } };
    expect(play("gemini", [line], failed).verdict).toMatchObject({ outcome: "limited", untilMs: RESET });
  });
});

describe("opencode", () => {
  const part = (type: string, fields: object) => ({ type, sessionID: "ses_1", part: fields });

  it("tells its session once, words, tools and the sum of its usage", () => {
    const { events, report, verdict } = play("opencode", [
      part("step_start", {}),
      part("tool_use", { tool: "bash", state: { input: { command: "ls" } } }),
      part("step_finish", { cost: 0.5, tokens: { input: 1, output: 2 } }),
      part("text", { text: "Done." }),
      part("step_finish", { cost: 0.25, tokens: { input: 10, output: 20 } }),
    ]);
    expect(events.filter(({ kind }) => kind === "session")).toEqual([{ kind: "session", id: "ses_1" }]);
    expect(events).toContainEqual({ kind: "tool", name: "bash", detail: "ls" });
    expect(report.usage).toEqual({ inputTokens: 11, outputTokens: 22, costUsd: 0.75 });
    expect(verdict).toEqual({ outcome: "finished" });
  });

  it("is limited for as long as the server says", () => {
    const data = { message: "slow down", statusCode: 429, responseHeaders: { "retry-after": "10800" } };
    const line = { type: "error", sessionID: "ses_1", error: { name: "APIError", data } };
    expect(play("opencode", [line], failed).verdict).toMatchObject({ outcome: "limited", untilMs: RESET });
  });

  it.each([
    [{ name: "ProviderAuthError", data: { message: "no key" } }, "unauthorised"],
    [{ name: "APIError", data: { message: "slow down", statusCode: 429 } }, "limited"],
    [{ name: "APIError", data: { message: "x", statusCode: 503 } }, "offline"],
    [{ name: "ContextOverflowError", data: { message: "x" } }, "context_exhausted"],
    [{ name: "UnknownError", data: { message: "Unexpected server error." } }, "failed"],
  ])("takes %j as %s", (told, outcome) => {
    const line = { type: "error", sessionID: "ses_1", error: told };
    expect(play("opencode", [line], failed).verdict).toMatchObject({ outcome });
  });
});

describe("copilot", () => {
  const message = (content: string, toolRequests: readonly object[] = []) => ({
    type: "assistant.message",
    data: { content, toolRequests },
  });
  const run = { toolCallId: "c1", name: "bash", arguments: { command: "node --version" } };

  it("tells its words, its tools, what it was refused, and how it ended", () => {
    const { events, report, verdict } = play("copilot", [
      message("", [run]),
      {
        type: "tool.execution_complete",
        data: { toolCallId: "c1", success: false, error: { code: "denied" } },
      },
      message("Made it."),
      { type: "result", sessionId: "s1", exitCode: 0 },
    ]);
    expect(events).toContainEqual({ kind: "tool", name: "bash", detail: "node --version" });
    expect(report).toMatchObject({ sessionId: "s1", answer: "Made it.", refusals: ["node --version"] });
    expect(verdict).toEqual({ outcome: "finished" });
  });

  it.each([
    [429, "limited"],
    [401, "unauthorised"],
    [503, "offline"],
  ])("takes an error with status %i as %s", (statusCode, outcome) => {
    const error = { type: "session.error", data: { errorType: "query", message: "refused", statusCode } };
    const lines = [error, { type: "result", sessionId: "s1", exitCode: 1 }];
    expect(play("copilot", lines, failed).verdict).toMatchObject({ outcome });
  });
});

describe("qwen", () => {
  it("says why it failed in an error of its result", () => {
    const error = { message: "[API Error: 401 Incorrect API key provided]" };
    const result = { type: "result", subtype: "error_during_execution", is_error: true, error };
    expect(play("qwen", [result], failed).verdict).toMatchObject({ outcome: "unauthorised" });
  });
});

describe("qwen at a limit", () => {
  const waiting = "[qwen-code] Waiting for API capacity... attempt 1, retry in 10800s\n";

  it("is limited until the time that it waits for", () => {
    expect(play("qwen", [], { ...failed, stderr: waiting }).verdict).toMatchObject({
      outcome: "limited",
      untilMs: RESET,
    });
  });

  it.each(["edits", "sandboxed", "full"] as const)("says with %s that it waits", (profile) => {
    const grant = { commands: [], writable: [], kept: [], isRoot: false, ticks: true };
    expect(AGENTS.qwen.permissions[profile](grant).env).toMatchObject({ QWEN_CODE_UNATTENDED_RETRY: "1" });
  });
});

describe("cursor", () => {
  it("names its tools by the field that they have", () => {
    const call = { shellToolCall: { args: { command: "npm test" } } };
    const { events } = play("cursor", [{ type: "tool_call", subtype: "started", tool_call: call }]);
    expect(events).toEqual([{ kind: "tool", name: "shell", detail: "npm test" }]);
  });
});

describe("acp", () => {
  const said = (text: string) => ({
    type: "update",
    sessionUpdate: "agent_message_chunk",
    content: { type: "text", text },
  });

  it("joins the agent's words and tells its tools and tokens", () => {
    const { events, report, verdict } = play("acp", [
      { type: "session", id: "s1" },
      said("Made "),
      said("it."),
      { type: "update", sessionUpdate: "tool_call", toolCallId: "c1", kind: "execute", title: "npm test" },
      { type: "update", sessionUpdate: "tool_call_update", toolCallId: "c1", status: "completed" },
      { type: "result", stopReason: "end_turn", usage: { inputTokens: 3, outputTokens: 2 } },
    ]);
    expect(events).toContainEqual({ kind: "text", text: "Made it." });
    expect(events.filter(({ kind }) => kind === "tool")).toEqual([
      { kind: "tool", name: "execute", detail: "npm test" },
    ]);
    expect(report).toMatchObject({ sessionId: "s1", usage: { inputTokens: 3, outputTokens: 2 } });
    expect(verdict).toEqual({ outcome: "finished" });
  });

  it.each([
    [{ code: 429, message: "Too fast" }, "limited"],
    [{ code: -32_000, status: 401, message: "Authentication required" }, "unauthorised"],
    [{ code: -32_603, message: "Internal error", data: { details: "Rate limit reached" } }, "limited"],
  ])("takes the error %j as %s", (error, outcome) => {
    const line = { type: "failed", method: "session/prompt", ...error };
    expect(play("acp", [line], failed).verdict).toMatchObject({ outcome });
  });
});

describe("aider", () => {
  it.each([
    ["litellm.RateLimitError: AnthropicException - too fast", "limited"],
    ["litellm.AuthenticationError: bad key", "unauthorised"],
    ["litellm.ContextWindowExceededError: too long", "context_exhausted"],
    ["litellm.APIConnectionError: no route", "offline"],
    ["Applied edit to a.ts", "finished"],
    ["+ throw new Error('litellm.RateLimitError');", "finished"],
  ])("takes %j at its end as %s, although it exits with 0", (line, outcome) => {
    expect(play("aider", ["Aider v0", line]).verdict).toMatchObject({ outcome });
  });

  it("is finished when it went on for long after a trouble", () => {
    const more = Array.from({ length: 50 }, (_, index) => `line ${index}`);
    expect(play("aider", ["litellm.RateLimitError: wait", ...more]).verdict).toEqual({ outcome: "finished" });
  });
});

describe("command", () => {
  it("reads no meaning into words", () => {
    const words = "usage limit reached\nECONNREFUSED\n401 Unauthorized\nexpected 429 Too Many Requests\n";
    expect(play("command", [words], { ...failed, stderr: words }).verdict).toEqual({
      outcome: "failed",
      exitCode: 1,
      because: "exit",
    });
  });

  it.each([
    ["Error: 429 Rate limit reached for requests", "limited"],
    ["429 Too Many Requests: the rate limit is 5 requests a minute", "limited"],
    ["API Error: usage limit reached", "limited"],
    ["Error: 401 Incorrect API key provided", "unauthorised"],
  ])("that fails with %j is %s, and one that does not is finished", (line, outcome) => {
    expect(play("command", [line], failed).verdict).toMatchObject({ outcome });
    expect(play("command", [], { ...failed, stderr: `${line}\n` }).verdict).toMatchObject({ outcome });
    expect(play("command", [line]).verdict).toEqual({ outcome: "finished" });
  });

  it("tells a limit with exit code 75, and when it ends with its last words", () => {
    expect(play("command", ["wait"], { exitCode: 75 }).verdict).toEqual({
      outcome: "limited",
      untilMs: undefined,
      said: "wait",
    });
    expect(play("command", ["limit ends 2026-11-15T15:00:00Z"], { exitCode: 75 }).verdict).toMatchObject({
      untilMs: RESET,
    });
    expect(play("command", [], { exitCode: 77 }).verdict).toMatchObject({ outcome: "unauthorised" });
  });
});

describe("what agents are refused", () => {
  const refusals = (name: PresetName, lines: readonly (string | object)[], exit = {}) =>
    play(name, lines, exit).report.refusals;

  it("claude reports each call, once, with what it was to do", () => {
    const call = { type: "tool_use", id: "t-1", name: "Bash", input: { command: "npm test" } };
    const denied = { type: "system", subtype: "permission_denied", tool_name: "Bash", tool_use_id: "t-1" };
    const denial = { tool_name: "Bash", tool_use_id: "t-1", tool_input: { command: "npm test" } };
    const written = {
      type: "user",
      message: { content: [{ type: "tool_result", content: "sh: 1: /etc/x: Read-only file system" }] },
    };
    expect(
      refusals("claude", [
        { type: "assistant", message: { content: [call] } },
        denied,
        written,
        { type: "result", subtype: "success", is_error: false, permission_denials: [denial] },
      ]),
    ).toEqual(["npm test", "write /etc/x"]);
  });

  it("gemini, opencode, codex and plain output report it", () => {
    expect(
      refusals("gemini", [
        { type: "tool_use", tool_name: "run_shell_command", tool_id: "g-1", parameters: { command: "make" } },
        { type: "tool_result", tool_id: "g-1", status: "error", error: { type: "policy_violation" } },
      ]),
    ).toEqual(["make"]);
    const state = {
      status: "error",
      input: { command: "make" },
      error: "The user has specified a rule which prevents you from using this specific tool call.",
    };
    expect(
      refusals("opencode", [{ type: "tool_use", sessionID: "s", part: { tool: "bash", state } }]),
    ).toEqual(["make"]);
    const output = "bash: line 1: /root/x: Read-only file system\n";
    const item = { type: "command_execution", command: "c", aggregated_output: output, exit_code: 1 };
    expect(refusals("codex", [{ type: "item.completed", item }])).toEqual(["write /root/x"]);
    expect(refusals("command", ["Error: EROFS: read-only file system, open '/home/x/.npm/y'"])).toEqual([
      "write /home/x/.npm/y",
    ]);
  });
});
