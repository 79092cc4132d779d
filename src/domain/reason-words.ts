import { INTERRUPTED_BY } from "./session-words.ts";

/** Why a step was blocked or a session cut off, in the words of every interface. */
export const REASON_WORDS: Readonly<Record<string, string>> = {
  verification_escalated: "attempts used up",
  verification_timeout: "verification took too long",
  agent_timeout: "the agent took too long",
  agent_failed: "the agent failed, attempts used up",
  cut_off: "killed too often before it ended",
  runner_killed: "its runner was killed each time",
  merge_conflict: "conflicts with what other workers landed",
  landing_rejected: "fails together with what landed",
  commit_unclear: "unclear which commit is its own",
  not_committable: "its files cannot be committed",
  commit_refused: "verified, but the commit was refused",
  step_failed: "it could not be finished",
  ...INTERRUPTED_BY,
};

/** A code that has no words is only spaced. */
export const reasonWords = (code: string): string =>
  Object.hasOwn(REASON_WORDS, code) ? REASON_WORDS[code]! : code.replaceAll(/[_-]/g, " ");
