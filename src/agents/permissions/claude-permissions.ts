import type { AgentPreset, Argument, Grant } from "../agent-preset.ts";
import { hookCommandLine } from "../hook-command.ts";
import type { Json } from "../json-line.ts";

/** Claude Code refuses what its lists do not allow, and it has a sandbox of its own for commands. */
export const CLAUDE_PERMISSIONS: AgentPreset["permissions"] = {
  edits: (grant) => ({ args: editing(grant), settings: settingsFor(grant) }),
  sandboxed: (grant) => ({ args: editing(grant), settings: settingsFor(grant, sandboxOf(grant)) }),
  full: (grant) => ({
    // To root it refuses the mode that asks for nothing; the same as a list of tools it takes.
    args: grant.isRoot
      ? [["--permission-mode", "acceptEdits"], ALL_TOOLS]
      : [["--permission-mode", "bypassPermissions"]],
    settings: settingsFor(grant),
  }),
};

/** Everything that Pawl's `--settings` of Claude Code hold, whatever the profile, and what the profile adds. */
const settingsFor = ({ ticks }: Grant, profile: Json = {}): Json => ({
  ...profile,
  ...(ticks
    ? { hooks: { Stop: [{ hooks: [{ type: "command", command: hookCommandLine("stop"), timeout: 10 }] }] } }
    : {}),
});

const ALL_TOOLS: Argument = {
  list: ["--allowedTools", "Bash", "Edit", "Write", "NotebookEdit", "WebFetch", "WebSearch"],
};

const editing = ({ commands }: Grant): readonly Argument[] => [
  ["--permission-mode", "acceptEdits"],
  { list: ["--allowedTools", "Bash(pawl:*)", ...commands.flatMap(commandRules)] },
];

/** As it is, and with further arguments, unless it says itself what may follow. */
const commandRules = (command: string): readonly string[] =>
  command.endsWith("*") ? [`Bash(${command})`] : [`Bash(${command})`, `Bash(${command} *)`];

const sandboxOf = ({ writable, kept }: Grant): Json => ({
  sandbox: {
    enabled: true,
    autoAllowBashIfSandboxed: true,
    filesystem: { allowWrite: writable, denyWrite: kept },
  },
});
