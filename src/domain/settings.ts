import { TRAILER_FAMILIES } from "./trailer-families.ts";

/**
 * Everything `pawl.toml` may say, in one table: types, checks and the reference page come from it.
 *
 * A `list` is a list of text; a command is one, so that no shell ever reads it. A `flag` is true or false, a `count` a whole number above 0.
 */
export const SETTINGS = {
  database_url: {
    type: "text",
    about:
      "PostgreSQL server that keeps the state, for agents on several machines; PAWL_DATABASE_URL wins over it",
    example: "postgres://pawl@db.example.com/pawl",
  },
  repository_id: {
    type: "text",
    about:
      "Name of this repository on the server, where the first commit and the remote do not identify it; the same in every clone",
    example: "my-project",
  },
  trailer_prefix: {
    type: "text",
    about:
      "Family of the trailers that name plan and step in a commit; without it `Tug` where recent commits have those, else `Pawl`",
    example: "Tug",
    choices: TRAILER_FAMILIES,
  },
  remote: {
    type: "text",
    about: "The remote that commits are shared through",
    example: "origin",
  },
  publish: {
    type: "text",
    about:
      "How a plan is offered for review: `pull-request` opens one pull or merge request per plan on the service that hosts `remote`, as a draft at the first landing, keeps its text current and marks it as ready at the end",
    example: "pull-request",
    choices: ["pull-request"],
  },
  publish_with: {
    type: "text",
    about:
      "The program on PATH that makes the requests; by the host of `remote` when left out: `glab` where its name has `gitlab`, else `gh`",
    example: "glab",
    choices: ["gh", "glab"],
  },
  publish_checks: {
    type: "flag",
    about:
      "Whether the hosting service's own checks of the request count: they are in its text, a failure is reported, and a draft stays one until they pass",
    example: true,
  },
  editor: {
    type: "text",
    about:
      "The editor that the page's links to files open: `vscode`, `cursor`, `zed`, `idea`, or an address with `{path}` and `{line}`; without it there are none",
    example: "vscode",
  },
  snapshot_ignored: {
    type: "flag",
    about: "Whether snapshots of uncommitted work hold ignored files too",
    example: true,
  },
  commit_status: {
    type: "flag",
    about:
      "Whether the status that Pawl writes into a plan's files is committed when steps land in the main checkout: by `pawl worktree merge`, and by a commit made there; otherwise committing it is left to you. One setting for all formats",
    example: true,
  },
  base_branch: {
    type: "text",
    about: "The branch that new worktrees start from and are merged into; the main checkout's when left out",
    example: "main",
  },
  worktree_dir: {
    type: "text",
    about:
      "Folder that new worktrees go into, from the top of the main checkout; `.pawl/worktrees` when left out",
    example: "../worktrees",
  },
  worktree_setup: {
    type: "list",
    about: "Command that prepares a new worktree, run once in it: a program and its arguments, no shell",
    example: ["npm", "ci"],
  },
  agent: {
    type: "text",
    about: "The agent that does the work, when `--agent` is left out",
    example: "claude",
  },
  fallback: {
    type: "list",
    about:
      'Agents that continue the same step in the same worktree, in this order, while `agent` is at a usage limit or its key is rejected; it returns when its limit resets. `agents = ["claude", "codex"]` says both where no `[agents.X]` is needed, and so does `--agent claude,codex`',
    example: ["codex"],
  },
  workflow: {
    type: "text",
    about: "The workflow of a run, when `--workflow` is left out; `implement` unless said otherwise",
    example: "review",
  },
  log_budget_mb: {
    type: "count",
    about:
      "Megabytes that the logs of one run may take; a log may have a quarter of what is left and always keeps its beginning and end; 128 when left out",
    example: 512,
  },
} as const satisfies Record<string, SettingSpec>;

type SettingSpec = {
  readonly [T in SettingType]: {
    readonly type: T;
    readonly about: string;
    readonly example: TypeOf[T];
    /** Whatever else is refused. */
    readonly choices?: readonly TypeOf[T][];
  };
}[SettingType];

/** What a value of each type is, once it was checked. */
interface TypeOf {
  readonly text: string;
  readonly list: readonly string[];
  readonly flag: boolean;
  readonly count: number;
}

export type SettingType = keyof TypeOf;
export type SettingName = keyof typeof SETTINGS;

/** Tables that most verbs do not need. They are taken as they are here and checked where they are used. */
export const TABLES = ["agents", "workflows", "verify", "landing", "limits", "worktree", "notify"] as const;

export type TableName = (typeof TABLES)[number];

export type Settings = { readonly [K in SettingName]?: TypeOf[(typeof SETTINGS)[K]["type"]] } & {
  readonly tables?: { readonly [K in TableName]?: unknown };
};
