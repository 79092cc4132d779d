import { type AgentPreset, PROGRAM } from "../agent-preset.ts";
import { acp } from "./acp.ts";

/** goose, over the Agent Client Protocol. Its mode decides whether it asks before it runs a command. */
export const goose: AgentPreset = {
  ...acp,
  about: "goose (`goose acp`)",
  program: "goose",
  start: acp.start.flatMap((word) => (word === PROGRAM ? [PROGRAM, "acp"] : [word])),
  resume: acp.resume?.flatMap((word) => (word === PROGRAM ? [PROGRAM, "acp"] : [word])),
  permissions: {
    edits: (grant) => ({ ...acp.permissions.edits(grant), env: { GOOSE_MODE: "smart_approve" } }),
    sandboxed: () => ({ env: { GOOSE_MODE: "auto" } }),
    full: () => ({ env: { GOOSE_MODE: "auto" } }),
  },
  ownFolders: ["~/.config/goose", "~/.local/share/goose", "~/.local/state/goose"],
  isUntried: true,
};
