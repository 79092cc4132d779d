import { resolve } from "node:path";
import { defineCommand } from "../command.ts";
import { shortName, SNAPSHOT } from "../text/show-snapshots.ts";
import { snakeCase } from "../../journal/index.ts";

export const snapshotRestoreCommand = defineCommand({
  name: "snapshot restore",
  more: `Without --to, Pawl restores the files, the index and an unfinished merge or rebase in the worktree. It first
saves what is there now as a snapshot, and never removes files that no snapshot holds. With --to, it writes all files
of the snapshot to a new folder. Run it again if it was interrupted.`,
  operands: [SNAPSHOT],
  options: {
    to: { type: "text", value: "DIR", about: "A folder that does not exist yet, or is empty" },
    worktree: { type: "text", value: "PATH", about: "Another worktree than the one it was taken in" },
    "files-only": {
      type: "flag",
      about: "Leave the index alone; also works when another commit is checked out",
    },
  },
  examples: ["pawl snapshot restore 3f9c2a", "pawl snapshot restore 3f9c2a --to ../rescued"],
  async run(context, { to, worktree, "files-only": filesOnly }, [name = ""]) {
    const folder = to === undefined ? undefined : resolve(context.cwd, to);
    const answer = await (await context.pawl()).restoreSnapshot({ name, to: folder, worktree, filesOnly });
    const { snapshot, path, before } = answer;
    return {
      data: snakeCase(answer),
      text: (paint) => {
        const line = `${paint.green("Restored")} ${paint.plain(shortName(snapshot))} to ${paint.bold(path)}`;
        return before === null
          ? line
          : `${line}\nWhat was there before: pawl snapshot restore ${paint.plain(shortName(before))}`;
      },
    };
  },
});
