import { VERIFY_FIELDS } from "./fields.ts";
import { SETTINGS } from "../../domain/index.ts";

/** Where editors find `docs/pawl.schema.json` of the published package. */
export const SCHEMA_ADDRESS = "https://unpkg.com/pawl/docs/pawl.schema.json";

/** The file that `pawl init` leaves: what people set first, said in comments. */
export function settingsTemplate(): string {
  const settings = Object.entries(SETTINGS).map(([name, { about, example }]) =>
    entry(about, `${name} = ${JSON.stringify(example)}`),
  );
  // Last: whatever follows the head of a table is inside it.
  const verify = Object.values(VERIFY_FIELDS).map(({ about, example }) => entry(about, example));
  return [
    `#:schema ${SCHEMA_ADDRESS}\n# Settings of Pawl for this repository. Every worktree uses this one file.\n`,
    ...settings,
    "# What a step must pass before it is committed and counts as done, beside its checklist.\n# [verify]\n",
    ...verify,
  ].join("\n");
}

const entry = (about: string, example: string): string =>
  `${wrap(`${about}.`)
    .map((line) => `# ${line}`)
    .join("\n")}\n# ${example}\n`;

const WIDTH = 98;

function wrap(text: string): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
