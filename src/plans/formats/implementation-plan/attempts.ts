import {
  addItem,
  addMember,
  arrayNode,
  firstMember,
  type JsonArray,
  type JsonDraft,
  jsonDraft,
  type JsonNode,
  type JsonObject,
  member,
  nodeId,
  objectNode,
  removeItems,
  replaceValue,
} from "../../../platform/json/index.ts";
import type { StepVerdict } from "../plan-format.ts";
import { stamp, type TrackedSubtask } from "./memory-file.ts";

/**
 * Brings `attempt_history.json` up to date: who completed what, and what is stuck.
 *
 * Two programs write this file in two shapes. In the one an id has a list of attempts and a status; in the other it has
 * a list of errors only, so a success has no place there. Undefined when the file is neither: it is not written anew,
 * because that would lose what others recorded.
 */
export function updateAttempts(
  before: string | undefined,
  followed: readonly TrackedSubtask[],
  now: string,
): string | undefined {
  const reported = followed.filter(({ child, state }) => child.id !== undefined && !isFromFile(state));
  if (before === undefined && !reported.some(({ state }) => hasNews(state))) return "";
  const draft = jsonDraft(before ?? emptyHistory(followed, now));
  if (!draft) return undefined;
  const listName = LISTS.find((name) => objectNode(member(draft.root, name)));
  if (listName === undefined) return undefined;
  for (const one of reported) {
    updateEntry(draft, listName, one);
    updateStuck(draft, listName, one, now);
  }
  if (draft.text !== before) stamp(draft, now);
  return draft.text;
}

const LISTS = ["subtasks", "chunks"] as const;

/** Blocked by Pawl, for a reason. That a file said so before Pawl came is nothing to record. */
const isStuck = ({ status, blockReason }: TrackedSubtask["state"]): boolean =>
  status === "blocked" && blockReason !== null && blockReason !== "failed";

/** What Pawl read from the file is not written back to it. */
const isFromFile = (state: TrackedSubtask["state"]): boolean =>
  state.isUntouched ||
  (state.status === "completed" && state.completedAt === null) ||
  (state.status === "blocked" && !isStuck(state));

const hasNews = (state: TrackedSubtask["state"]): boolean =>
  state.completedAt !== null || isStuck(state) || failuresOf(state).length > 0;

/** Verdicts that sent the work back. The completion that follows a pass reports it. */
const failuresOf = ({ verdicts }: TrackedSubtask["state"]) =>
  verdicts.filter(({ outcome }) => outcome !== "passed");

function emptyHistory(followed: readonly TrackedSubtask[], now: string): string {
  const isChunks = followed[0]?.child.listName === "chunks";
  const history = {
    [isChunks ? "chunks" : "subtasks"]: {},
    [isChunks ? "stuck_chunks" : "stuck_subtasks"]: [],
    metadata: { created_at: now, last_updated: now },
  };
  return `${JSON.stringify(history, null, 2)}\n`;
}

function updateEntry(draft: JsonDraft, listName: string, { child, state }: TrackedSubtask): void {
  for (const failure of failuresOf(state)) recordFailure(draft, listName, child.id!, state.title, failure);
  const list = objectNode(member(draft.root, listName))!;
  const entry = member(list, child.id!);
  const success = state.completedAt === null ? undefined : successOf(draft, state);
  if (!entry) {
    if (success)
      draft.apply(addMember(draft.text, list, child.id!, { attempts: [success], status: "completed" }));
    return;
  }
  const object = objectNode(entry);
  if (!object) return;
  const attempts = arrayNode(member(object, "attempts"));
  if (success && attempts && !attempts.items.some((one) => isAt(one, state.completedAt!)))
    draft.apply(addItem(draft.text, attempts, success));
  updateStatus(draft, listName, child.id!, wordOf(state));
}

