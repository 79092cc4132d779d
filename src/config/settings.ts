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
  snapshot_ignored: {
    about: "Whether snapshots of uncommitted work hold ignored files too",
    example: true,
  },
} as const satisfies Record<string, { readonly about: string; readonly example: string | boolean }>;

export type SettingName = keyof typeof SETTINGS;

/** A setting has the type of its example. */
export type Settings = {
  readonly [K in SettingName]?: (typeof SETTINGS)[K]["example"] extends boolean ? boolean : string;
};
