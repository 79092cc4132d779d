import { type AgentPreset, type Argument, type Grant, PERMISSIONS } from "../agent-preset.ts";
import { ALL_SIGNS } from "../signs.ts";
import { readClaudeEvents } from "./claude.ts";

const withConversation = (option: string): readonly Argument[] => [
  "--output-format",
  "stream-json",
  PERMISSIONS,
  [option, "{session}"],
  ["--model", "{model}"],
  ["--max-session-turns", "{max_turns}"],
];

const toolRules = ({ commands }: Grant): readonly Argument[] =>
  ["pawl", ...commands].map((command) => ({
    list: ["--allowed-tools", `run_shell_command(${command.replace(/(?<!\s)\s*\*$/, "")})`],
  }));

/** Qwen Code. Its events are Claude Code's. */
export const qwen: AgentPreset = {
  about: "Qwen Code (`qwen`)",
  program: "qwen",
  prompt: "stdin",
  start: withConversation("--session-id"),
  resume: withConversation("--resume"),
  sessionId: "ours",
  permissions: {
    edits: (grant) => ({ args: [["--approval-mode", "auto-edit"], ...toolRules(grant)], env: WAITING_ALOUD }),
    sandboxed: () => ({ args: [["--approval-mode", "yolo"]], env: { ...WAITING_ALOUD, ...QUIET } }),
    full: () => ({ args: [["--approval-mode", "yolo"]], env: { ...WAITING_ALOUD, ...QUIET } }),
  },
  sandbox: "pawl",
  hasCommandList: true,
  ownFolders: ["~/.qwen"],
  output: "events",
  reader: readClaudeEvents,
  signs: [{ kind: "limited", words: /^\[qwen-code\] Waiting for API capacity/ }, ...ALL_SIGNS],
  exitCodes: { 53: "turns" },
  exitCodeIsTrue: true,
};

/** At a limit it waits without a word, for hours; so it says every half minute that it does. */
const WAITING_ALOUD = { QWEN_CODE_UNATTENDED_RETRY: "1" };

/** Pawl has said what contains it. */
const QUIET = { QWEN_CODE_SUPPRESS_YOLO_WARNING: "1" };
