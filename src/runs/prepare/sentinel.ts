import {
  Failure,
  isHeld,
  type OpenRun,
  readSentinel,
  type Sentinel,
  SENTINEL_FILE,
  toInstant,
  whyFullScan,
  writeSentinel,
} from "../../domain/index.ts";
import { journalEnd } from "../../journal/index.ts";
import type { Ports, Sql } from "../../platform/ports/index.ts";
import { listHeldSteps, listPlans } from "../../plans/index.ts";
import { fullStateOf } from "../../verification/index.ts";
import { findEditedStep } from "./sql/find-edited-step.ts";

/** Where sentinels lie: Pawl's own, and one in each folder of task files that is worked on, for the tools around it. */
interface SentinelFile {
  readonly folder: string;
  readonly path: string;
  /** The plan whose folder it is; undefined for Pawl's own, which is about all plans. */
  readonly plan: string | undefined;
}

function placesFor(ports: Ports, plan: string | undefined): readonly SentinelFile[] {
  const own: SentinelFile = {
    folder: ports.stateDir,
    path: `${ports.stateDir}/${SENTINEL_FILE}`,
    plan: undefined,
  };
  const folder = plan === undefined ? undefined : ports.plans.find(plan).path;
  if (folder === undefined || !/(?:^|\/)\.claude\/tasks$/.test(plan!)) return [own];
  return [own, { folder, path: `${folder}/.${SENTINEL_FILE}`, plan }];
}

const MOST_BYTES = 16 * 1024 * 1024;

interface Found {
  readonly bytes: Uint8Array | undefined;
  readonly sentinel: Sentinel | undefined;
}

