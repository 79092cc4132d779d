// How each agent prints what happens. A voice turns a happening into lines.

/**
 * @param {string} id the conversation's id
 * @param {() => number} turn how many runs of the conversation have reported what it used, with this one
 */
export const VOICES = {
  // Tokens are those of this run; the cost, and the tokens by model, are those of all runs of the conversation.
  claude: (id, turn) => {
    const result = (fields) => {
      const runs = turn();
      const modelUsage = { scripted: { inputTokens: 10 * runs, outputTokens: 5 * runs } };
      const used = { usage: USAGE, modelUsage, total_cost_usd: 0.01 * runs };
      return json({ type: "result", session_id: id, num_turns: 1, ...used, ...fields });
    };
    const words = (text, more = {}) =>
      json({
        type: "assistant",
        session_id: id,
        message: { role: "assistant", content: [{ type: "text", text }] },
        ...more,
      });
    const broke = (status, name, text) => [
      words(text, { error: name, is_api_error_message: true }),
      result({ subtype: "success", is_error: true, api_error_status: status, result: text }),
    ];
    return {
      begin: () => [json({ type: "system", subtype: "init", session_id: id })],
      say: (text) => [words(text)],
      tool: (name, detail) => [
        json({
          type: "assistant",
          session_id: id,
          message: { role: "assistant", content: [{ type: "tool_use", name, input: { file_path: detail } }] },
        }),
      ],
      end: (text) => [result({ subtype: "success", is_error: false, result: text })],
      fail: (text) => [result({ subtype: "error_during_execution", is_error: true, result: text })],
      limit: (resetsAt) => [
        json({
          type: "rate_limit_event",
          rate_limit_info: { status: "rejected", resetsAt, rateLimitType: "five_hour" },
        }),
        ...broke(429, "rate_limit", "You've hit your limit"),
      ],
      unauthorised: () => broke(401, "authentication_failed", "Invalid API key · Fix external API key"),
      contextExhausted: () => broke(400, "invalid_request", "Prompt is too long"),
      offline: () => broke(null, "server_error", "API Error: Unable to connect to API (ConnectionRefused)"),
    };
  },

  // Tokens are those of all runs of the conversation.
  codex: (id, turn) => {
    const used = (runs) => ({ input_tokens: 10 * runs, output_tokens: 5 * runs });
    const item = (fields) => json({ type: "item.completed", item: { id: "item_0", ...fields } });
    const broke = (message) => [
      json({ type: "error", message }),
      json({ type: "turn.failed", error: { message } }),
    ];
    return {
      begin: () => [json({ type: "thread.started", thread_id: id }), json({ type: "turn.started" })],
      say: (text) => [item({ type: "agent_message", text })],
      tool: (_name, detail) => [item({ type: "file_change", changes: [{ path: detail, kind: "update" }] })],
      end: (text) => [
        item({ type: "agent_message", text }),
        json({ type: "turn.completed", usage: used(turn()) }),
      ],
      fail: broke,
      limit: (resetsAt) =>
        broke(json({ error: { type: "usage_limit_reached", message: "Limit.", resets_at: resetsAt } })),
      unauthorised: () => broke("unexpected status 401 Unauthorized: Incorrect API key provided"),
      contextExhausted: () =>
        broke(json({ error: { code: "context_length_exceeded", message: "Too much." } })),
      offline: () => broke("stream disconnected before completion: error sending request"),
    };
  },

  gemini: (id) => {
    const broke = (message) => [json({ type: "result", status: "error", error: { type: "Error", message } })];
    return {
      begin: () => [json({ type: "init", session_id: id })],
      say: (text) => [json({ type: "message", role: "assistant", content: `${text}\n`, delta: true })],
      tool: (name, detail) => [
        json({ type: "tool_use", tool_name: name, parameters: { file_path: detail } }),
      ],
      end: (text) => [
        json({ type: "message", role: "assistant", content: `${text}\n`, delta: true }),
        json({ type: "result", status: "success", stats: USAGE }),
      ],
      fail: broke,
      limit: (resetsAt) => broke(`RESOURCE_EXHAUSTED: quota exceeded, "resets_at": ${resetsAt}`),
      unauthorised: () => broke("invalid api key"),
      contextExhausted: () => broke("The input exceeds the context window."),
      offline: () => broke("fetch failed"),
    };
  },

  opencode: (id) => {
    const part = (type, fields) => json({ type, sessionID: id, part: fields });
    const broke = (name, message, statusCode) => [
      json({ type: "error", sessionID: id, error: { name, data: { message, statusCode } } }),
    ];
    return {
      begin: () => [part("step_start", {})],
      say: (text) => [part("text", { text })],
      tool: (name, detail) => [part("tool_use", { tool: name, state: { input: { filePath: detail } } })],
      end: (text) => [
        part("text", { text }),
        part("step_finish", { cost: 0.01, tokens: { input: 10, output: 5 } }),
      ],
      fail: (text) => broke("UnknownError", text),
      limit: (resetsAt) => broke("APIError", `rate limit, "resets_at": ${resetsAt}`, 429),
      unauthorised: () => broke("ProviderAuthError", "no key"),
      contextExhausted: () => broke("ContextOverflowError", "too much"),
      offline: () => broke("APIError", "no answer", 503),
    };
  },

  plain: () => ({
    begin: () => [],
    say: (text) => [text],
    tool: (name, detail) => [`${name} ${detail}`],
    end: (text) => [text],
    fail: (text) => [text],
    limit: (resetsAt) => [`not now, limit ends ${new Date(resetsAt * 1000).toISOString()}`],
    unauthorised: () => ["the key was refused"],
    contextExhausted: () => ["the context is full"],
    offline: () => ["no network"],
  }),
};

/** Exit codes by which a plain program says what an agent says in words. */
export const PLAIN_EXITS = { limit: 75, unauthorised: 77 };

const USAGE = { input_tokens: 10, output_tokens: 5 };

const json = (value) => JSON.stringify(value);
