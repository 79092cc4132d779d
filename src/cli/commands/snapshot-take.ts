import { plural } from "../../domain/index.ts";
import { defineCommand } from "../command.ts";
import { shortName } from "../text/show-snapshots.ts";
import { snakeCase } from "../../journal/index.ts";

export const snapshotTakeCommand = defineCommand({
  name: "snapshot take",
  more: `Saves modified, staged, untracked and deleted files, conflicts, and an unfinished merge or rebase as a commit
under refs/pawl/snapshots. Files, index and stash stay as they are. Ignored files are saved only with
\`snapshot_ignored = true\` in pawl.toml.`,
  operands: [],
  options: {
    worktree: {
      type: "text",
      value: "PATH",
      about: "The worktree; PAWL_WORKTREE, or the one around the current folder, when left out",
    },
    reason: { type: "text", value: "TEXT", about: "Why; shown in the list" },
  },
  examples: ["pawl snapshot take", 'pawl snapshot take --reason "before the rewrite"'],
  async run(context, { worktree, reason }) {
    const path = worktree ?? (context.env["PAWL_WORKTREE"] || undefined);
    const { taken, snapshot } = await (await context.pawl()).takeSnapshot({ worktree: path, reason });
    return {
      data: snakeCase({ taken, snapshot }),
      text: (paint) => {
        if (snapshot === null) return "Nothing to save: everything is committed.";
        const paths = plural(snapshot.files, "path");
        return [
          `${paint.green("Kept")} ${paths} of ${paint.bold(snapshot.worktree)} as ${paint.plain(snapshot.ref)}`,
          `Restore it with: pawl snapshot restore ${paint.plain(shortName(snapshot))}`,
        ].join("\n");
      },
    };
  },
});