function look({ files }: Ports, { path }: SentinelFile): Found {
  try {
    if (!files.exists(path)) return { bytes: undefined, sentinel: undefined };
    const bytes = files.read(path, MOST_BYTES);
    return { bytes, sentinel: readSentinel(new TextDecoder().decode(bytes)) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { bytes: undefined, sentinel: undefined };
  }
}

/** What Step 0 has to look at. */
export type ScanExtent =
  | { readonly kind: "full"; readonly because: string }
  | { readonly kind: "listed"; readonly steps: ReadonlySet<string> };

/** Reads the sentinels before anything is begun. All of them must say that the last end was clean. */
export async function chooseScanExtent(ports: Ports, plan: string): Promise<ScanExtent> {
  const steps = new Set<string>();
  const end = await journalEndNow(ports);
  for (const place of placesFor(ports, plan)) {
    const { sentinel } = look(ports, place);
    const isElsewhere = sentinel !== undefined && isOnlyOthers(ports, sentinel, plan);
    const known = isElsewhere ? { ...sentinel, open: false } : sentinel;
    const because = whyFullScan(known, ports.clock.wallMs(), end);
    if (because !== undefined) return { kind: "full", because };
    for (const name of sentinel!.inProgress) {
      const anchor = place.plan === undefined ? anchorIn(name, plan) : anchorOfTask(name);
      if (anchor !== undefined) steps.add(anchor);
    }
  }
  if (await waitsForDecision(ports, plan))
    return { kind: "full", because: "a person has not decided about an edit or a failed full check" };
  return { kind: "listed", steps };
}

/** A clean end says nothing about these: each run asks again until a person has decided. */
async function waitsForDecision(ports: Ports, plan: string): Promise<boolean> {
  const database = await ports.database();
  return database.read(async (sql) => {
    if ((await sql.get(findEditedStep, { plan_path: plan })) !== undefined) return true;
    const { failure } = await fullStateOf(sql, plan);
    return failure !== undefined && !failure.isLeft;
  });
}

/** Whether everybody who has it open is at work at this moment, on something else. */
const isOnlyOthers = (ports: Ports, { runs }: Sentinel, plan: string): boolean =>
  runs.length > 0 && runs.every((run) => run.plan !== plan && isLiving(ports, run));

const isLiving = (ports: Ports, { bootId, pid, processStartedAt: startedAt }: OpenRun): boolean =>
  bootId === ports.machine.bootId && ports.processes.mayLive({ pid, startedAt });

const anchorIn = (name: string, plan: string): string | undefined =>
  name.startsWith(`${plan}#`) ? name.slice(plan.length + 1) : undefined;

const anchorOfTask = (id: string): string => (/^task-/i.test(id) ? id : `task-${id}`);

/**
 * Says that work has begun, before it does, and that it ended, after it did.
 *
 * Several runs can be at work at once, so the file names those that have it open: it is closed when the last of them
 * has gone. One that was killed never takes its name out, and that is how its end is noticed, however young the last
 * clean end is.
 */
export async function withSentinel<T>(
  ports: Ports,
  plan: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const run: OpenRun = {
    id: `w-${ports.newId()}`,
    plan: plan ?? null,
    pid: ports.processes.self().pid,
    processStartedAt: ports.processes.self().startedAt,
    bootId: ports.machine.bootId,
  };
  const places = placesFor(ports, plan);
  for (const place of places) {
    ignoreSentinel(ports, place);
    await change(ports, place, (runs) => [...runs, run]);
  }
  try {
    return await work();
  } finally {
    for (const place of places) await close(ports, place, run);
  }
}

/**
 * Keeps the sentinel of a task folder out of commits, in this clone only.
 *
 * A step's commit takes in everything that changed, and how the last session ended here is no part of the work.
 */
function ignoreSentinel({ files, repository }: Ports, { plan }: SentinelFile): void {
  if (plan === undefined) return;
  const folder = `${repository.commonDir}/info`;
  const path = `${folder}/exclude`;
  const line = `/${plan}/.${SENTINEL_FILE}`;
  const before = files.exists(path) ? files.read(path, MOST_BYTES) : undefined;
  const text = before === undefined ? "" : new TextDecoder().decode(before);
  if (text.split(/\r?\n/).includes(line)) return;
  files.makeFolder(folder);
  const gap = text === "" || text.endsWith("\n") ? "" : "\n";
  // Another process that writes to it at this moment wins; the next run tries again.
  files.replaceIf(path, before, new TextEncoder().encode(`${text}${gap}${line}\n`));
}

/** A sentinel that cannot be closed stays open: the next run looks at everything. */
async function close(ports: Ports, place: SentinelFile, run: OpenRun): Promise<void> {
  try {
    await change(ports, place, (runs) => runs.filter(({ id }) => id !== run.id));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    ports.notice?.(error);
  }
}

/**
 * After everything was checked: runs on it whose process is gone have been accounted for.
 *
 * Those on other plans stay, or their end would never be noticed.
 */
export async function dropDeadRuns(ports: Ports, plan: string | undefined): Promise<void> {
  const isDropped = (run: OpenRun): boolean =>
    !isLiving(ports, run) && (plan === undefined || run.plan === null || run.plan === plan);
  for (const place of placesFor(ports, plan)) {
    const { sentinel } = look(ports, place);
    if (sentinel?.runs.some(isDropped))
      await change(ports, place, (runs) => runs.filter((run) => !isDropped(run)));
  }
}

/**
 * Makes the last clean end a later one. Not while a run has it open, whose crash must not be taken for a clean end,
 * and not where a look at everything is still due.
 */
export async function renewSentinel(ports: Ports): Promise<boolean> {
  const [own] = placesFor(ports, undefined);
  const { sentinel } = look(ports, own!);
  const end = await journalEndNow(ports);
  if (whyFullScan(sentinel, ports.clock.wallMs(), end) !== undefined) return false;
  await change(ports, own!, (runs) => runs);
  return true;
}

const MOST_TRIES = 50;

async function change(
  ports: Ports,
  place: SentinelFile,
  runsAfter: (runs: readonly OpenRun[]) => readonly OpenRun[],
): Promise<void> {
  ports.files.makeFolder(place.folder);
  for (let left = MOST_TRIES; left > 0; left -= 1) {
    const { bytes, sentinel } = look(ports, place);
    if (bytes !== undefined && sentinel === undefined) keepUnreadable(ports, place, bytes);
    const facts = await countsFor(ports, place);
    const text = writeSentinel({
      at: toInstant(ports.clock.wallMs()),
      ...facts,
      runs: runsAfter(sentinel?.runs ?? []),
    });
    if (ports.files.replaceIf(place.path, bytes, new TextEncoder().encode(text))) return;
  }
  throw new Failure("store/busy", `${place.path} keeps changing.`, { path: place.path });
}

const endOf = async (sql: Sql): Promise<number> => (await sql.get(journalEnd, {}))?.last ?? 0;

/** A state that was put back from a copy knows nothing of what happened since. */
const journalEndNow = async (ports: Ports): Promise<number> =>
  (await ports.database({ create: true })).read(endOf);

/** A person may want to know what was in it. */
function keepUnreadable({ files, clock }: Ports, { path }: SentinelFile, bytes: Uint8Array): void {
  const aside = `${path}.unreadable-${clock.wallMs()}`;
  if (!files.exists(aside)) files.create(aside, bytes);
}

async function countsFor(ports: Ports, { plan }: SentinelFile) {
  const database = await ports.database({ create: true });
  return database.read(async (sql) => {
    const plans = (await sql.all(listPlans, {})).filter(
      ({ plan_path }) => plan === undefined || plan_path === plan,
    );
    const held = (await sql.all(listHeldSteps, {})).filter(
      (step) => isHeld(step.status) && (plan === undefined || step.plan_path === plan),
    );
    return {
      // The file in a folder of tasks is read by other tools, and travels with that folder.
      journalEnd: plan === undefined ? await endOf(sql) : undefined,
      taskCount: plans.reduce((sum, { steps_total }) => sum + steps_total, 0),
      inProgress: held.map(({ plan_path, anchor }) =>
        plan === undefined ? `${plan_path}#${anchor}` : anchor.replace(/^task-/i, ""),
      ),
    };
  });
}
