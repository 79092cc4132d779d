import type { AgentPreset, Argument, Grant } from "../agent-preset.ts";
import type { Json } from "../json-line.ts";

/** Claude Code refuses what its lists do not allow, and it has a sandbox of its own for commands. */
export const CLAUDE_PERMISSIONS: AgentPreset["permissions"] = {
  edits: (grant) => ({ args: editing(grant), settings: settingsFor() }),
  sandboxed: (grant) => ({ args: editing(grant), settings: settingsFor(sandboxOf(grant)) }),
  full: ({ isRoot }) => ({
    // To root it refuses the mode that asks for nothing; the same as a list of tools it takes.
    args: isRoot
      ? [["--permission-mode", "acceptEdits"], ALL_TOOLS]
      : [["--permission-mode", "bypassPermissions"]],
    settings: settingsFor(),
  }),
};

/** Everything that Pawl's `--settings` of Claude Code hold, whatever the profile, and what the profile adds. */
const settingsFor = (profile: Json = {}): Json => ({ ...profile });

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
