import { addUsage, type AgentEvent, type AgentTrouble, NO_USAGE } from "../domain/index.ts";
import type { CommandReport } from "../platform/ports/index.ts";

export interface Gathering {
  readonly take: (event: AgentEvent) => void;
  /** Called for each line, so that it is known how long ago something was said. */
  readonly countLine: () => void;
  readonly report: () => CommandReport;
  /** The last line that was meant for people. */
  readonly lastSaid: () => string;
  /** The trouble that counts at this moment, and whether anything else was heard since. */
  readonly trouble: () => { readonly trouble: AgentTrouble | undefined; readonly stuck: boolean };
}

/** AgentTrouble counts only near the end of the output: an agent that went on for longer got over it. */
const LAST_LINES = 40;
const MOST_SAID = 4000;
const ANSWER_LENGTH = 64 * 1024;

/** Puts together what the events of a run tell, in bounded memory. */
export function gatherReport(): Gathering {
  let report: CommandReport = { sessionId: undefined, result: undefined, usage: NO_USAGE, answer: "" };
  let lines = 0;
  let last: { readonly trouble: AgentTrouble; readonly line: number } | undefined;
  let limitEndsMs: number | undefined;
  let stuck = false;
  let lastSaid = "";

  const say = (text: string) => {
    const answer = report.answer === "" ? text : `${report.answer}\n${text}`;
    report = { ...report, answer: answer.length > ANSWER_LENGTH ? answer.slice(-ANSWER_LENGTH) : answer };
  };

  const take = (event: AgentEvent) => {
    switch (event.kind) {
      case "session":
        report = { ...report, sessionId: event.id };
        break;
      case "usage":
        report = { ...report, usage: addUsage(report.usage, event.usage) };
        break;
      case "result": {
        const { ok, because, text } = event;
        report = { ...report, result: { ok, ...(because ? { because } : {}) } };
        if (text !== undefined && !report.answer.endsWith(text)) say(text);
        break;
      }
      case "text":
        say(event.text);
        lastSaid = event.text;
        stuck = false;
        break;
      case "notice":
        lastSaid = event.text;
        break;
      case "tool":
        stuck = false;
        break;
      case "trouble": {
        const { trouble } = event;
        if (trouble.kind === "limited") limitEndsMs = trouble.untilMs ?? limitEndsMs;
        // Words do not overrule what a field has told.
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
      // The time is often told by another line than the limit itself.
      const untilMs = trouble.kind === "limited" ? (trouble.untilMs ?? limitEndsMs) : undefined;
      return { trouble: { ...trouble, untilMs }, stuck };
    },
  };
}
