import { sessionName } from "../../domain/index.ts";
import type { SessionView } from "../../sessions/index.ts";
import type { PageContext } from "../page-context.ts";
import type { Preview } from "../wire.ts";
import type { Action, ActionSubject } from "./action.ts";
import { needed, notPossible, stale } from "./needed.ts";

interface SessionAction extends Pick<Preview, "isGrave"> {
  readonly name: string;
  readonly label: string;
  readonly about: string;
  readonly isPossible: (session: SessionView) => boolean;
  readonly effects: (session: SessionView) => readonly string[];
  readonly keeps: (session: SessionView) => readonly string[];
  readonly act: (context: PageContext, session: SessionView) => Promise<object>;
}

const place = ({ at }: SessionView): string =>
  at === null ? "from its beginning" : `at ${at.anchor ?? `iteration ${at.iteration}`}, ${at.command}`;

/** Sessions whose process is Pawl's own; that of an agent a person talks to is the person's. */
const STOPPABLE: ReadonlySet<string> = new Set(["run", "improve", "verify"]);

const TABLE: readonly SessionAction[] = [
  {
    name: "resume",
    label: "Resume",
    about: "Resumes an interrupted session",
    isPossible: ({ resumable, here }) => resumable && here,
    effects: (session) => [
      "Pawl stops what its agents left running and finishes their commits.",
      `Then it continues ${place(session)}, in ${session.worktree}.`,
    ],
    keeps: () => [
      "Completed steps are never redone.",
      "If something changed since, it says so and does nothing.",
    ],
    isGrave: false,
    act: async ({ jobs }, { id }) => ({ job: jobs.start("resume", sessionName(id), ["resume", id]) }),
  },
  {
    name: "stop",
    label: "Stop",
    about: "Stops a run as Ctrl-C does; it can be resumed",
    isPossible: ({ status, here, kind }) =>
      status === "in_progress" && here && kind !== null && STOPPABLE.has(kind),
    effects: ({ pid }) => [
      "All workers of the run stop their agents, as Ctrl-C in its terminal does.",
      ...(pid === process.pid ? ["This page is served by the run, and ends with it."] : []),
    ],
    keeps: () => [
      "Uncommitted work of its agents stays in their worktrees, and Pawl saves a snapshot of it.",
      "Resume continues it where it stopped.",
    ],
    isGrave: true,
    act: async (_context, { id, pid }) => {
      process.kill(pid, "SIGINT");
      return { session: id };
    },
  },
  {
    name: "abandon",
    label: "Abandon",
    about: "Decides that a session is not resumed; its work stays",
    isPossible: ({ status }) => status === "interrupted" || status === "failed",
    effects: () => ["It can no longer be resumed; other workers can claim its steps."],
    keeps: ({ worktree }) => [`Its work stays in ${worktree}, and Pawl saves a snapshot of it first.`],
    isGrave: true,
    act: ({ pawl }, { id, status, interruptedAt }) =>
      pawl.abandonSession({ id, seen: { status, interruptedAt } }),
  },
  {
    name: "restore",
    label: "Restore its work",
    about: "Restores the uncommitted work that a session left",
    isPossible: ({ snapshotRef, status, here }) => snapshotRef !== null && status !== "in_progress" && here,
    effects: ({ worktree, snapshotRef }) => [`The files of ${snapshotRef} are restored to ${worktree}.`],
    keeps: () => ["Pawl first saves what is uncommitted there now in a snapshot of its own."],
    isGrave: false,
    act: ({ pawl }, { id }) => pawl.restoreSession({ id }),
  },
];

export const sessionChoices = (session: SessionView): readonly string[] =>
  TABLE.filter(({ isPossible }) => isPossible(session)).map(({ name }) => name);

const versionOf = ({ status, interruptedAt, at }: SessionView): string =>
  `${status} ${interruptedAt ?? ""} ${at?.number ?? 0}`;

const sessionNow = ({ pawl }: PageContext, subject: ActionSubject): Promise<SessionView> =>
  pawl.showSession({ id: needed(subject, "session"), most: 1 });

export const SESSION_ACTIONS: readonly Action[] = TABLE.map((row) => ({
  name: row.name,
  label: row.label,
  about: row.about,
  async preview(context, subject) {
    const session = await sessionNow(context, subject);
    if (!row.isPossible(session))
      throw notPossible(`Session ${sessionName(session.id)} is ${session.status.replaceAll("_", " ")}.`);
    return {
      title: `${row.label}: session ${sessionName(session.id)}`,
      effects: row.effects(session),
      keeps: row.keeps(session),
      version: versionOf(session),
      needsReason: false,
      isGrave: row.isGrave,
    };
  },
  async act(context, subject, { version }) {
    const session = await sessionNow(context, subject);
    if (versionOf(session) !== version) throw stale(`Session ${sessionName(session.id)}`);
    return row.act(context, session);
  },
}));
