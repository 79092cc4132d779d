import { Failure } from "../../domain/index.ts";
import { defineCommand } from "../command.ts";
import { SNAPSHOT, snapshotLines } from "../text/show-snapshots.ts";
import { snakeCase } from "../../journal/index.ts";

export const snapshotDropCommand = defineCommand({
  name: "snapshot drop",
  more: "For people. Prints the commit: until git collects it, `git show` and `git branch` find it by that name.",
  operands: [SNAPSHOT],
  options: {
    "dry-run": { type: "flag", about: "Print what would be removed, and remove nothing" },
    yes: { type: "flag", about: "Do it" },
  },
  examples: ["pawl snapshot drop 3f9c2a --dry-run", "pawl snapshot drop 3f9c2a --yes"],
  async run(context, { "dry-run": dryRun = false, yes = false }, [name = ""]) {
    if (!dryRun && !yes) {
      throw new Failure(
        "usage/wrong",
        "It may hold work that is nowhere else: dropping a snapshot needs --yes.",
        { snapshot: name },
        { hint: "Check first: --dry-run prints what would be removed." },
      );
    }
    const answer = await (await context.pawl()).dropSnapshot({ name, dryRun });
    return {
      data: snakeCase(answer),
      text: (paint) =>
        [
          dryRun ? "Would drop" : paint.yellow("Dropped"),
          snapshotLines(answer.snapshot, paint),
          dryRun ? "" : `Still there for a while: git show ${paint.plain(answer.snapshot.commit)}`,
        ]
          .filter((line) => line !== "")
          .join("\n"),
    };
  },
});
