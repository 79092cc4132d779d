import { addUsage, type AgentEvent, type AgentTrouble, NO_USAGE, type Usage } from "../domain/index.ts";
import { closingWords } from "./closing-words.ts";
import type { CommandReport } from "../platform/ports/index.ts";

export interface Gathering {
  readonly take: (event: AgentEvent) => void;
  /** Called for each line, so that it is known how long ago something was said. */
  readonly countLine: () => void;
  readonly report: () => CommandReport;
  /** The last line that was meant for people. */
  readonly lastSaid: () => string;
  /** The trouble that counts at this moment, and whether anything else was printed since. */
  readonly trouble: () => { readonly trouble: AgentTrouble | undefined; readonly stuck: boolean };
}

/** AgentTrouble counts only near the end of the output: an agent that went on for longer got over it. */
const LAST_LINES = 40;
const MOST_SAID = 4000;
const MOST_REFUSALS = 20;
const ANSWER_LENGTH = 64 * 1024;

const NOTHING: CommandReport = {
  sessionId: undefined,
  result: undefined,
  usage: NO_USAGE,
  answer: "",
  closing: "",
};

/** The end of what was said so far, with more words. */
const joined = (before: string, text: string): string =>
  (before === "" ? text : `${before}\n${text}`).slice(-ANSWER_LENGTH);

const withRefusal = (report: CommandReport, what: string): CommandReport => ({
  ...report,
  refusals: [...(report.refusals ?? []), what].slice(0, MOST_REFUSALS),
});

/** Puts together what the events of a run tell, in bounded memory. */
export function gatherReport(): Gathering {
  const gathered = gather();
  const closing = closingWords();
  return {
    ...gathered,
    take(event) {
      closing.take(event);
      gathered.take(event);
    },
    report: () => ({ ...gathered.report(), closing: closing.words() }),
  };
}

/** All of it but the last words. */
function gather(): Gathering {
  let report = NOTHING;
  let lines = 0;
  let last: { readonly trouble: AgentTrouble; readonly line: number } | undefined;
  let limitEndsMs: number | undefined;
  let stuck = false;
  let lastSaid = "";
  const addUp = addUsageUp();
  const say = (text: string) => void (report = { ...report, answer: joined(report.answer, text) });

  const take = (event: AgentEvent) => {
    switch (event.kind) {
      case "session":
        report = { ...report, sessionId: event.id };
        break;
      case "usage":
      case "message-usage":
        report = { ...report, usage: addUp(event), ...totalIn(event) };
        break;
      case "result": {
        const { ok, because, text } = event;
        report = { ...report, result: because ? { ok, because } : { ok } };
        if (text !== undefined && !report.answer.endsWith(text)) say(text);
        break;
      }
      case "refused":
        report = withRefusal(report, event.what);
        break;
      case "text":
        say((lastSaid = event.text));
        stuck = false;
        break;
      case "notice":
      case "tool":
        if (event.kind === "notice") lastSaid = event.text;
        else stuck = false;
        break;
      case "trouble": {
        const { trouble } = event;
        if (trouble.kind === "limited") limitEndsMs = trouble.untilMs ?? limitEndsMs;
        // Words do not overrule what a field says.
        if (trouble.from === "field" || last?.trouble.from !== "field") last = { trouble, line: lines };
        stuck = true;
      }
    }
  };

  return {
    take,
    countLine: () => {
      lines += 1;
    },
    report: () => report,
    lastSaid: () => lastSaid.slice(0, MOST_SAID),
    trouble() {
      if (last === undefined || lines - last.line > LAST_LINES) return { trouble: undefined, stuck: false };
      const { trouble } = last;
      // The time is often in another line than the limit itself.
      const untilMs = trouble.kind === "limited" ? (trouble.untilMs ?? limitEndsMs) : undefined;
      return { trouble: { ...trouble, untilMs }, stuck };
    },
  };
}

/** What the agent says of all runs of its conversation. */
const totalIn = (event: AgentEvent): Pick<CommandReport, "conversation"> =>
  event.kind === "usage" && event.conversation ? { conversation: event.conversation } : {};

/**
 * An agent that is stopped never reports what it used in all. Until it does, its messages are counted: each is reported
 * several times as it grows, one message after the other.
 */
function addUsageUp() {
  let reported: Usage | undefined;
  let closed = NO_USAGE;
  let open: { readonly message: string; readonly usage: Usage } = { message: "", usage: NO_USAGE };
  return (event: Extract<AgentEvent, { kind: "usage" | "message-usage" }>): Usage => {
    if (event.kind === "usage") reported = addUsage(reported ?? NO_USAGE, event.usage);
    else {
      if (event.message !== open.message) closed = addUsage(closed, open.usage);
      open = event;
    }
    return reported ?? addUsage(closed, open.usage);
  };
}
