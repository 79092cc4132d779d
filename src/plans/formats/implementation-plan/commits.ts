import {
  addItem,
  addMember,
  arrayNode,
  firstMember,
  jsonDraft,
  type JsonNode,
  member,
  nodeId,
  objectNode,
  replaceValue,
} from "../../../platform/json/index.ts";
import { stamp, type TrackedSubtask } from "./memory-file.ts";

const IDS = ["subtask_id", "chunk_id"] as const;

/** Brings `build_commits.json` up to date: the commit of every completed subtask. Undefined when it is something else. */
export function updateCommits(
  before: string | undefined,
  followed: readonly TrackedSubtask[],
  now: string,
): string | undefined {
  const reported = followed
    .flatMap(({ child, state }) =>
      child.id !== undefined && state.completedAt !== null && state.commit !== null
        ? [{ id: child.id, at: state.completedAt, hash: state.commit }]
        : [],
    )
    .toSorted((a, b) => (a.at < b.at ? -1 : 1));
  if (reported.length === 0) return before ?? "";
  const draft = jsonDraft(before ?? emptyCommits(now));
  if (!draft || !arrayNode(member(draft.root, "commits"))) return undefined;
  const idName = idNameOf(arrayNode(member(draft.root, "commits"))!.items, followed);
  let last: string | undefined;
  for (const { id, at, hash } of reported) {
    const commits = arrayNode(member(draft.root, "commits"))!;
    if (commits.items.some((item) => isOf(item, id, hash, draft.text))) continue;
    draft.apply(addItem(draft.text, commits, { hash, [idName]: id, timestamp: at }));
    last = hash;
  }
  if (last === undefined) return draft.text;
  const good = member(draft.root, "last_good_commit");
  draft.apply(
    good ? replaceValue(draft.text, good, last) : addMember(draft.text, draft.root, "last_good_commit", last),
  );
  stamp(draft, now);
  return draft.text;
}

const emptyCommits = (now: string): string =>
  `${JSON.stringify({ commits: [], last_good_commit: null, metadata: { created_at: now, last_updated: now } }, null, 2)}\n`;

function isOf(item: JsonNode, id: string, hash: string, text: string): boolean {
  const object = objectNode(item);
  if (!object) return false;
  return nodeId(firstMember(object, IDS), text) === id && nodeId(member(object, "hash"), text) === hash;
}

function idNameOf(items: readonly JsonNode[], followed: readonly TrackedSubtask[]): string {
  const known = items.map(objectNode).find((item) => item && firstMember(item, IDS));
  if (known) return IDS.find((name) => member(known, name)) ?? IDS[0];
  return followed[0]?.child.listName === "chunks" ? "chunk_id" : "subtask_id";
}
