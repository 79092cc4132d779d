// The door of this room: other rooms import from here alone.
export type { AgentListener } from "./agent-output.ts";
export type { Grant } from "./agent-preset.ts";
export { converse } from "./acp/converse.ts";
export { type AgentContainment, containmentOf } from "./permissions/containment.ts";
export { composeStart } from "./compose-start.ts";
export { permissionsReference } from "./permissions/print-permissions.ts";
export { hookCommandLine } from "./hook-command.ts";
export { knownAgents, type KnownAgent } from "./installed-agents.ts";
export { eventLines } from "./last-lines.ts";
export { PLAIN_PROGRAM } from "./presets/command.ts";
export { AGENTS } from "./presets/index.ts";
export { continuePrompt } from "./prompts/continue.ts";
export { fillTemplate } from "./prompts/fill-template.ts";
export {
  EMPTY_CONTEXT,
  type PromptContext,
  type PromptHandover,
  type PromptPassage,
  type PromptStep,
  type PromptVerdict,
} from "./prompts/prompt-context.ts";
export { line, words } from "./prompts/quote.ts";
export { SKILLS, skillFile, skillText } from "./prompts/skills.ts";
export { PROMPTS } from "./prompts/templates/index.ts";
export { type TranscriptEvent, transcriptLine } from "./transcript.ts";
export { runAgent } from "./run-agent.ts";
export { settingsReference } from "./settings/print-settings.ts";
export { settingsSchema } from "./settings/settings-schema.ts";
export {
  type NamedAgent,
  type NotifySettings,
  type RunSettings,
  agentOf,
  runSettingsOf,
  workflowOf,
} from "./settings/run-settings.ts";
