import { defineCommand } from "../command.ts";
import { snakeCase } from "../snake-case.ts";
import { snapshotTable } from "../text/show-snapshots.ts";

export const snapshotList = defineCommand({
  name: "snapshot list",
  about: "The snapshots of uncommitted work",
  operands: [],
  options: { worktree: { type: "text", value: "PATH", about: "Only those of this worktree, by path or id" } },
  examples: ["pawl snapshot list"],
  async run(context, { worktree }) {
    const snapshots = await (await context.pawl()).listSnapshots({ worktree });
    return { data: snakeCase({ snapshots }), text: (paint) => snapshotTable(snapshots, paint) };
  },
});
