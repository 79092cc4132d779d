import { GARBAGE_KINDS, type GarbageKind, type GcAnswer } from "../../recovery/index.ts";
import { plural } from "../../domain/index.ts";
import { defineCommand } from "../command.ts";
import { durationMs } from "../duration.ts";
import type { Paint } from "../text/paint.ts";
import { sizeText } from "../text/size-text.ts";
import { snakeCase } from "../../journal/index.ts";

export const gcCommand = defineCommand({
  name: "gc",
  more: `For people. It removes only what is older than --older-than: logs of sessions that ended, or were interrupted and
replaced by a later run, and for plans whose steps are all completed and merged, their snapshots, rescued commits, late results,
branches, worktrees that hold nothing uncommitted, and ended sessions. Folders of killed commands go at any age; what was
set aside after damage goes once nothing leads to it. Work of a plan that is not finished always stays. For each ref and branch, the command that brings
it back is printed; it works until git removes the objects (\`git gc\`, two weeks by default).`,
  operands: [],
  options: {
    "older-than": { type: "text", value: "TIME", about: "Only what is older than this: 12h, 7d, 2w … (14d)" },
    "dry-run": { type: "flag", about: "Print what would be removed, and remove nothing" },
  },
  examples: ["pawl gc --dry-run", "pawl gc --older-than 30d"],
  async run(context, { "older-than": age, "dry-run": dryRun = false }) {
    const olderThanMs = age === undefined ? undefined : durationMs(age, "--older-than");
    const answer = await (await context.pawl()).gc({ olderThanMs, dryRun });
    return { data: snakeCase(answer), text: (paint) => report(answer, paint) };
  },
});

function report({ dryRun, removed, kept, bytes }: GcAnswer, paint: Paint): string {
  if (removed.length + kept.length === 0) return "Nothing to remove.";
  const kinds = Object.entries(GARBAGE_KINDS).flatMap(([kind, [one, many]]) => {
    const count = removed.filter((each) => each.kind === (kind as GarbageKind)).length;
    return count === 0 ? [] : [plural(count, one, many)];
  });
  const verb = dryRun ? "Would remove" : "Removed";
  const freed = bytes === 0 ? "" : ` (${sizeText(bytes)})`;
  return [
    ...removed.flatMap(({ kind, name, because, wayBack }) => [
      `${verb} ${kind === "log" ? "the logs of " : ""}${paint.bold(name)}: ${paint.plain(because)}`,
      ...(wayBack === null || dryRun ? [] : [`  to bring it back: ${paint.plain(wayBack)}`]),
    ]),
    ...kept.map(({ name, reason }) => `Kept ${paint.bold(name)}: ${paint.plain(reason)}`),
    ...(kinds.length === 0 ? [] : [`${verb} ${kinds.join(", ")}${freed}.`]),
  ].join("\n");
}
