import type { Connection } from "../../src/platform/sqlite/driver.ts";
import { type PlainStep, readPlainPlan } from "./plain-plan.ts";
import { type Family, type JournalLine, type ReplayedStep, replayJournal } from "./replay-journal.ts";

interface Step {
  readonly plan_path: string;
  readonly anchor: string;
  readonly parent_anchor: string | null;
  readonly step_index: number;
  readonly title: string;
  readonly status: string;
  readonly last_event: string;
  readonly claimed_by: string | null;
  readonly worktree_id: string | null;
  readonly session_id: string | null;
  readonly claim_seq: number;
  readonly complete_reason: string | null;
  readonly reopen_reason: string | null;
  readonly unmet_deps: number;
}

const HELD = new Set(["claimed", "in_progress", "awaiting_verification"]);

/**
 * Looks for anything that must never be in a database of Pawl, however its writers died.
 *
 * It knows tables and nothing else: no code of the verbs runs here, so a fault of theirs cannot hide itself. The
 * numbers are those of the invariants in the fault notes.
 */
export function checkWorld(connection: Connection): readonly string[] {
  const problems = [...checkFile(connection)];
  const steps = rows(connection, "select * from steps order by plan_path, step_index") as readonly Step[];
  const events = rows(connection, "select * from events order by id") as readonly JournalLine[];
  problems.push(...checkRowsAgainstPlans(connection, steps));
  problems.push(...checkDependencies(connection, steps));
  problems.push(...checkOwners(steps));
  problems.push(...checkJournal(connection, steps, events));
  return problems;
}

function rows(connection: Connection, sql: string): readonly unknown[] {
  return connection.prepare(sql).all();
}

/** I9: the engine itself finds nothing, and the file is in the mode that the promises rest on. */
function* checkFile(connection: Connection): Generator<string> {
  for (const row of rows(connection, "pragma integrity_check") as readonly { integrity_check: string }[])
    if (row.integrity_check !== "ok") yield `I9 integrity: ${row.integrity_check}`;
  for (const row of rows(connection, "pragma foreign_key_check") as readonly { table: string }[])
    yield `I9 a row of ${row.table} points at nothing`;
  const [mode] = rows(connection, "pragma journal_mode") as readonly { journal_mode: string }[];
  if (mode?.journal_mode !== "wal") yield `I9 the journal mode is ${mode?.journal_mode}`;
  for (const row of rows(
    connection,
    "select name from sqlite_master where name like 'new\\_%' escape '\\'",
  ) as readonly { name: string }[])
    yield `I9 ${row.name} was left behind by a migration`;
}

/** I6: the steps, edges and items of every plan are those of the text it was saved from: none lost, none double. */
function* checkRowsAgainstPlans(connection: Connection, steps: readonly Step[]): Generator<string> {
  const plans = rows(
    connection,
    `select p.plan_path, p.status, s.content from plans p
       left join plan_snapshots s on s.plan_path = p.plan_path and s.plan_hash = p.plan_hash`,
  ) as readonly { plan_path: string; content: string | null; status: string }[];
  const edges = rows(connection, "select * from step_deps") as readonly {
    plan_path: string;
    step_anchor: string;
    depends_on: string;
  }[];
  const items = rows(
    connection,
    "select plan_path, step_anchor, kind, ordinal, text from checklist_items order by id",
  ) as readonly { plan_path: string; step_anchor: string; kind: string; ordinal: number; text: string }[];
  for (const { plan_path, content, status } of plans) {
    const here = steps.filter((step) => step.plan_path === plan_path);
    const settled = here.some((step) => step.parent_anchor === null && step.status !== "completed")
      ? "active"
      : "done";
    if (status !== settled) yield `${plan_path} is ${status}, and should be ${settled}`;
    // Databases of version 1 kept no text.
    if (content === null) continue;
    const wanted = readPlainPlan(content).steps;
    yield* compare(
      `I6 steps of ${plan_path}`,
      here.map((step) => `${step.step_index} ${step.parent_anchor} ${step.anchor} ${step.title}`),
      wanted.map((step, index) => `${index} ${step.parent} ${step.anchor} ${step.title}`),
    );
    yield* compare(
      `I6 edges of ${plan_path}`,
      edges
        .filter((edge) => edge.plan_path === plan_path)
        .map((edge) => `${edge.step_anchor} ${edge.depends_on}`),
      wanted.flatMap((step) => [...new Set(step.dependsOn)].map((target) => `${step.anchor} ${target}`)),
    );
    yield* compare(
      `I6 items of ${plan_path}`,
      items
        .filter((item) => item.plan_path === plan_path)
        .map((item) => `${item.step_anchor} ${item.kind} ${item.ordinal} ${item.text}`),
      wanted.flatMap(itemLines),
    );
  }
}

function itemLines(step: PlainStep): readonly string[] {
  const next = { task: 0, test: 0, checkpoint: 0 };
  return step.items.map(({ kind, text }) => `${step.anchor} ${kind} ${next[kind]++} ${text}`);
}

function* compare(what: string, found: readonly string[], wanted: readonly string[]): Generator<string> {
  const [a, b] = [[...found].sort(), [...wanted].sort()];
  if (a.length === b.length && a.every((line, index) => line === b[index])) return;
  const missing = b.filter((line) => !a.includes(line)).slice(0, 5);
  const extra = a.filter((line) => !b.includes(line)).slice(0, 5);
  yield `${what}: ${a.length} instead of ${b.length}; missing ${JSON.stringify(missing)}, too many ${JSON.stringify(extra)}`;
}

