import { replaceValue } from "../../../platform/json/edit-json.ts";
import type { JsonDraft } from "../../../platform/json/json-draft.ts";
import { objectNode, member } from "../../../platform/json/json-members.ts";

/** Notes when a file of the memory was changed, where it has a place for that. */
export function stamp(draft: JsonDraft, now: string): void {
  const metadata = objectNode(member(draft.root, "metadata"));
  const updated = metadata && member(metadata, "last_updated");
  if (updated) draft.apply(replaceValue(draft.text, updated, now));
}
