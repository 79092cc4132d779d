import { DIAGNOSTICS } from "./diagnostics.ts";

/** The page on what `pawl plan check` can say, printed from the table. */
export function diagnosticReference(): string {
  const rows = Object.entries(DIAGNOSTICS).map(
    ([name, { code, severity, hint }]) =>
      `| ${code} | \`${name}\` | ${severity} | ${hint.replaceAll("|", "\\|")} |`,
  );
  return [
    "# What `pawl plan check` says",
    "",
    "Printed from `src/plans/formats/diagnostics.ts` by `npm run docs`. An error stops a plan from being used; a warning means",
    "that it may not be read as its author meant it; an info tells what was accepted or left out.",
    "",
    "| code | name | severity | what to do |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
  ].join("\n");
}
