import type { MergeVerification } from "../../worktrees/index.ts";
import type { Paint } from "./paint.ts";
import { paragraph } from "./paragraph.ts";

/** How a tree was verified, as one line. */
export function verificationLine(verification: MergeVerification, paint: Paint): string {
  const [label, text] = wordsFor(verification);
  const colour = verification.outcome === "passed" ? paint.green : paint.yellow;
  return `  ${colour(label)}: ${paragraph(paint.plain(text), label.length + 4, paint.columns)}`;
}

function wordsFor({ outcome, because, check, tree, known }: MergeVerification): readonly [string, string] {
  const short = tree.slice(0, 12);
  switch (outcome) {
    case "passed":
      return ["verified", `${check} passed on tree ${short}${known ? " (known)" : ""}`];
    case "pending":
      return known
        ? ["to verify", `${check} failed on tree ${short} before; it will run again first`]
        : ["to verify", `${check} will run on tree ${short} first; no verdict exists yet`];
    case "unverified":
      return ["NOT VERIFIED", `${check} was left out on purpose: ${because}`];
    case "not_verified":
      return ["not verified", because];
    default:
      return outcome satisfies never;
  }
}
