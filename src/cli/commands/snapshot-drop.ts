import { Failure } from "../../domain/index.ts";
import { defineCommand } from "../command.ts";
import { SNAPSHOT, snapshotLines } from "../text/show-snapshots.ts";
import { snakeCase } from "../../journal/index.ts";

export const snapshotDropCommand = defineCommand({
  name: "snapshot drop",
  more: "For people. The commit is printed: until git collects it, `git show` and `git branch` find it by that name.",
  operands: [SNAPSHOT],
  options: {
    "dry-run": { type: "flag", about: "Say what would go, and remove nothing" },
    yes: { type: "flag", about: "Do it" },
  },
  examples: ["pawl snapshot drop 3f9c2a --dry-run", "pawl snapshot drop 3f9c2a --yes"],
  async run(context, { "dry-run": dryRun = false, yes = false }, [name = ""]) {
    if (!dryRun && !yes) {
      throw new Failure(
        "usage/wrong",
        "Work that is nowhere else may be in it: dropping a snapshot needs --yes.",
        { snapshot: name },
        { hint: "Look first: --dry-run says what would go." },
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
