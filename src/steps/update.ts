import {
  bareAnchor,
  Failure,
  HELD_STATUSES,
  ITEM_STATUSES,
  type ItemKind,
  type ItemStatus,
  type StepStatus,
} from "../domain/index.ts";
import type { Ports, Sql } from "../platform/ports/index.ts";
import { listStepItems, lockedStep, transact, writeBackOrNotice } from "../plans/index.ts";
import type { ItemRow, StepRow } from "../platform/index.ts";
import { setItem } from "./sql/set-item.ts";
import { journal, type Repeatable } from "../journal/index.ts";
import type { Caller, StepAddress } from "./caller.ts";
import { completeSubstep } from "./complete.ts";
import { numberOf, ownerParams, whyRefused } from "./owned-step.ts";
import { begin } from "./start.ts";

/** One instruction: which items, and what they become. Ordinals count from 1 within their kind. */
export type ItemChange = { readonly status: string } & (
  | { readonly kind: ItemKind; readonly ordinal: number }
  | { readonly kind: ItemKind; readonly all: true }
  | { readonly all: true }
  | { readonly match: string }
);

export interface UpdateRequest extends StepAddress, Repeatable {
  readonly caller: Caller;
  readonly changes: readonly ItemChange[];
  /** Why items are deferred; needed when one is. */
  readonly reason?: string | undefined;
}

export interface UpdateAnswer {
  readonly planPath: string;
  readonly anchor: string;
  readonly itemsUpdated: number;
}

/** The owner ticks items of a step's checklist. A call makes all of its changes or none. */
export async function update(ports: Ports, request: UpdateRequest): Promise<UpdateAnswer> {
  const location = ports.plans.locate(request.plan);
  const { caller, changes, reason } = request;
  if (changes.length === 0) {
    throw new Failure(
      "usage/wrong",
      "update needs something to change.",
      {},
      {
        hint: "Name items with --task, --test, --checkpoint, --match, or --all.",
      },
    );
  }
  const subject = [
    location.key,
    bareAnchor(request.step),
    caller.worktree.id,
    caller.claim,
    JSON.stringify(changes),
    reason,
  ];
  const call = { verb: "update", subject, requestId: request.requestId, atOnce: true };
  let isSubstepChanged = false;
  const answer = await transact(ports, call, async (sql) => {
    const named = { plan_path: location.key, anchor: bareAnchor(request.step) };
    const [step, items] = await Promise.all([
      lockedStep(sql, location.key, request.step),
      sql.all(listStepItems, named),
    ]);
    const isWhole = items.length === 0 && step.parent_anchor !== null;
    const wanted = resolveChanges(step, { items, named: isWhole ? [asItem(step)] : items }, changes);
    isSubstepChanged = isWhole && wanted.size > 0;
    if (wanted.size === 0) await refuseStranger(sql, step, caller);
    else if (isWhole) await changeSubstep(sql, step, caller, [...wanted.values()][0]!);
    else await change(sql, step, caller, wanted, reason);
    await journal(sql, {
      event: "items-updated",
      plan: step.plan_path,
      anchor: step.anchor,
      claim: await numberOf(sql, step, caller),
      worktree: caller.worktree.path,
      session: caller.session,
      detail: {
        items: [...wanted].map(([{ kind, ordinal }, status]) => `${kind} ${ordinal + 1} ${status}`),
        ...(reason ? { reason } : {}),
      },
    });
    return { planPath: step.plan_path, anchor: step.anchor, itemsUpdated: wanted.size };
  });
  // Ticks leave no trace in the plan's files before their step is completed; the status of a substep does.
  if (isSubstepChanged) await writeBackOrNotice(ports, location.key);
  return answer;
}

async function change(
  sql: Sql,
  step: StepRow,
  caller: Caller,
  wanted: ReadonlyMap<ItemRow, ItemStatus>,
  reason?: string,
): Promise<void> {
  const unexplained = [...wanted].find(([, status]) => status === "deferred" && !reason?.trim());
  if (unexplained) {
    throw new Failure("reason/required", "An item is only deferred for a reason.", {
      anchor: step.anchor,
      item: unexplained[0].text,
    });
  }
  // All at once: on a server each by itself would take a way there and back.
  const changed = await Promise.all(
    [...wanted].map(([item, status]) =>
      sql.run(setItem, {
        ...ownerParams(step, caller),
        kind: item.kind,
        ordinal: item.ordinal,
        status,
        reason: status === "deferred" ? (reason ?? null) : null,
        now: sql.now,
      }),
    ),
  );
  if (changed.includes(0)) throw await whyRefused(sql, step, caller, HELD_STATUSES, "update");
}

