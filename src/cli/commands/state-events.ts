import { Failure, LATE_LINES, sessionName, shortNames } from "../../domain/index.ts";
import { type EventsRequest, type EventView, plainJson, snakeCase } from "../../journal/index.ts";
import type { Pawl } from "../../api.ts";
import { BY_SIGNAL } from "../by-signal.ts";
import { ALL_PRINTED, defineCommand } from "../command.ts";
import type { Context } from "../context.ts";
import { holderText } from "../text/holder.ts";
import { displayWidth } from "../text/layout.ts";
import { localTime, localTimes } from "../text/times.ts";
import { type Paint, plainPaint } from "../text/paint.ts";
import { pairs } from "../text/pairs.ts";
import { paragraph } from "../text/paragraph.ts";

export const stateEventsCommand = defineCommand({
  name: "state events",
  more: "With --follow it keeps printing. Where many machines share the state, worktrees may be on any of them.",
  operands: [{ name: "plan", about: "Only this plan", required: false }],
  options: {
    step: { type: "text", value: "ANCHOR", about: "Only this step" },
    last: { type: "number", value: "N", about: "How many lines (100)" },
    after: { type: "number", value: "ID", about: "Only lines after this one" },
    follow: { type: "flag", streams: true, about: "Keep printing new events until interrupted" },
    jsonl: { type: "flag", about: "One JSON object per line" },
  },
  examples: ["pawl state events plan.md", "pawl state events plan.md --follow"],
  async run(context, values, [plan]) {
    if ((values.last ?? 0) < 0 || (values.after ?? 0) < 0)
      throw new Failure("usage/wrong", "--last and --after count from 0.", {});
    const pawl = await context.pawl();
    const filter = { plan, step: values.step, most: values.last ?? 100 };
    const events = await pawl.events({ ...filter, after: values.after });
    if (values.follow) {
      const from = events.at(-1)?.id ?? values.after ?? (await startOf(pawl, filter));
      return follow(context, pawl, filter, events, from, values.jsonl ?? false);
    }
    return {
      data: snakeCase({ events }),
      text: (paint) =>
        events.length === 0 && !values.jsonl
          ? paint.plain(`The journal has nothing of ${values.step ?? plan ?? "this repository"}.`)
          : events
              .map((event) => (values.jsonl ? jsonLine(event) : readJsonDocument(event, context.cwd, paint)))
              .join("\n"),
    };
  },
});

/** `--last 0` wants nothing of what is there already. */
async function startOf(pawl: Pawl, filter: EventsRequest): Promise<number> {
  const [newest] = filter.most === 0 ? await pawl.events({ ...filter, most: 1 }) : [];
  return newest?.id ?? 0;
}

/** What is followed is read by programs too: a line per event, however long. */
const ENDLESS = plainPaint(Number.POSITIVE_INFINITY);

const POLL_MS = 200;

async function follow(
  context: Context,
  pawl: Pawl,
  filter: EventsRequest,
  first: readonly EventView[],
  from: number,
  jsonl: boolean,
) {
  const { stream } = context;
  const print = (event: EventView) =>
    stream.line(jsonl ? jsonLine(event) : readJsonDocument(event, context.cwd, ENDLESS));
  const seen = new Set<number>();
  let last = from;
  let events = first;
  for (;;) {
    for (const event of events) {
      if (seen.has(event.id)) continue;
      seen.add(event.id);
      if (!print(event)) return ALL_PRINTED;
    }
    last = Math.max(last, events.at(-1)?.id ?? 0);
    // Only what may be read again is remembered: a person may follow for weeks.
    for (const id of seen) if (id < last - LATE_LINES) seen.delete(id);
    if (!(await stream.pause(POLL_MS))) return { ...ALL_PRINTED, exitCode: BY_SIGNAL.SIGINT };
    events = await pawl.events({ ...filter, most: 1000, after: Math.max(from, last - LATE_LINES) });
  }
}

const jsonLine = (event: EventView): string => plainJson(snakeCase(event));

/** Codes such as `in_progress` as people write them; JSON keeps them. */
const inWords = (text: string): string =>
  text.replaceAll(/\b[a-z]+(?:_[a-z]+)+\b/g, (code) => code.replaceAll("_", " "));

const INDENT = 4;

/** One line where it fits; else who it was and the details stand below. */
function readJsonDocument(event: EventView, cwd: string, paint: Paint): string {
  const place = [event.planPath, event.anchor].filter((part) => part !== null).join(" ");
  const claim = event.claim === null ? "" : ` claim ${event.claim}`;
  const session = event.sessionId === null ? "" : ` (session ${sessionName(event.sessionId)})`;
  const who = event.worktree === null ? "" : `by ${holderText(event.worktree, null, cwd)}${session}`;
  const more = [who, pairs(event.detail, (text) => inWords(localTimes(shortNames(text))))]
    .filter((part) => part !== "")
    .join("; ");
  const head = `${paint.dim(localTime(event.at))}  ${paint.bold(event.event.replaceAll("-", " "))}  ${paint.plain(`${place}${claim}`)}`;
  if (more === "") return head.trimEnd();
  if (displayWidth(head) + 2 + displayWidth(more) <= paint.columns) return `${head}  ${paint.plain(more)}`;
  const below = paragraph(more, INDENT, paint.columns);
  return `${head.trimEnd()}\n${" ".repeat(INDENT)}${below}`;
}
