import { type Family, type JournalLine, replayJournal } from "./replay-journal.ts";

/** One call of a worker as its log tells it. Times are of one clock for all processes of the machine. */
export interface HistoryCall {
  readonly worker: string;
  readonly worktree: string;
  readonly verb: string;
  /** Asked once more, after a crash, under the same request id. */
  readonly again: boolean;
  readonly step: string | undefined;
  readonly claim: number | undefined;
  readonly requestId: string | undefined;
  readonly startedAt: number;
  /** Undefined when the worker died before it got an answer. */
  readonly answer: HistoryAnswer | undefined;
}

export interface HistoryAnswer {
  readonly endedAt: number;
  readonly ok: boolean;
  readonly code?: string | undefined;
  /** What a claim was given, if anything. */
  readonly anchor?: string | undefined;
  readonly claim?: number | undefined;
}

type Answered = HistoryCall & { readonly answer: HistoryAnswer };

/**
 * Decides whether what the workers received, and what the journal says, can both be true.
 *
 * Nothing here asks the verbs. A worker's word is its log, written after it got the answer; the store's word is the
 * journal. Time is only used where one call had ended before another began, so it proves and never guesses.
 */
export function checkHistory(
  calls: readonly HistoryCall[],
  journal: readonly JournalLine[],
  family: Family,
): readonly string[] {
  const answered = calls.filter((call): call is Answered => call.answer !== undefined);
  const index = indexOf(journal);
  return [
    ...replayJournal(journal, family).problems,
    ...grantsAreKept(answered, index),
    ...grantsAreSingle(answered),
    ...completionsAreKept(answered, index),
    ...nobodyActsAfterItsTime(answered),
    ...nobodyIsTurnedAwayForNothing(answered, index),
    ...orderIsRealTime(answered, index),
  ];
}

interface Index {
  /** `event step number` to the line that tells it. */
  readonly lines: ReadonlyMap<string, JournalLine>;
  readonly newestGrant: ReadonlyMap<string, JournalLine>;
  /** The last line that took a step from its owner, or finished it. */
  readonly newestEnd: ReadonlyMap<string, JournalLine>;
}

const GRANTS = new Set(["claimed", "reclaimed"]);
const ENDS = new Set(["released", "reset", "held", "retried", "reopened", "completed", "proved"]);

function indexOf(journal: readonly JournalLine[]): Index {
  const lines = new Map<string, JournalLine>();
  const newestGrant = new Map<string, JournalLine>();
  const newestEnd = new Map<string, JournalLine>();
  for (const line of journal) {
    if (line.anchor === null) continue;
    const event = GRANTS.has(line.event) ? "grant" : line.event;
    lines.set(`${event} ${line.anchor} ${line.claim}`, line);
    if (event === "grant") newestGrant.set(line.anchor, line);
    if (ENDS.has(line.event)) newestEnd.set(line.anchor, line);
  }
  return { lines, newestGrant, newestEnd };
}

const name = (call: HistoryCall): string =>
  `${call.worker} ${call.verb} ${call.step ?? ""} ${call.claim ?? ""}`.trim();

/** I5: every claim that a worker knows of is in the journal, for that worker. */
function* grantsAreKept(calls: readonly Answered[], { lines }: Index): Generator<string> {
  for (const call of calls) {
    if (!isGrant(call)) continue;
    const { anchor, claim } = call.answer;
    const line = lines.get(`grant ${anchor} ${claim}`);
    if (!line)
      yield `lost: ${name(call)} was given ${anchor} under ${claim}, and the journal knows nothing of it`;
    else if (line.worktree !== call.worktree)
      yield `double: ${anchor} under ${claim} was given to ${call.worktree}, the journal says ${line.worktree}`;
  }
}

const isGrant = ({ verb, answer }: Answered): boolean =>
  verb === "claim" && answer.ok && answer.anchor !== undefined;

