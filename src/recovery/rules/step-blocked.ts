import { fullStop } from "../../domain/index.ts";
import type { Rule } from "./rule.ts";
import { named } from "./words.ts";

/** What stopped a step, by the store's word for it. */
const BY_REASON: Readonly<Record<string, string>> = {
  merge_conflict: "its work conflicts with what other workers landed",
  commit_unclear: "it is unclear which commit is its own",
  not_committable: "its files cannot be committed",
  commit_refused: "its verified work could not be committed",
  push_refused: "the server refuses its verified work",
  step_failed: "it could not be finished",
};

/** Blocked for a reason that no other rule has an answer to: a person reads it and decides. */
export const stepBlocked: Rule = {
  title: "A step is blocked",
  about: "Blocked for any other reason",
  beforeRun: "repairs",
  reported: { weight: "decide", actions: ["retry", "hold"] },
  diagnose(seen) {
    if (seen.kind !== "step" || seen.now.status !== "blocked") return undefined;
    if (seen.now.reason !== "none" && seen.now.reason !== "other") return undefined;
    const { note, blockedBy } = seen.facts;
    const said = BY_REASON[blockedBy ?? ""];
    const why = [...(said === undefined ? [] : [said]), ...(note === undefined ? [] : [note])];
    return {
      found: fullStop(`${named(seen.facts)} is blocked: ${why.length === 0 ? "it failed" : why.join("; ")}`),
      ...(blockedBy === "merge_conflict" ? { actions: ["redo", "merged", "hold"] } : {}),
    };
  },
};
