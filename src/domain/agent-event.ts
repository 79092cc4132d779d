/**
 * What an agent's output tells, in a few small kinds that are the same for every agent.
 *
 * Texts are as the agent wrote them: the code that shows them makes them safe first.
 */
export type AgentEvent =
  /** Words of the agent. */
  | { readonly kind: "text"; readonly text: string }
  /** A line for people that is not part of its answer: warnings, retries, what goes to stderr. */
  | { readonly kind: "notice"; readonly text: string }
  | { readonly kind: "tool"; readonly name: string; readonly detail: string | undefined }
  /** What it wanted to do and may not, in words for people: a command, or `write …`. */
  | { readonly kind: "refused"; readonly what: string }
  /** The agent's own name for this conversation, to resume it by. */
  | { readonly kind: "session"; readonly id: string }
  /**
   * Adds to what was reported before. `conversation` is the agent's own total of all runs of its conversation, where it
   * reports one: it takes the place of what was reported before.
   */
  | { readonly kind: "usage"; readonly usage: Usage; readonly conversation?: Usage }
  /** What one message has used so far. It counts only until the agent reports what it used in all. */
  | { readonly kind: "message-usage"; readonly message: string; readonly usage: Usage }
  /** The agent's own last word. `turns` when it stopped because it may take no more of them. */
  | {
      readonly kind: "result";
      readonly ok: boolean;
      readonly text: string | undefined;
      readonly because?: "turns";
    }
  | { readonly kind: "trouble"; readonly trouble: AgentTrouble };

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
}

export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, costUsd: 0 };

export const addUsage = (a: Usage, b: Usage): Usage => ({
  inputTokens: a.inputTokens + b.inputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
  costUsd: a.costUsd + b.costUsd,
});

const tokensOf = ({ inputTokens, outputTokens }: Usage): number => inputTokens + outputTokens;

/**
 * What one run used of its conversation's total, without what earlier runs are on record with.
 *
 * Programs changed what they report from release to release. A total that has no room for both the earlier runs and
 * what this one reports of itself is the total of this run alone.
 */
export function usedOfConversation(own: Usage, conversation: Usage | undefined, before: Usage): Usage {
  if (conversation === undefined) return own;
  const rest = {
    inputTokens: conversation.inputTokens - before.inputTokens,
    outputTokens: conversation.outputTokens - before.outputTokens,
    costUsd: Math.max(0, conversation.costUsd - before.costUsd),
  };
  const hasRoom = rest.inputTokens >= 0 && rest.outputTokens >= 0 && tokensOf(rest) >= tokensOf(own);
  return hasRoom ? rest : tokensOf(own) > 0 ? own : conversation;
}

/** What can keep an agent from working though the work itself is not at fault. */
export const TROUBLES = ["limited", "unauthorised", "context_exhausted", "offline"] as const;
export type TroubleKind = (typeof TROUBLES)[number];

export interface AgentTrouble {
  readonly kind: TroubleKind;
  /** When a limit ends, as epoch milliseconds, if the output tells. */
  readonly untilMs?: number | undefined;
  /** Said in a field that exists for it, or only by words that an agent might also write about something else. */
  readonly from: "field" | "words";
  /** The words, for people; cut to a line. */
  readonly said: string;
}