/** In the shape that the file has for this id; for a new id, in the one that the file has for the others. */
function recordFailure(
  draft: JsonDraft,
  listName: string,
  id: string,
  title: string,
  { because, outcome, at: timestamp }: StepVerdict,
): void {
  const list = objectNode(member(draft.root, listName))!;
  const entry = member(list, id);
  const errors = arrayNode(entry);
  if (errors || (!entry && arrayNode(member(draft.root, STUCK_IDS)))) {
    const record = { timestamp, error: because, failureType: `verification_${outcome}` };
    if (!errors) return draft.apply(addMember(draft.text, list, id, [record]));
    if (!errors.items.some((one) => isAt(one, timestamp))) draft.apply(addItem(draft.text, errors, record));
    return;
  }
  const attempts = arrayNode(member(objectNode(entry), "attempts"));
  const session = lastSession(draft.root) + 1;
  const record = { session, timestamp, approach: title, success: false, error: because };
  if (!entry) draft.apply(addMember(draft.text, list, id, { attempts: [record], status: "in_progress" }));
  else if (attempts && !attempts.items.some((one) => isAt(one, timestamp)))
    draft.apply(addItem(draft.text, attempts, record));
}

const wordOf = (state: TrackedSubtask["state"]): string =>
  state.status === "completed"
    ? "completed"
    : isStuck(state)
      ? "stuck"
      : state.status === "in_progress" || state.status === "awaiting_verification"
        ? "in_progress"
        : "pending";

function updateStatus(draft: JsonDraft, listName: string, id: string, word: string): void {
  const entry = objectNode(member(objectNode(member(draft.root, listName)), id));
  const status = member(entry, "status");
  if (status?.type !== "string" || status.value === word) return;
  // A failure that is recorded there says more than that the work waits.
  if (word === "pending" && status.value === "failed") return;
  draft.apply(replaceValue(draft.text, status, word));
}

const isAt = (attempt: JsonNode, timestamp: string): boolean => {
  const at = member(objectNode(attempt), "timestamp");
  return at?.type === "string" && at.value === timestamp;
};

function successOf(draft: JsonDraft, state: TrackedSubtask["state"]) {
  return {
    session: lastSession(draft.root) + 1,
    timestamp: state.completedAt,
    approach: state.title,
    success: true,
    error: null,
  };
}

/** Sessions are counted through the whole file. */
function lastSession(root: JsonObject): number {
  let last = 0;
  for (const name of LISTS) {
    for (const { value } of objectNode(member(root, name))?.members ?? []) {
      const attempts = arrayNode(member(objectNode(value), "attempts"));
      for (const attempt of attempts?.items ?? []) {
        const session = member(objectNode(attempt), "session");
        if (session?.type === "number") last = Math.max(last, Math.trunc(session.value));
      }
    }
  }
  return last;
}

/** The list of what is stuck holds ids, or objects with one. A record stays until the work is done. */
function updateStuck(
  draft: JsonDraft,
  listName: string,
  { child, state }: TrackedSubtask,
  now: string,
): void {
  const id = child.id!;
  const stuck = arrayNode(firstMember(draft.root, [`stuck_${listName}`, STUCK_IDS]));
  const index = stuck ? stuck.items.findIndex((item) => stuckId(item, draft.text) === id) : -1;
  if (stuck && index !== -1 && state.status === "completed")
    draft.apply(removeItems(stuck, (one) => one === index));
  if (index !== -1 || !isStuck(state)) return;
  const idsOnly = arrayNode(member(draft.root, STUCK_IDS)) !== undefined;
  const why = [state.blockReason, state.blockNote].filter((part) => part !== null).join(": ");
  const record = idsOnly
    ? id
    : { [`${listName.slice(0, -1)}_id`]: id, reason: why || "blocked", escalated_at: now };
  draft.apply(
    stuck
      ? addItem(draft.text, stuck, record)
      : addMember(draft.text, draft.root, `stuck_${listName}`, [record]),
  );
  if (idsOnly) recordError(draft, listName, id, why || "blocked", now);
}

const STUCK_IDS = "stuckSubtasks";

function recordError(draft: JsonDraft, listName: string, id: string, error: string, now: string): void {
  const list = objectNode(member(draft.root, listName))!;
  const errors: JsonArray | undefined = arrayNode(member(list, id));
  const record = { timestamp: now, error, failureType: "blocked" };
  if (errors) draft.apply(addItem(draft.text, errors, record));
  else if (!member(list, id)) draft.apply(addMember(draft.text, list, id, [record]));
}

function stuckId(item: JsonNode, text: string): string | undefined {
  const object = objectNode(item);
  return nodeId(object ? firstMember(object, ["subtask_id", "chunk_id", "id"]) : item, text);
}
