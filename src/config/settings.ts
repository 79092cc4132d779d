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
  trailer_prefix: {
    about:
      "Family of the trailers that name plan and step in a commit; without it `Tug` where recent commits have those, else `Pawl`",
    example: "Tug",
    choices: ["Pawl", "Tug"],
  },
  remote: {
    about: "The remote that commits are shared through",
    example: "origin",
  },
} as const satisfies Record<
  string,
  {
    readonly about: string;
    readonly example: string;
    readonly choices?: readonly string[];
  }
>;

export type SettingName = keyof typeof SETTINGS;

export type Settings = { readonly [K in SettingName]?: string };
