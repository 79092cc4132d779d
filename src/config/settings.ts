/**
 * Everything `pawl.toml` may say, in one table: types, checks and the reference page come from it.
 */
export const SETTINGS = {
  database_url: {
    about:
      "PostgreSQL server that keeps the state, for agents on several machines; PAWL_DATABASE_URL wins over it",
    example: "postgres://pawl@db.example.com/pawl",
  },
  repository_id: {
    about:
      "Name of this repository on the server, when the first commit and the remote do not tell; the same in every clone",
    example: "my-project",
  },
  remote: {
    about: "The remote that commits are shared through",
    example: "origin",
  },
  agent: {
    about: "The agent that does the work, when `--agent` is left out",
    example: "claude",
  },
  workflow: {
    about: "The workflow of a run, when `--workflow` is left out; `implement` unless said otherwise",
    example: "review",
  },
} as const satisfies Record<string, { readonly about: string; readonly example: string }>;

export type SettingName = keyof typeof SETTINGS;

/** Tables that only runs need. They are taken as they are here and checked where they are used. */
export const TABLES = ["agents", "workflows", "verify"] as const;

export type TableName = (typeof TABLES)[number];

export type Settings = { readonly [K in SettingName]?: string } & {
  readonly tables?: { readonly [K in TableName]?: unknown };
};
