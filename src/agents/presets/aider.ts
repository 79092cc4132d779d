import { PROMPT_FILE } from "../../platform/ports/index.ts";
import type { AgentPreset } from "../agent-preset.ts";
import { plainReader } from "../json-line.ts";

/** Aider, started so that it does not commit: Pawl does that, with evidence. It ends with 0 whatever its model answered. */
export const aider: AgentPreset = {
  about: "Aider (`aider --message-file`)",
  program: "aider",
  prompt: "file",
  start: [
    "--message-file",
    PROMPT_FILE,
    "--yes-always",
    "--no-stream",
    "--no-pretty",
    "--no-auto-commits",
    "--no-dirty-commits",
    "--no-check-update",
    ["--model", "{model}"],
  ],
  resume: undefined,
  sessionId: "none",
  permissions: { edits: () => ({}), sandboxed: () => ({}), full: () => ({}) },
  sandbox: "pawl",
  hasCommandList: false,
  ownFolders: ["~/.aider"],
  output: "plain",
  reader: plainReader,
  // At the start of a line only: aider prints the files and the model's words, too.
  signs: [
    { kind: "limited", words: /^(?:litellm\.RateLimitError|The API provider has rate limited you)/ },
    {
      kind: "unauthorised",
      words: /^(?:litellm\.AuthenticationError|The API provider is not able to authenticate)/,
    },
    {
      kind: "context_exhausted",
      words: /^(?:litellm\.ContextWindowExceededError|The chat session is larger than the context window)/,
    },
    { kind: "context_exhausted", words: /^Model \S+ has hit a token limit/ },
    {
      kind: "offline",
      words:
        /^(?:litellm\.(?:APIConnectionError|Timeout|ServiceUnavailableError|InternalServerError)|The API provider's servers are down)/,
    },
  ],
  exitCodes: {},
  exitCodeIsTrue: false,
};
