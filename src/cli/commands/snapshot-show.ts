import { defineCommand } from "../command.ts";
import { SNAPSHOT, snapshotLines } from "../text/show-snapshots.ts";
import { snakeCase } from "../../journal/index.ts";

export const snapshotShowCommand = defineCommand({
  name: "snapshot show",
  more: "The files compared with the commit that was checked out. `git diff <commit> <ref>` shows the lines.",
  operands: [SNAPSHOT],
  options: {},
  examples: ["pawl snapshot show 3f9c2a"],
  async run(context, _values, [name = ""]) {
    const { snapshot, changes } = await (await context.pawl()).showSnapshot({ name });
    return {
      data: snakeCase({ snapshot, changes }),
      text: (paint) =>
        [
          snapshotLines(snapshot, paint),
          ...changes.map(({ path, status }) => `${status.padEnd(8)}  ${paint.plain(path)}`),
        ].join("\n"),
    };
  },
});
