import type { FoundStatus } from "../../../domain/index.ts";
import {
  addItem,
  addMember,
  arrayNode,
  firstMember,
  type JsonDraft,
  jsonDraft,
  type JsonNode,
  type JsonObject,
  member,
  newlineOf,
  nodeId,
  nodeText,
  nodeValue,
  objectNode,
  removeItems,
  replaceValue,
} from "../../../platform/json/index.ts";
import { unfoldFolder } from "../plan-folder.ts";
import type {
  FileEdit,
  FileProblem,
  PlanText,
  PlanProgress,
  StepState,
  StepVerdict,
  Written,
} from "../plan-format.ts";
import { shownStatus } from "../shown-status.ts";
import { newestTag, notesOf } from "./notes.ts";
import { statusOf } from "./task.ts";
import { anchorOfFile, anchorOfInner, TASK_IDS } from "./task-ids.ts";
import { stepStatusOf, TAGS, WRITTEN } from "./words.ts";

/** Brings every task file up to date with the store. A person fixes files that cannot be read. */
export function writeTaskFiles({ text }: PlanText, progress: PlanProgress): Written {
  const edits: FileEdit[] = [];
  const problems: FileProblem[] = [];
  for (const { name, text: before } of unfoldFolder(text).files) {
    if (before === undefined) continue;
    const anchor = anchorOfFile(name);
    const draft = jsonDraft(before);
    if (!draft) {
      if (progress.steps.has(anchor)) problems.push({ name, message: "it is no longer a readable task" });
      continue;
    }
    updateTask(draft, [], anchor, progress);
    if (draft.text !== before) edits.push({ name, before, after: draft.text });
  }
  return { edits, problems };
}

/** Where a task stands in its file: the whole, or a subtask at these positions. */
type Path = readonly number[];

function updateTask(draft: JsonDraft, path: Path, anchor: string, progress: PlanProgress): void {
  const state = progress.steps.get(anchor);
  if (state) updateState(draft, path, state, progress.now);
  const subtasks = arrayNode(member(at(draft, path), "subtasks"))?.items ?? [];
  for (const [index, item] of subtasks.entries()) {
    const object = objectNode(item);
    if (!object) continue;
    const id = nodeId(firstMember(object, TASK_IDS), draft.text);
    updateTask(draft, [...path, index], anchorOfInner(id, anchor, index), progress);
  }
}

/** Looked up anew each time, because every change moves what stands behind it. */
function at({ root }: JsonDraft, path: Path): JsonObject {
  let node = root;
  for (const index of path) node = objectNode(arrayNode(member(node, "subtasks"))!.items[index])!;
  return node;
}

function updateState(draft: JsonDraft, path: Path, state: StepState, now: string): void {
  const node = at(draft, path);
  const status = member(node, "status");
  const found = stepStatusOf(statusOf(status && nodeValue(status)));
  const wanted = shownStatus(state, found, { instead: { failed: "blocked" }, resetsAbandoned: false });
  if (wanted !== undefined && wanted !== "failed") {
    const hasSubtasks = (arrayNode(member(node, "subtasks"))?.items.length ?? 0) > 0;
    const word = wanted === "pending" && hasSubtasks ? BROKEN_DOWN : WRITTEN[wanted];
    const text = inStyle(word, nodeText(status));
    draft.apply(
      status ? replaceValue(draft.text, status, text) : addMember(draft.text, node, "status", text),
    );
    updateDates(draft, path, wanted === "completed", now);
  }
  if (state.isUntouched || isTheirs(state, found)) return;
  updateAttemptCount(draft, path, state);
  updateHistory(draft, path, state);
  updateTags(draft, path, state);
}

/** Whether the file calls it done and Pawl has nothing to add: what is in it then is history that others wrote. */
const isTheirs = (state: StepState, found: FoundStatus): boolean =>
  found === "completed" && !state.isReopened && (state.status !== "completed" || state.completedAt === null);

/** `In Progress`, `in progress` or `in_progress`, as the file has it. */
function inStyle(word: string, before: string | undefined): string {
  if (before === undefined || !/^[a-z]/.test(before)) return word;
  return word.toLowerCase().replace(" ", before.includes("_") ? "_" : " ");
}

/** What a task is whose subtasks are the work; a reopened one is that again. */
const BROKEN_DOWN = "Broken Down";

function updateDates(draft: JsonDraft, path: Path, isDone: boolean, now: string): void {
  const completed = member(at(draft, path), "completion_date");
  if (!isDone && completed && completed.type !== "null")
    draft.apply(replaceValue(draft.text, completed, null));
  const names = isDone ? ["updated_date", "completion_date"] : ["updated_date"];
  for (const name of names) {
    const node = member(at(draft, path), name);
    if (!node) continue;
    const hasTime = node.type === "string" && /^\d{4}-\d\d-\d\dT/.test(node.value);
    draft.apply(replaceValue(draft.text, node, hasTime ? now : now.slice(0, 10)));
  }
}

