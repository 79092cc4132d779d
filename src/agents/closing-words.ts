import type { AgentEvent } from "../domain/index.ts";

/** Longer messages keep their end: that is where a question stands. */
const LONGEST = 4 * 1024;

/** What an agent says after its last use of a tool. Without words after it, what it said before stands. */
export function closingWords() {
  let words = "";
  let isOver = false;
  const say = (text: string) => {
    if (words.endsWith(text) && !isOver) return;
    words = (isOver || words === "" ? text : `${words}\n${text}`).slice(-LONGEST);
    isOver = false;
  };
  return {
    take(event: AgentEvent): void {
      if (event.kind === "text") say(event.text);
      else if (event.kind === "result" && event.text !== undefined) say(event.text);
      else if (event.kind === "tool") isOver = true;
    },
    words: (): string => words,
  };
}
