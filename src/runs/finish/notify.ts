import { snakeCase } from "../../journal/index.ts";
import type { NotifySettings } from "../../agents/index.ts";
import { type NotifyEvent, plural } from "../../domain/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import type { RunAnswer } from "./run-answer.ts";
import type { WorkerEvent } from "../work/run-event.ts";

/** The end of a run waits no longer than this for those who are notified of it. */
const TIMEOUT_MS = 20_000;
const WEBHOOK_TIMEOUT_MS = 3000;
/** Between two attempts at a webhook. */
const PAUSES_MS = [1000, 3000] as const;

export interface Notifier {
  /** Notifies of what happens while the run continues. Nothing waits for it. */
  readonly happened: (event: WorkerEvent) => void;
  /** Notifies of the end, and waits a while for everything that was sent. What could not be delivered, as warnings. */
  readonly ended: (answer: Omit<RunAnswer, "warnings">) => Promise<readonly string[]>;
}

interface Notice {
  /** The first that the settings ask for is what the message is called. */
  readonly events: readonly NotifyEvent[];
  readonly title: string;
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Notifies people of a run the way that `[notify]` says: on the desktop, by a program, by a webhook.
 *
 * It neither delays nor fails a run: a failure is a warning in the answer. No value that looks like a key in Pawl's
 * environment is ever part of a message.
 */
export function notifierOf(
  ports: Ports,
  settings: NotifySettings | undefined,
  about: Pick<RunAnswer, "planPath" | "runId"> & { readonly waits: boolean },
): Notifier {
  if (settings === undefined) return { happened: () => undefined, ended: async () => [] };
  const sent: Promise<readonly string[]>[] = [];
  const send = (notice: Notice) => {
    const event = notice.events.find((one) => settings.on.includes(one));
    if (event !== undefined) sent.push(deliver(ports, settings, { ...notice, event }));
  };
  return {
    happened(event) {
      const plan = about.planPath ?? "run";
      const known = { plan_path: about.planPath, run_id: about.runId };
      if (event.event === "blocked") {
        const { step, reason, note } = event;
        const data = { ...known, step, reason, note };
        send({ events: ["blocked"], title: `Pawl: ${step} is blocked`, text: `${plan}: ${note}`, data });
      }
      // A run that does not wait ends, and says so then.
      if (event.event === "paused" && about.waits) {
        const data = { ...known, paused_until: event.until ?? null, because: event.because };
        send({ events: ["paused"], title: `Pawl: ${plan} waits`, text: event.because, data });
      }
    },
    async ended(answer) {
      send({
        events: eventsOf(answer),
        title: `Pawl: ${answer.planPath ?? "run"} ${WORDS[answer.ended]}`,
        text: textOf(answer),
        data: summaryOf(answer),
      });
      return (await Promise.all(sent)).flat();
    },
  };
}

/** What an end is, the most particular first: who asks for `ended` hears of every end. */
function eventsOf({ ended, blocked, limit }: Omit<RunAnswer, "warnings">): readonly NotifyEvent[] {
  if (ended === "paused") return [limit === undefined ? "paused" : "budget", "ended"];
  const isStuck = ended === "halted" || ended === "full_failed" || blocked.length > 0;
  return isStuck ? ["needs-you", "ended"] : ["ended"];
}

const WORDS: Readonly<Record<RunAnswer["ended"], string>> = {
  all_completed: "is completed",
  stuck: "cannot continue",
  enough: "did as many steps as it may",
  interrupted: "was interrupted",
  paused: "is paused",
  halted: "stopped claiming steps",
  taken_over: "was taken over",
  full_failed: "fails its full check",
  failed: "ended by an error",
  reviewed: "was reviewed",
  merged: "was merged",
};

const textOf = ({ completed, blocked, because }: Omit<RunAnswer, "warnings">): string =>
  [
    `${plural(completed.length, "step")} completed`,
    ...(blocked.length === 0 ? [] : [`blocked: ${blocked.map(({ anchor }) => anchor).join(", ")}`]),
    ...(because === null ? [] : [because]),
  ].join("; ");

interface Delivery extends Notice {
  readonly event: NotifyEvent;
}

/** Everything at once; each that fails is a sentence. */
async function deliver(ports: Ports, settings: NotifySettings, notice: Delivery): Promise<readonly string[]> {
  try {
    const clean = withoutSecrets((await ports.running()).secrets());
    const body = JSON.stringify({ event: notice.event, ...notice.data }, (_, value: unknown) =>
      typeof value === "string" ? clean(value) : value,
    );
    const problems = await Promise.all([
      settings.command && byCommand(ports, settings.command, body),
      settings.desktop && byDesktop(ports, clean(notice.title), clean(notice.text)),
      settings.webhook && byWebhook(ports, settings, { event: notice.event, body }),
    ]);
    return problems.filter((problem) => typeof problem === "string");
  } catch (error) {
    return [`A notification could not be sent: ${error instanceof Error ? error.message : String(error)}`];
  }
}

/** Shorter values would turn up by chance. */
const SHORTEST_SECRET = 8;

const withoutSecrets = (secrets: Readonly<Record<string, string>>): ((text: string) => string) => {
  // A value that contains another one must be taken out first.
  const values = Object.entries(secrets)
    .filter(([, value]) => value.length >= SHORTEST_SECRET)
    .toSorted(([, a], [, b]) => b.length - a.length);
  return (text) => values.reduce((left, [name, value]) => left.replaceAll(value, `[${name}]`), text);
};

async function byCommand(ports: Ports, argv: readonly string[], body: string): Promise<string | undefined> {
  const { ok, ending } = await (
    await ports.commands()
  ).run(argv, {
    cwd: ports.repository.mainTopLevel ?? ports.repository.commonDir,
    input: body === "" ? "" : `${body}\n`,
    timeoutMs: TIMEOUT_MS,
  });
  return ok ? undefined : `A notification could not be sent: ${argv[0]} ${ending}.`;
}

/** Words are arguments, never part of a script. */
async function byDesktop(ports: Ports, title: string, text: string): Promise<string | undefined> {
  const { system } = await (await ports.sandbox()).tools();
  return byCommand(ports, system === "macos" ? [...ON_MACOS, title, text] : [...ELSEWHERE, title, text], "");
}

const ON_MACOS = [
  "osascript",
  "-e",
  "on run argv",
  "-e",
  "display notification (item 2 of argv) with title (item 1 of argv)",
  "-e",
  "end run",
];

const ELSEWHERE = ["notify-send", "--app-name=pawl", "--"];

async function byWebhook(
  ports: Ports,
  { webhook = "", secretEnv }: NotifySettings,
  { event, body }: { readonly event: NotifyEvent; readonly body: string },
): Promise<string | undefined> {
  const post = await ports.post();
  const headers = {
    "content-type": "application/json",
    "user-agent": "pawl",
    "x-pawl-event": event,
    // The same at each attempt, so that a receiver knows a message that it has already.
    "x-pawl-delivery": ports.newId(),
  };
  const message = { url: webhook, body, headers, secretEnv, timeoutMs: WEBHOOK_TIMEOUT_MS };
  const { sleep } = await ports.running();
  const never = new AbortController().signal;
  let problem = await post.send(message);
  for (const pause of PAUSES_MS) {
    if (problem === undefined || !problem.mayPass) break;
    await sleep(pause, never);
    problem = await post.send(message);
  }
  // The path and the query of an address may hold its key.
  return problem && `The webhook at ${new URL(webhook).host} was not notified: ${problem.why}.`;
}

/** In the words of `--json`. */
const summaryOf = (answer: Omit<RunAnswer, "warnings">) => ({
  plan_path: answer.planPath,
  run_id: answer.runId,
  branch: answer.branch,
  ended: answer.ended,
  signal: answer.signal,
  completed: answer.completed.map(({ anchor, title, commit }) => ({ anchor, title, commit })),
  blocked: answer.blocked,
  paused_until: answer.pausedUntil,
  because: answer.because,
  resume_with: answer.resumeWith,
  duration_ms: answer.durationMs,
  usage: answer.usage && snakeCase(answer.usage),
});
