import { SETTINGS } from "./settings.ts";

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
    "`pawl.toml` at the top of the repository's main checkout; of a bare repository, in the folder `pawl/` of its git directory. Every worktree uses the same one. `pawl init` writes it, with everything in comments. Unknown names are refused.",
    "",
    "| setting | meaning | example |",
    "| --- | --- | --- |",
    ...rows,
    "",
    "## Variables",
    "",
    "| variable | meaning |",
    "| --- | --- |",
    ...VARIABLES.map(([name, about]) => `| \`${name}\` | ${about} |`),
    "",
  ].join("\n");
}

const VARIABLES = [
  ["PAWL_STATE_DIR", "Where the embedded database lies, instead of `pawl/` in git's common directory"],
  ["PAWL_DATABASE_URL", "PostgreSQL server that keeps the state; wins over `database_url`"],
  ["PAWL_REPOSITORY_ID", "Name of this repository on the server; wins over `repository_id`"],
  ["PAWL_HOST_ID", "Name of this machine, where machine ids are not unique (cloned images)"],
  [
    "PAWL_PLAN, PAWL_STEP",
    "The plan and the step of `pawl commit`, when left out; set for agents in a session",
  ],
  ["PAWL_WORKTREE", "The worktree of the caller, when `--worktree` is left out; set for agents in a session"],
  ["PAWL_CLAIM", "The number of the claim, when `--claim` is left out; set for agents in a session"],
  ["PAWL_SESSION", "The session a call belongs to; verbs for people are refused where it is set"],
  ["PAWL_DEBUG", "Show where an internal failure came from"],
  ["NO_COLOR, FORCE_COLOR", "Never, or always, print colours"],
] as const;
