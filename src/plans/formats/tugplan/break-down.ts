import type { NewSubstep, PlanStep } from "../../../domain/index.ts";

/**
 * A plan in which a step has substeps, put behind its own words, which stay.
 *
 * Undefined where there is no place for them: a step without a number has no numbers to give.
 */
export function breakDownStep(
  text: string,
  step: PlanStep,
  substeps: readonly NewSubstep[],
): string | undefined {
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split(/\r?\n/);
  const heading = lines[step.line - 1] ?? "";
  const [, marks, number] = /^ {0,3}(#{3,5})[ \t]+Step[ \t]+([A-Za-z0-9.]*[A-Za-z0-9])/i.exec(heading) ?? [];
  if (marks === undefined || number === undefined) return undefined;
  const end = endOfBody(lines, step);
  if (end === undefined) return undefined;
  const level = "#".repeat(Math.min(marks.length + 1, 5));
  const blocks = substeps.flatMap(({ title, text: words, tasks }, index) => [
    "",
    `${level} Step ${number}.${index + 1}: ${title} {#${step.anchor}-${index + 1}}`,
    ...(index === 0 ? [] : ["", `**Depends on:** #${step.anchor}-${index}`]),
    ...(words === "" ? [] : ["", ...words.split("\n")]),
    "",
    "**Tasks:**",
    "",
    ...tasks.map((task) => `- [ ] ${task}`),
  ]);
  return [...lines.slice(0, end), ...blocks, ...lines.slice(end)].join(newline);
}

/** The line behind the last words of the step; the rule that parts it from the next one is not among them. */
function endOfBody(lines: readonly string[], { line, body }: PlanStep): number | undefined {
  const wanted = body.split(/\r?\n/).map((one) => one.trimEnd());
  while (wanted.length > 0 && (wanted.at(-1) === "" || /^(?:-{3,}|\*{3,}|_{3,})$/.test(wanted.at(-1)!)))
    wanted.pop();
  if (wanted.length === 0) return line;
  for (let start = line; start < Math.min(line + 3, lines.length); start += 1)
    if (wanted.every((one, index) => lines[start + index]?.trimEnd() === one)) return start + wanted.length;
  return undefined;
}