function updateAttemptCount(draft: JsonDraft, path: Path, { verificationAttempts }: StepState): void {
  const node = at(draft, path);
  const attempts = member(node, "verification_attempts");
  if (attempts?.type === "number" ? attempts.value === verificationAttempts : verificationAttempts === 0)
    return;
  draft.apply(
    attempts
      ? replaceValue(draft.text, attempts, verificationAttempts)
      : addMember(draft.text, node, "verification_attempts", verificationAttempts),
  );
}

const RESULTS: Readonly<Record<StepVerdict["outcome"], string>> = {
  passed: "pass",
  failed: "fail",
  timed_out: "timeout",
};

/**
 * Every verdict is reported once, behind what others wrote; a verdict is known by when it was given. Attempts that the file
 * had before count, also where nothing tells of them: the last verdict is the last attempt.
 */
function updateHistory(draft: JsonDraft, path: Path, { verdicts, verificationAttempts }: StepState): void {
  for (const [index, { attempt = 1, outcome, because, at: timestamp }] of verdicts.entries()) {
    const node = at(draft, path);
    const history = member(node, "verification_history");
    const list = arrayNode(history);
    // Anything but a list is a person's; it stays.
    if (history && !list && history.type !== "null") return;
    const entries = (list?.items ?? []).flatMap((item) => objectNode(item) ?? []);
    if (entries.some((entry) => nodeText(member(entry, "timestamp")) === timestamp)) continue;
    const record = {
      attempt: Math.max(
        attempt,
        verificationAttempts - (verdicts.length - 1 - index),
        Math.max(0, ...entries.map(attemptOf)) + 1,
      ),
      result: RESULTS[outcome],
      timestamp,
      summary: because,
    };
    if (list) draft.apply(addItem(draft.text, list, record));
    else if (history) draft.apply(replaceValue(draft.text, history, [record]));
    else draft.apply(addMember(draft.text, node, "verification_history", [record]));
  }
}

function attemptOf(entry: JsonObject): number {
  const attempt = member(entry, "attempt");
  return attempt?.type === "number" && Number.isSafeInteger(attempt.value) ? attempt.value : 0;
}

/** Tags that mean something only while the task is blocked. The others are part of its history. */
const PASSING: readonly string[] = TAGS.filter(({ reason }) => /_(?:timeout|escalated)$/.test(reason)).map(
  ({ tag }) => tag,
);

/** The newest tag says what the store says. Notes that do not begin with one keep their words. */
function updateTags(draft: JsonDraft, path: Path, state: StepState): void {
  const isBlocked = state.status === "blocked";
  const wanted = isBlocked ? TAGS.find(({ reason }) => reason === state.blockReason)?.tag : undefined;
  const newest = newestTag(notesOf(member(at(draft, path), "notes")))?.tag;
  if (wanted === newest) return;
  for (const tag of PASSING) if (tag !== wanted) clearTag(draft, path, tag);
  if (wanted === undefined || newestTag(notesOf(member(at(draft, path), "notes")))?.tag === wanted) return;
  addNote(draft, path, [wanted, state.blockNote].filter((part) => part !== null && part !== "").join(" "));
}

function clearTag(draft: JsonDraft, path: Path, tag: string): void {
  const notes = member(at(draft, path), "notes");
  const list = arrayNode(notes);
  const left = (note: JsonNode | undefined): string | undefined =>
    note?.type === "string" && note.value.includes(tag) ? withoutTag(note.value, tag) : undefined;
  const isOut = (note: JsonNode): boolean => left(note)?.trim() === "" && list !== undefined;
  const kept = (list?.items ?? (notes ? [notes] : [])).filter((note) => !isOut(note));
  const replaced = kept.flatMap((note) => {
    const words = left(note);
    return words === undefined ? [] : [replaceValue(draft.text, note, words)];
  });
  const removed = list ? removeItems(list, (index) => isOut(list.items[index]!)) : [];
  draft.apply([...removed, ...replaced]);
}

/** A line that begins with the tag is about nothing else, and goes with it; of any other only the tag goes. */
const withoutTag = (note: string, tag: string): string =>
  note
    .split("\n")
    .filter((line) => !line.trimStart().startsWith(tag))
    .map((line) => line.replaceAll(`${tag} `, "").replaceAll(tag, ""))
    .join("\n");

function addNote(draft: JsonDraft, path: Path, note: string): void {
  const node = at(draft, path);
  const notes = member(node, "notes");
  const list = arrayNode(notes);
  if (list) return draft.apply(addItem(draft.text, list, note));
  if (notes) {
    const text = notes.type === "string" ? notes.value : "";
    const joined = text === "" ? note : `${text}${newlineOf(text)}${note}`;
    return draft.apply(replaceValue(draft.text, notes, joined));
  }
  return draft.apply(addMember(draft.text, node, "notes", [note]));
}
