import type { AgentPreset, PresetName } from "../agent-preset.ts";
import { aider } from "./aider.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { command } from "./command.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";

/** Every agent that Pawl knows how to work with. */
export const AGENTS: Readonly<Record<PresetName, AgentPreset>> = {
  claude,
  codex,
  gemini,
  aider,
  opencode,
  command,
};
