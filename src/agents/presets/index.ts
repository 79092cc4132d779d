import type { AgentPreset, PresetName } from "../agent-preset.ts";
import { acp } from "./acp.ts";
import { aider } from "./aider.ts";
import { amp } from "./amp.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { command } from "./command.ts";
import { copilot } from "./copilot.ts";
import { cursor } from "./cursor.ts";
import { gemini } from "./gemini.ts";
import { goose } from "./goose.ts";
import { opencode } from "./opencode.ts";
import { qwen } from "./qwen.ts";

/** Every agent that Pawl knows how to work with. */
export const AGENTS: Readonly<Record<PresetName, AgentPreset>> = {
  claude,
  codex,
  gemini,
  opencode,
  copilot,
  qwen,
  cursor,
  amp,
  goose,
  aider,
  acp,
  command,
};
