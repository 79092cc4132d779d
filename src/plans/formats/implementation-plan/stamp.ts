import { replaceValue } from "../json/edit-json.ts";
import type { JsonDraft } from "../json/json-draft.ts";
import { asObject, member } from "../json/look.ts";

/** Notes when a file of the memory was changed, where it has a place for that. */
export function stamp(draft: JsonDraft, now: string): void {
  const metadata = asObject(member(draft.root, "metadata"));
  const updated = metadata && member(metadata, "last_updated");
  if (updated) draft.apply(replaceValue(draft.text, updated, now));
}
