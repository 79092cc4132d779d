import type { NewSubstep } from "../../../domain/index.ts";
import {
  addMember,
  arrayNode,
  jsonDraft,
  member,
  nodeText,
  replaceValue,
} from "../../../platform/json/index.ts";

/** A task file whose task has subtasks: they stand in it, and all it said before stays. */
export function breakDownTask(
  text: string,
  anchor: string,
  substeps: readonly NewSubstep[],
): string | undefined {
  const draft = jsonDraft(text);
  if (!draft || (arrayNode(member(draft.root, "subtasks"))?.items.length ?? 0) > 0) return undefined;
  const subtasks = substeps.map(({ title, text: words, tasks }, index) => ({
    id: `${anchor.replace(/^task-/, "")}_${index + 1}`,
    title,
    description: [words, ...tasks.map((task) => `- ${task}`)].filter((part) => part !== "").join("\n"),
    status: "Pending",
    dependencies: index === 0 ? [] : [`${anchor.replace(/^task-/, "")}_${index}`],
  }));
  const before = member(draft.root, "subtasks");
  draft.apply(
    before
      ? replaceValue(draft.text, before, subtasks)
      : addMember(draft.text, draft.root, "subtasks", subtasks),
  );
  return draft.text;
}

/** Says that the subtasks stand for the task from now on; undefined where there is nothing to say it in. */
export function markBrokenDown(text: string): string | undefined {
  const draft = jsonDraft(text);
  const status = draft && member(draft.root, "status");
  if (!draft || !status) return undefined;
  const word = /^[a-z]/.test(nodeText(status) ?? "") ? "broken down" : "Broken Down";
  draft.apply(replaceValue(draft.text, status, word));
  return draft.text;
}
