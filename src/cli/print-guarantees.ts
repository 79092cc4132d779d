import { GUARANTEES } from "../domain/guarantees.ts";

/** Where each guarantee is proved: the tests that cite it. */
export type Proofs = ReadonlyMap<string, readonly { readonly file: string; readonly line: number }[]>;

/** `docs/guarantees.md`. */
export function guaranteeReference(proofs: Proofs): string {
  const sections = GUARANTEES.map(({ id, when, holds, but }) =>
    [
      `## ${id}`,
      "",
      `**When** ${when}: ${holds}.`,
      ...(but === undefined ? [] : ["", `Not promised: ${but}.`]),
      "",
      `Proved by ${filesIn(proofs, id).join(", ")}.`,
      "",
    ].join("\n"),
  );
  return [
    "# What Pawl promises",
    "",
    "<!-- Printed by `npm run docs` from src/domain/guarantees.ts. -->",
    "",
    "Each promise is cited by the tests that prove it. A test fails when one has no proof.",
    "",
    ...sections,
  ].join("\n");
}

const filesIn = (proofs: Proofs, id: string): readonly string[] =>
  [...new Set((proofs.get(id) ?? []).map(({ file }) => file))]
    .toSorted()
    .map((file) => `[${file}](../${file})`);

/** The table of the README. */
export function guaranteeTable(): string {
  const rows = GUARANTEES.map(({ when, holds }) => [when, holds] as const);
  const head = ["what happens", "what Pawl does"] as const;
  const width = (column: 0 | 1) => Math.max(...[head, ...rows].map((row) => row[column].length));
  const line = ([when, holds]: readonly [string, string]) =>
    `| ${when.padEnd(width(0))} | ${holds.padEnd(width(1))} |`;
  return `\n${[line(head), line(["-".repeat(width(0)), "-".repeat(width(1))]), ...rows.map(line)].join("\n")}\n\n`;
}
