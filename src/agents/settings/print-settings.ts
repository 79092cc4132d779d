import { AGENTS } from "../presets/index.ts";
import { BUILT_IN_WORKFLOWS, COMMAND_TYPES, NOTIFY_EVENTS, SETTINGS } from "../../domain/index.ts";
import { PARTS } from "../prompts/parts.ts";
import { PROMPTS } from "../prompts/templates/index.ts";
import {
  AGENT_FIELDS,
  COMMAND_FIELDS,
  type Fields,
  LANDING_FIELDS,
  WORKTREE_FIELDS,
  LIMIT_FIELDS,
  NOTIFY_FIELDS,
  VERIFY_FIELDS,
  WORKFLOW_FIELDS,
} from "../../platform/config/index.ts";

/** The page on `pawl.toml`, printed from the table. */
export function settingsReference(): string {
  const rows = Object.entries(SETTINGS).map(
    ([name, { about, example }]) => `| \`${name}\` | ${about} | \`${name} = ${JSON.stringify(example)}\` |`,
  );
  return [
    "# Configuration",
    "",
    "<!-- Printed from the tables in the source by `npm run docs`; edit those. -->",
    "",
    "`pawl.toml` at the top of the repository's main checkout; of a bare repository, in the folder `pawl/` of its git directory. Every worktree uses the same one. `pawl init` writes it, with every setting explained. Unknown names are refused.",
    "",
    "| setting | meaning | example |",
    "| --- | --- | --- |",
    ...rows,
    "",
    ...TABLE_PAGES.flatMap(tablePage),
    "## Variables",
    "",
    "| variable | meaning |",
    "| --- | --- |",
    ...VARIABLES.map(([name, about]) => `| \`${name}\` | ${about} |`),
    "",
  ].join("\n");
}

interface TablePage {
  readonly heading: string;
  readonly about: readonly string[];
  readonly fields: Fields;
}

const named = (all: Readonly<Record<string, { readonly about: string }>>): string[] =>
  Object.entries(all).map(([name, { about }]) => `- \`${name}\`: ${about}`);

const TABLE_PAGES: readonly TablePage[] = [
  {
    heading: "`[agents.<name>]`",
    about: [
      "An agent that does steps. These exist without a table; a table of the same name changes one, a table of another name adds one.",
      "",
      ...named(AGENTS),
    ],
    fields: AGENT_FIELDS,
  },
  {
    heading: "`[workflows.<name>]`",
    about: [
      "A list of commands. A table with a built-in name takes its place.",
      "",
      ...named(BUILT_IN_WORKFLOWS),
    ],
    fields: WORKFLOW_FIELDS,
  },
  {
    heading: "`[[workflows.<name>.commands]]`",
    about: [
      "One command: an agent with a prompt, or a program. Its type is one of these:",
      "",
      ...Object.entries(COMMAND_TYPES).map(([name, about]) => `- \`${name}\`: ${about}`),
      "",
      "Pawl's own prompts:",
      "",
      ...named(PROMPTS),
      "",
      "In a template of your own, Pawl replaces these names between `{{` and `}}`:",
      "",
      ...named(PARTS),
    ],
    fields: COMMAND_FIELDS,
  },
  {
    heading: "`[verify]`",
    about: [
      "How Pawl verifies a step. All of these must pass; the first that fails decides:",
      "",
      "1. no item of its checklist is open;",
      "2. with `run_checkpoints`, the step's own verification, then its checkpoint items that begin with a command;",
      "3. `command`;",
      "4. `agent`.",
    ],
    fields: VERIFY_FIELDS,
  },
  {
    heading: "`[limits]`",
    about: [
      "What agents may use before Pawl asks a person. Pawl finishes work that has begun before a limit of cost or time takes effect.",
    ],
    fields: LIMIT_FIELDS,
  },
  {
    heading: "`[notify]`",
    about: [
      'Who is notified of what. A message never holds a value of a variable that looks like a key, and neither delays nor fails a run: what could not be delivered is a warning at its end, after at most 20 seconds. `notify = ["./scripts/tell-the-team"]` is short for that `command` with `on = ["ended"]`.',
      "",
      ...Object.entries(NOTIFY_EVENTS).map(([name, about]) => `- \`${name}\`: ${about}`),
    ],
    fields: NOTIFY_FIELDS,
  },
  {
    heading: "`[landing]`",
    about: ["How verified steps land on the plan's branch."],
    fields: LANDING_FIELDS,
  },
  {
    heading: "`[worktree]`",
    about: [
      "What a new worktree gets besides the files of its branch. `.worktreeinclude` in the main checkout names single files: patterns as in `.gitignore`, for files that git ignores.",
    ],
    fields: WORKTREE_FIELDS,
  },
];

const tablePage = ({ heading, about, fields }: TablePage): readonly string[] => [
  `## ${heading}`,
  "",
  ...about,
  "",
  "| field | meaning | example |",
  "| --- | --- | --- |",
  ...Object.entries(fields).map(
    ([name, { about: meaning, example }]) => `| \`${name}\` | ${meaning} | \`${example}\` |`,
  ),
  "",
];

const VARIABLES = [
  ["PAWL_STATE_DIR", "Folder of the embedded database, instead of `pawl/` in git's common directory"],
  ["PAWL_DATABASE_URL", "PostgreSQL server that keeps the state; wins over `database_url`"],
  [
    "PAWL_DATABASE_URL_FILE",
    "A file with that URL, readable only by its owner; `pawl run` gives agents one when the URL has a password",
  ],
  ["PAWL_REPOSITORY_ID", "Name of this repository on the server; wins over `repository_id`"],
  ["PAWL_HOST_ID", "Name of this machine, where machine ids are not unique (cloned images)"],
  [
    "PAWL_PLAN, PAWL_STEP",
    "The plan and the step of `pawl commit`, when left out; set for agents in a session",
  ],
  ["PAWL_WORKTREE", "The worktree of the caller, when `--worktree` is left out; set for agents in a session"],
  [
    "PAWL_PORT_BASE",
    "The first of 100 ports that are meant for the servers of this worker alone; set for agents and checks of a run. No other worker of the same run has them; two runs that work at the same time on one machine get the same ones in one case of twelve",
  ],
  ["PAWL_CLAIM", "The number of the claim, when `--claim` is left out; set for agents in a session"],
  [
    "PAWL_SESSION",
    "The session a call belongs to; set for agents in a session. Verbs for people are refused where it is set, and to such agents also where they unset it",
  ],
  ["PAWL_DEBUG", "Print the stack of an internal failure"],
  ["NO_COLOR, FORCE_COLOR", "Never, or always, print colours"],
] as const;
