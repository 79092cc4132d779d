import type { Plan } from "../../domain/index.ts";
import { foldFolder, unfoldFolder } from "./plan-folder.ts";
import type { FileEdit, PlanFormat, PlanText, PlanProgress, Written } from "./plan-format.ts";
import { meaningOf } from "./step-text.ts";

/**
 * What a plan's files should be, checked: read again, the plan must say the same as before.
 *
 * A writer with a fault would else turn a person's plan into another one. Nothing is written then.
 */
export function writePlan(format: PlanFormat, files: PlanText, progress: PlanProgress): Written {
  if (!format.writer) return { edits: [], problems: [] };
  const written = format.writer.write(files, progress);
  if (written.edits.length === 0) return written;
  const after = format.read(textAfter(format, files.text, written.edits));
  if (saysTheSame(format.read(files.text), after)) return written;
  return {
    edits: [],
    problems: [
      ...written.problems,
      { name: "", message: "writing to it would have changed what it says; this is a bug in Pawl" },
    ],
  };
}

const saysTheSame = (before: Plan, after: Plan): boolean => meaningOf(before) === meaningOf(after);

export function textAfter(format: PlanFormat, text: string, edits: readonly FileEdit[]): string {
  const byName = new Map(edits.map((edit) => [edit.name, edit.after]));
  if (!format.isFolder) return byName.get("") ?? text;
  const { files, archived } = unfoldFolder(text);
  return foldFolder({
    files: files.map((file) => ({ ...file, text: byName.get(file.name) ?? file.text })),
    archived,
  });
}
