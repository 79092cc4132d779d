import { Failure, type Settings } from "../../domain/index.ts";
import { WORKTREE_FIELDS } from "./fields.ts";
import { SETTINGS_FILE } from "./read-settings.ts";
import { readSettingsTable } from "./read-table.ts";

/** Which folders of the main checkout new worktrees get, and how, as `[worktree]` in `pawl.toml` has it. */
export function readShared({ tables }: Settings): {
  readonly names: readonly string[];
  readonly by: "copy" | "link";
} {
  const problems: string[] = [];
  const { share: names = [], share_by: by = "copy" } = readSettingsTable(
    WORKTREE_FIELDS,
    tables?.worktree,
    "worktree",
    (where, what) => problems.push(`${where}: ${what}`),
  );
  if (problems.length === 0) return { names, by };
  throw new Failure("settings/invalid", `${SETTINGS_FILE}: ${problems[0]}.`, { problems });
}
