import type { GlobalFlags } from "./global-flags.ts";
import type { Host } from "./host.ts";
import { guard } from "./text/guard.ts";
import { issueText } from "./text/issue-text.ts";
import { colourPaint, plainPaint, type Paint } from "./text/paint.ts";
import { useColour } from "./text/use-colour.ts";
import { envelope, type Issue } from "../journal/index.ts";

/** All that one call of Pawl says, before it is known to whom. */
export interface Answer {
  /** The command's name, or what was typed in its place. */
  readonly command: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly issues: readonly Issue[];
  readonly exitCode: number;
  /** For people, on stdout. */
  readonly text: (paint: Paint) => string;
  /** For people, on stderr, in place of the issues. */
  readonly complaint?: (paint: Paint) => string;
  /** Waited for once it is printed. */
  readonly afterwards?: (() => Promise<void>) | undefined;
}

/** The only place that prints. Programs get one line on stdout; people get text there, and the issues on stderr. */
export function printAnswer(answer: Answer, host: Host, { given }: GlobalFlags): void {
  if (given.has("json")) {
    host.stdout(`${envelope(answer.command, answer.data, answer.issues)}\n`);
    return;
  }
  const refused = given.has("no-color");
  const write = (
    print: (text: string) => void,
    isTerminal: boolean,
    make: (paint: Paint) => string,
  ): void => {
    const colour = useColour(isTerminal, host.env, refused);
    const columns = Math.max(host.columns || 80, 20);
    const text = guard(make(colour ? colourPaint(columns) : plainPaint(columns)), colour);
    if (text !== "") print(`${text}\n`);
  };
  if (!given.has("quiet")) write(host.stdout, host.isTerminal, answer.text);
  write(
    host.stderr,
    host.isErrorTerminal,
    answer.complaint ??
      ((paint) => {
        // Programs that read it look for what was said, not for where a terminal would end.
        const fitted = host.isErrorTerminal ? paint : { ...paint, columns: Number.POSITIVE_INFINITY };
        return answer.issues.map((issue) => issueText(issue, fitted)).join("\n");
      }),
  );
}
