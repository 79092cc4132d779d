import { findReverted, readReverts, type Revert } from "./find-reverted.ts";
import { readSquashed } from "./squash-message.ts";
import { UNREADABLE_STEPS, type StepTrailers } from "./step-trailers.ts";
import { messageSubject } from "./trailer-block.ts";

/** Everything a message says that bears on steps. */
export interface MessageStatement {
  readonly subject: string;
  /** By the message's own trailers. */
  readonly steps: StepTrailers | undefined;
  /** By the messages of the commits that were folded into this one and not taken back among themselves. */
  readonly squashed: readonly SquashedSteps[];
  readonly reverts: readonly Revert[];
}

export interface SquashedSteps {
  /** The folded commit's name, where the message gives it. */
  readonly commit: string | undefined;
  readonly subject: string;
  readonly steps: StepTrailers;
}

export const UNREADABLE: MessageStatement = {
  subject: "",
  steps: UNREADABLE_STEPS,
  squashed: [],
  reverts: [],
};

type ReadSteps = (message: string) => StepTrailers | undefined;

/** A branch of squashes that is squashed again nests; a message that nests deeper than people do is not followed. */
const MAX_DEPTH = 4;
const MAX_PARTS = 1_000;

export function readStatement(message: string, readSteps: ReadSteps, depth = MAX_DEPTH): MessageStatement {
  const folded = depth === 0 ? [] : readSquashed(message);
  if (folded.length > MAX_PARTS) return UNREADABLE;
  const parts = folded.map(({ commit, message }, index) => ({
    ...readStatement(message, readSteps, depth - 1),
    commit,
    id: commit ?? `part ${index}`,
  }));
  const { standing, unsettled, told } = applyReverts(parts);
  return {
    subject: messageSubject(message),
    steps: readSteps(message),
    squashed: standing.flatMap(({ commit, subject, steps, squashed }) =>
      steps === undefined ? squashed : [{ commit, subject, steps }, ...squashed],
    ),
    reverts: [...readReverts(message).filter(({ commit }) => !told.has(commit)), ...unsettled],
  };
}

interface Part extends MessageStatement {
  readonly id: string;
  readonly commit: string | undefined;
}

/** Lets the parts of a squash take back each other; what they take back of older history, the squash takes back. */
function applyReverts(parts: readonly Part[]) {
  const named = ({ commit }: Revert): readonly string[] =>
    parts.filter((part) => part.commit?.startsWith(commit)).map(({ id }) => id);
  const reverted = findReverted(
    parts.map((part) => ({
      ...part,
      reverts: part.reverts.map((revert) => ({ ids: named(revert), subject: revert.subject })),
    })),
  );
  const settled = new Set(reverted.values());
  const standing = parts.filter(({ id }) => !reverted.has(id));
  return {
    standing,
    unsettled: standing.flatMap(({ id, reverts }) =>
      reverts.filter(
        (revert) => named(revert).length === 0 && !(revert.subject !== undefined && settled.has(id)),
      ),
    ),
    /** Names in the messages of parts, which in a concatenated message are found in the whole as well. */
    told: new Set(parts.flatMap(({ reverts }) => reverts.map(({ commit }) => commit))),
  };
}
