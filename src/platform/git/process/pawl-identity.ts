/**
 * Who made the commits that keep work under `refs/pawl/`.
 *
 * They are no person's statement, and work must be saved also where git has no name configured.
 */
export const PAWL_IDENTITY = {
  GIT_AUTHOR_NAME: "Pawl",
  GIT_AUTHOR_EMAIL: "pawl@localhost",
  GIT_COMMITTER_NAME: "Pawl",
  GIT_COMMITTER_EMAIL: "pawl@localhost",
} as const;
