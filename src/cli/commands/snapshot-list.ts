import { defineCommand } from "../command.ts";
import { snapshotTable } from "../text/show-snapshots.ts";
import { snakeCase } from "../../journal/index.ts";

export const snapshotListCommand = defineCommand({
  name: "snapshot list",
  operands: [],
  options: { worktree: { type: "text", value: "PATH", about: "Only those of this worktree, by path or id" } },
  examples: ["pawl snapshot list"],
  async run(context, { worktree }) {
    const snapshots = await (await context.pawl()).listSnapshots({ worktree });
    return { data: snakeCase({ snapshots }), text: (paint) => snapshotTable(snapshots, paint) };
  },
});
