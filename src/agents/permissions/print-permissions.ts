import { PERMISSION_PROFILES, type PermissionProfile, shellArgument } from "../../domain/index.ts";
import type { AgentPreset, Grant } from "../agent-preset.ts";
import { composeStart } from "../compose-start.ts";
import { AGENTS } from "../presets/index.ts";

const EXAMPLE: Grant = {
  commands: ["npm test", "cargo *"],
  writable: ["STATE"],
  kept: ["STATE/logs"],
  isRoot: false,
  ticks: true,
};

/** The page on permissions: exactly what each agent gets, composed the way a run composes it. */
export const permissionsReference = (): string =>
  [
    "# Permissions of agents",
    "",
    "<!-- Printed from the tables in the source by `npm run docs`; edit those. -->",
    "",
    '`[agents.<name>] permissions = "…"` in `pawl.toml` says what an agent may do:',
    "",
    ...Object.entries(PERMISSION_PROFILES).map(([name, about]) => `- \`${name}\`: ${about}`),
    "",
    "`verify.command` may always be run. `allow` adds commands and `writable` adds folders. Options of `args` that take a list, and claude's `--settings`, are added to Pawl's; any other option of `args` takes the place of Pawl's.",
    "",
    "Pawl's own sandbox is bubblewrap, on Linux: the file system is mounted read-only but for the worktree, what git writes for a commit, Pawl's state folder without its logs, the agent's own folders, `writable` and temporary files. Git's settings and hooks, and the `pawl` that agents call, stay out of reach. Network and processes are shared with the machine: it protects files from mistakes and is no prison for a hostile program. `full` starts the agent without it. `pawl doctor` says whether this machine has what is needed, and `pawl run --dry-run` shows what an agent gets.",
    "",
    'In the lines below `npm test` is `verify.command`, `allow = ["cargo *"]`, and STATE is Pawl\'s state folder.',
    "",
    ...Object.entries(AGENTS).flatMap(([name, preset]) => [
      `## ${name}`,
      "",
      `${SANDBOXES[preset.sandbox]}${preset.hasCommandList ? "" : NO_LIST}${preset.isUntried ? UNTRIED : ""}`,
      "",
      ...formsOf(preset),
    ]),
  ].join("\n");

const SANDBOXES: Readonly<Record<AgentPreset["sandbox"], string>> = {
  own: "Contained by its own sandbox for commands, which needs bubblewrap and socat on Linux.",
  bundled: "Contained by the sandbox that it brings along.",
  pawl: "Pawl starts it in bubblewrap.",
};

const NO_LIST =
  " It cannot be limited to a list of commands: with `edits`, too, every command may run, in the sandbox.";

const UNTRIED =
  " This preset was written from the program's documentation; no released version of it has been run with Pawl yet.";

function formsOf(preset: AgentPreset): readonly string[] {
  return (Object.keys(PERMISSION_PROFILES) as PermissionProfile[]).flatMap((profile) => {
    const { argv, env, file } = composeStart({
      choice: { preset, program: [preset.program ?? "PROGRAM"], args: [] },
      blanks: {},
      mode: "start",
      profile,
      grant: EXAMPLE,
      pathOf: (name) => `LOGS/${name}`,
      read: () => undefined,
    });
    const variables = Object.entries(env).map(([name, value]) => `${name}=${shellArgument(value)} `);
    return [
      `\`${profile}\``,
      "",
      "```text",
      `${variables.join("")}${argv.map(shellArgument).join(" ")}`,
      "```",
      "",
      ...(file === undefined ? [] : ["```text", `# ${file.path}`, file.text.trimEnd(), "```", ""]),
    ];
  });
}
