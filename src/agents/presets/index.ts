import type { AgentPreset } from "../agent-preset.ts";
import { aider } from "./aider.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { command } from "./command.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";

/** Every agent that Pawl knows how to work with. */
export const AGENTS = { claude, codex, gemini, aider, opencode, command } as const satisfies Record<
  string,
  AgentPreset
>;

export type AgentName = keyof typeof AGENTS;
