import type { AgentPreset, Argument } from "../agent-preset.ts";
import { ALL_SIGNS } from "../signs.ts";
import { readClaudeEvents } from "./claude.ts";

const OPTIONS: readonly Argument[] = ["--execute", "--stream-json"];

/** Amp in execute mode. Its events are Claude Code's, and it asks for nothing. */
export const amp: AgentPreset = {
  about: "Amp (`amp --execute`)",
  program: "amp",
  prompt: "stdin",
  start: OPTIONS,
  resume: ["threads", "continue", ["{session}"], ...OPTIONS],
  sessionId: "theirs",
  permissions: { edits: () => ({}), sandboxed: () => ({}), full: () => ({}) },
  sandbox: "pawl",
  hasCommandList: false,
  ownFolders: ["~/.config/amp", "~/.local/share/amp", "~/.cache/amp"],
  output: "events",
  reader: readClaudeEvents,
  signs: ALL_SIGNS,
  exitCodes: {},
  exitCodeIsTrue: true,
  isUntried: true,
};
