import { TRAILER_FAMILIES } from "../../../domain/index.ts";
import type { LandedCommit } from "../../ports/index.ts";
import type { RunGit } from "../process/run-git.ts";
import { splitRecords } from "../process/git-output.ts";
import { stepTrailerReader } from "../trailers/step-trailers.ts";
import { messageSubject } from "../trailers/trailer-block.ts";

const MAX_MESSAGE_BYTES = 1 << 20;

/** The commits that a branch was at, one after the other, oldest first; without those that `from` has. */
export async function firstParents(
  run: RunGit,
  { from, tip, most }: { readonly from: string | undefined; readonly tip: string; readonly most: number },
): Promise<readonly LandedCommit[]> {
  const found: LandedCommit[] = [];
  const readSteps = stepTrailerReader(TRAILER_FAMILIES);
  const onOutput = splitRecords(MAX_MESSAGE_BYTES, ({ bytes }) => {
    const [names = "", ...lines] = bytes.toString("utf8").split("\n");
    const [commit = "", tree = "", parent] = names.split(" ");
    const message = lines.join("\n").trimEnd();
    const steps = readSteps(message);
    found.push({
      commit,
      tree,
      parent: parent === "" ? undefined : parent,
      subject: messageSubject(message),
      plan: steps?.plan,
      steps: steps?.steps ?? [],
      reverts: [...message.matchAll(/\bThis reverts commit ([0-9a-f]{40,64})\b/g)].map(([, name]) => name!),
    });
  });
  await run({
    args: [
      "log",
      "-z",
      "--first-parent",
      `--max-count=${most}`,
      "--encoding=UTF-8",
      "--no-show-signature",
      "--format=tformat:%H %T %P%n%B",
      tip,
      ...(from === undefined ? [] : [`^${from}`]),
      "--",
    ],
    access: "read",
    onOutput,
  });
  return found.toReversed();
}