/** I1: one number of one step is given once. The same request answered again is the same grant. */
function* grantsAreSingle(calls: readonly Answered[]): Generator<string> {
  const given = new Map<string, Answered>();
  for (const call of calls) {
    if (!isGrant(call)) continue;
    const key = `${call.answer.anchor} ${call.answer.claim}`;
    const before = given.get(key);
    if (before && (before.requestId === undefined || before.requestId !== call.requestId))
      yield `double: ${call.answer.anchor} under ${call.answer.claim} was given to ${before.worker} and to ${call.worker}`;
    given.set(key, call);
  }
}

/** I4: every completion that a worker knows of is in the journal. That it never regresses is what a replay shows. */
function* completionsAreKept(calls: readonly Answered[], { lines }: Index): Generator<string> {
  for (const call of calls) {
    if (call.verb !== "complete" || !call.answer.ok) continue;
    if (!lines.has(`completed ${call.step} ${call.claim}`))
      yield `lost: ${name(call)} was acknowledged, and the journal knows nothing of it`;
  }
}

/** I3: a worker that acts under a number must have begun before a newer number was known to have been given. */
function* nobodyActsAfterItsTime(calls: readonly Answered[]): Generator<string> {
  const grants = new Map<string, { claim: number; endedAt: number; worker: string }[]>();
  for (const call of calls) {
    if (!isGrant(call)) continue;
    const list = grants.get(call.answer.anchor!) ?? [];
    list.push({ claim: call.answer.claim!, endedAt: call.answer.endedAt, worker: call.worker });
    grants.set(call.answer.anchor!, list);
  }
  for (const call of calls) {
    if (
      call.verb === "claim" ||
      call.again ||
      !call.answer.ok ||
      call.step === undefined ||
      call.claim === undefined
    )
      continue;
    const newer = grants
      .get(call.step)
      ?.find((grant) => grant.claim > call.claim! && grant.endedAt < call.startedAt);
    if (newer)
      yield `stale: ${name(call)} was accepted although ${newer.worker} had ${call.step} under ${newer.claim} by then`;
  }
}

const TURNED_AWAY = new Set(["E049", "E076"]);

/** The last worker to get a step, if no other took it, never learns that it is not its own. */
function* nobodyIsTurnedAwayForNothing(
  calls: readonly Answered[],
  { newestGrant, newestEnd }: Index,
): Generator<string> {
  for (const call of calls) {
    if (call.answer.ok || call.step === undefined || !TURNED_AWAY.has(call.answer.code ?? "")) continue;
    const grant = newestGrant.get(call.step);
    const end = newestEnd.get(call.step);
    const holds =
      grant?.claim === call.claim &&
      grant?.worktree === call.worktree &&
      (end === undefined || end.id < grant.id);
    if (holds)
      yield `robbed: ${name(call)} was refused (${call.answer.code}) although it still holds the step`;
  }
}

/** A call that had ended before another began stands before it in the journal. */
function* orderIsRealTime(calls: readonly Answered[], { lines }: Index): Generator<string> {
  const placed = calls.flatMap((call) => {
    const key = isGrant(call)
      ? `grant ${call.answer.anchor} ${call.answer.claim}`
      : call.verb === "complete" && call.answer.ok
        ? `completed ${call.step} ${call.claim}`
        : undefined;
    const line = key === undefined ? undefined : lines.get(key);
    return line ? [{ call, id: line.id }] : [];
  });
  const byEnd = placed.toSorted((a, b) => a.call.answer.endedAt - b.call.answer.endedAt);
  let ended = 0;
  let newest: (typeof placed)[number] | undefined;
  for (const current of placed.toSorted((a, b) => a.call.startedAt - b.call.startedAt)) {
    for (; ended < byEnd.length && byEnd[ended]!.call.answer.endedAt < current.call.startedAt; ended += 1)
      if (newest === undefined || byEnd[ended]!.id > newest.id) newest = byEnd[ended]!;
    // An answer that is given again tells of a line that is older than the question.
    if (newest && newest.id > current.id && !current.call.again)
      yield `order: ${name(current.call)} is line ${current.id}, but ${name(newest.call)} (line ${newest.id}) had ended before it began`;
  }
}
