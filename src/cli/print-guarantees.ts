import { GUARANTEES } from "../domain/index.ts";

/** Where each guarantee is proved: the tests that cite it. */
export type Proofs = ReadonlyMap<string, readonly { readonly file: string; readonly line: number }[]>;

/** `docs/guarantees.md`. */
export function guaranteeReference(proofs: Proofs): string {
  const sections = GUARANTEES.map(({ id, when, holds, but }) =>
    [
      `## ${id}`,
      "",
      `**When** ${when}: ${holds}.`,
      "",
      `Not promised: ${but}.`,
      "",
      `Proved by ${linksTo("../", filesIn(proofs, id))}.`,
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
  [...new Set((proofs.get(id) ?? []).map(({ file }) => file))].toSorted();

const linksTo = (root: string, files: readonly string[]): string =>
  files.map((file) => `[${file}](${root}${file})`).join(", ");

/** The table of the FAQ. It names one test of each row; `docs/guarantees.md` has them all. */
export function guaranteeTable(proofs: Proofs): string {
  const rows = GUARANTEES.map(({ id, when, holds, but }) => {
    const [first, ...others] = filesIn(proofs, id);
    const more = others.length === 0 ? "" : ` [and ${others.length} more](guarantees.md#${id.toLowerCase()})`;
    return [when, holds, but, `[${nameOf(first!)}](../${first})${more}`];
  });
  const head = ["what happens", "what Pawl does", "what it does not promise", "proved by"];
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return `\n${[head, head.map(() => "---"), ...rows].map(line).join("\n")}\n\n`;
}

const nameOf = (file: string): string => file.slice(file.lastIndexOf("/") + 1, -".test.ts".length);
