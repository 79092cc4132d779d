import { plural } from "../../domain/index.ts";
import { checklistOf, countOpen } from "./checklist.ts";
import { fit, type Section } from "./fit.ts";
import { stepName } from "./house-rules.ts";
import { section } from "./parts.ts";
import type { PromptContext } from "./prompt-context.ts";

/** Why a conversation is taken up again. */
export type ContinueReason =
  /** It was cut off: a kill, a limit, an outage. */
  | "interrupted"
  /** Verification or landing sent the work back. */
  | "sent-back"
  /** The agent ended, and items of its step are open. */
  | "items-open"
  /** A person has sent a message. */
  | "message";

const REASONS: Readonly<Record<ContinueReason, (open: number) => string>> = {
  interrupted: () =>
    "You were interrupted. Continue where you stopped; your files are as you left them. Your instructions from the start of this conversation still apply.",
  "sent-back": () =>
    "Your work was rejected. Fix what is shown below. Your instructions from the start of this conversation still apply.",
  "items-open": (open) =>
    `You ended, and ${plural(open, "item of the step is", "items of the step are")} not ticked. Your work is not verified yet. Run the command of each item that is true. Finish what is not true yet, or say that you cannot. Do not tick boxes in the plan. No one can answer questions: decide.`,
  message: () =>
    "The person who runs this has sent you a message. Act on it, then end. Your instructions from the start of this conversation still apply.",
};

/** What is new for an agent whose conversation is taken up again: nothing that it was given before is repeated. */
export function continuePrompt(context: PromptContext, reason: ContinueReason): string {
  const open = countOpen(context);
  return fit([
    `# Continue: ${stepName(context, "the work")}`,
    REASONS[reason](open),
    section("Verification", "verdicts", context),
    section("Messages from the person who runs this", "messages", context),
    openItems(context),
  ]);
}

function openItems(context: PromptContext): Section | undefined {
  const blocks = checklistOf(context, "open");
  if (blocks.length === 0) return undefined;
  return {
    heading: "Open items",
    blocks,
    importance: 10,
    keep: "start",
    elsewhere: "pawl state show lists all items",
  };
}