/** I7, and the count that the choice of the next step rests on. */
function* checkDependencies(connection: Connection, steps: readonly Step[]): Generator<string> {
  const counts = rows(
    connection,
    `select s.plan_path, s.anchor, s.unmet_deps,
            (select count(*) from step_deps d
               join steps t on t.plan_path = d.plan_path and t.anchor = d.depends_on
              where d.plan_path = s.plan_path and d.step_anchor = s.anchor and t.status <> 'completed') as open
       from steps s`,
  ) as readonly { plan_path: string; anchor: string; unmet_deps: number; open: number }[];
  for (const { plan_path, anchor, unmet_deps, open } of counts)
    if (unmet_deps !== open)
      yield `${plan_path} ${anchor} counts ${unmet_deps} open dependencies, and has ${open}`;
  const byName = new Map(steps.map((step) => [`${step.plan_path}\n${step.anchor}`, step]));
  for (const edge of rows(connection, "select * from step_deps") as readonly {
    plan_path: string;
    step_anchor: string;
    depends_on: string;
  }[]) {
    const step = byName.get(`${edge.plan_path}\n${edge.step_anchor}`);
    const target = byName.get(`${edge.plan_path}\n${edge.depends_on}`);
    if (!step || !target || step.status !== "completed" || target.status === "completed") continue;
    // By force, by a commit, or because a person took the dependency back: each says so on its row.
    const excused =
      step.complete_reason !== null || step.last_event === "proved" || target.reopen_reason !== null;
    if (!excused) yield `I7 ${step.anchor} is completed before ${target.anchor}`;
  }
}

/** I1: one owner, and a substep has the owner of its step. */
function* checkOwners(steps: readonly Step[]): Generator<string> {
  const byName = new Map(steps.map((step) => [`${step.plan_path}\n${step.anchor}`, step]));
  for (const step of steps) {
    if (!HELD.has(step.status)) {
      if (step.status !== "completed" && step.session_id !== null)
        yield `I1 ${step.anchor} is ${step.status}, but belongs to ${step.session_id}`;
      continue;
    }
    if (step.claimed_by === null) yield `I1 ${step.anchor} is ${step.status} without an owner`;
    if (step.parent_anchor === null) continue;
    const parent = byName.get(`${step.plan_path}\n${step.parent_anchor}`);
    if (!parent || !HELD.has(parent.status))
      yield `I1 ${step.anchor} is ${step.status}, its step is ${parent?.status}`;
    else if (parent.claimed_by !== step.claimed_by || parent.session_id !== step.session_id)
      yield `I1 ${step.anchor} belongs to ${step.claimed_by}, its step to ${parent.claimed_by}`;
  }
}

/** I2, I3: the journal can have happened, and tells what the tables hold. */
function* checkJournal(
  connection: Connection,
  steps: readonly Step[],
  events: readonly JournalLine[],
): Generator<string> {
  const saved = new Set(
    (rows(connection, "select plan_path from plans") as readonly { plan_path: string }[]).map(
      (row) => row.plan_path,
    ),
  );
  // Rows of version 1 have a past that no journal tells of.
  if (steps.some((step) => step.last_event === "saved" && step.status !== "pending")) return;
  // Of a plan that was pruned it is unknown which steps belong together.
  const told = events.filter((line) => line.plan_path === null || saved.has(line.plan_path));
  const { plans, problems } = replayJournal(told, familyOf(steps));
  yield* problems.map((problem) => `I2 ${problem}`);
  for (const step of steps) {
    if (!saved.has(step.plan_path)) yield `${step.anchor} belongs to no plan`;
    const { status, granted, worktree } = plans.get(step.plan_path)?.get(step.anchor) ?? NEVER_TOLD;
    if (status !== step.status) yield `${step.anchor} is ${step.status}, the journal says ${status}`;
    if (step.claim_seq < granted)
      yield `I2 ${step.anchor} is at number ${step.claim_seq}, but ${granted} was granted`;
    if (step.parent_anchor === null && HELD.has(step.status)) {
      if (step.claim_seq !== granted)
        yield `I3 ${step.anchor} is held under ${step.claim_seq}, but ${granted} was granted`;
      if (step.claimed_by !== worktree)
        yield `I1 ${step.anchor} belongs to ${step.claimed_by}, granted was it to ${worktree}`;
    }
  }
}

const NEVER_TOLD: ReplayedStep = { status: "pending", granted: 0, worktree: null, completions: 0 };

export function familyOf(steps: readonly Pick<Step, "plan_path" | "anchor" | "parent_anchor">[]): Family {
  const substeps = new Map<string, string[]>();
  const parents = new Map<string, string>();
  for (const { plan_path, anchor, parent_anchor } of steps) {
    if (parent_anchor === null) continue;
    parents.set(`${plan_path}\n${anchor}`, parent_anchor);
    const list = substeps.get(`${plan_path}\n${parent_anchor}`);
    if (list) list.push(anchor);
    else substeps.set(`${plan_path}\n${parent_anchor}`, [anchor]);
  }
  return {
    substeps: (plan, anchor) => substeps.get(`${plan}\n${anchor}`) ?? [],
    parent: (plan, anchor) => parents.get(`${plan}\n${anchor}`),
  };
}