/** A substep without items is ticked itself, where it is named: to tick all items of it still means to tick none. */
const asItem = ({ anchor, title, status, completed_at }: StepRow): ItemRow => ({
  id: 0,
  step_anchor: anchor,
  kind: "task",
  ordinal: 0,
  text: title,
  status: status === "completed" ? "completed" : "open",
  reason: null,
  updated_at: completed_at,
});

async function changeSubstep(sql: Sql, step: StepRow, caller: Caller, wanted: ItemStatus): Promise<void> {
  const { plan_path, anchor, status } = step;
  const isDone = status === "completed";
  if (wanted === "completed" && !isDone) return completeSubstep(sql, step, caller);
  if (wanted === "in_progress" && (status === "claimed" || status === "pending"))
    return begin(sql, step, caller);
  await refuseStranger(sql, step, caller, wanted === "completed");
  if (wanted === "deferred")
    throw new Failure(
      "item/unknown-status",
      `${anchor} is a substep without items: it can be completed, and not deferred.`,
      { plan_path, anchor, status: wanted },
      { hint: "Leave it open, and say why in your last message: a person decides." },
    );
}

/** Without an item to change there is no write that could prove who owns the step. */
async function refuseStranger(sql: Sql, step: StepRow, caller: Caller, mayBeDone = false): Promise<void> {
  // A substep that was reset while its step is held belongs to the step's owner all the same.
  const workedOn: readonly StepStatus[] = [
    ...HELD_STATUSES,
    ...(step.parent_anchor === null ? [] : (["pending"] as const)),
    ...(mayBeDone ? (["completed"] as const) : []),
  ];
  const refusal = await whyRefused(sql, step, caller, workedOn, "update");
  if (refusal.problem !== "internal/bug") throw refusal;
}

/** Later instructions win over earlier ones for the same item. */
function resolveChanges(
  step: StepRow,
  { items, named }: { readonly items: readonly ItemRow[]; readonly named: readonly ItemRow[] },
  changes: readonly ItemChange[],
): Map<ItemRow, ItemStatus> {
  const wanted = new Map<ItemRow, ItemStatus>();
  for (const change of changes) {
    const status = statusOf(change.status);
    const among = "all" in change ? items : named;
    for (const item of select(step, among, change)) wanted.set(item, status);
  }
  return wanted;
}

function select(step: StepRow, items: readonly ItemRow[], change: ItemChange): readonly ItemRow[] {
  if ("match" in change) return [matching(step, items, change.match)];
  if ("ordinal" in change) return [numbered(step, items, change.kind, change.ordinal)];
  return "kind" in change ? items.filter((item) => item.kind === change.kind) : items;
}

function numbered(step: StepRow, items: readonly ItemRow[], kind: ItemKind, ordinal: number): ItemRow {
  const ofKind = items.filter((item) => item.kind === kind);
  const found = ofKind.find((item) => item.ordinal === ordinal - 1);
  if (found) return found;
  const known = ofKind.length === 0 ? `no ${kind}s` : `${kind}s 1 to ${ofKind.length}`;
  throw new Failure("item/unknown", `${step.anchor} has ${known}; there is no ${kind} ${ordinal}.`, {
    plan_path: step.plan_path,
    anchor: step.anchor,
    kind,
    ordinal,
    count: ofKind.length,
  });
}

/** Agents cannot count, but they can quote: the text must fit exactly one item. */
function matching(step: StepRow, items: readonly ItemRow[], text: string): ItemRow {
  const fold = (value: string) => value.normalize("NFC").toLowerCase().replace(/\s+/g, " ").trim();
  const wanted = fold(text);
  const found = items.filter((item) => fold(item.text).includes(wanted));
  const exact = found.filter((item) => fold(item.text) === wanted);
  if (exact.length === 1) return exact[0]!;
  if (found.length === 1 && wanted !== "") return found[0]!;
  if (found.length === 0 || wanted === "") {
    throw new Failure("item/unknown", `No item of ${step.anchor} reads like "${text}".`, {
      plan_path: step.plan_path,
      anchor: step.anchor,
      match: text,
    });
  }
  throw new Failure("item/ambiguous", `${found.length} items of ${step.anchor} read like "${text}".`, {
    anchor: step.anchor,
    match: text,
    items: found.slice(0, 10).map((item) => `${item.kind} ${item.ordinal + 1}: ${item.text}`),
  });
}

function statusOf(text: string): ItemStatus {
  const found = ITEM_STATUSES.find((status) => status === text);
  if (found) return found;
  throw new Failure("item/unknown-status", `An item cannot be "${text}".`, {
    status: text,
    known: ITEM_STATUSES,
  });
}
