import { VERIFY_FIELDS } from "./fields.ts";
import { type SettingName, SETTINGS } from "../../domain/index.ts";

/** Where editors find `docs/pawl.schema.json` of the published package. */
export const SCHEMA_ADDRESS = "https://unpkg.com/pawl/docs/pawl.schema.json";

/** What a new `pawl.toml` sets; everything else in it is a comment. */
export interface ChosenSettings {
  readonly agent?: string | undefined;
  /** `[verify] command`. */
  readonly check?: readonly string[] | undefined;
  readonly worktreeSetup?: readonly string[] | undefined;
}

/** The file that `pawl init` writes: every common setting with what it does, as a comment unless it was chosen. */
export function settingsTemplate(chosen: ChosenSettings = {}): string {
  const set: { readonly [K in SettingName]?: unknown } = {
    agent: chosen.agent,
    worktree_setup: chosen.worktreeSetup,
  };
  const settings = Object.entries(SETTINGS).map(([name, { about, example }]) =>
    entry(about, assignment(name, example), valueOf(name, set[name as SettingName])),
  );
  // Last: whatever follows the head of a table is inside it.
  const verify = Object.entries(VERIFY_FIELDS).map(([name, { about, example }]) =>
    entry(about, example, name === "command" ? valueOf(name, chosen.check) : undefined),
  );
  const head = chosen.check === undefined ? "# [verify]" : "[verify]";
  return [
    `#:schema ${SCHEMA_ADDRESS}\n# Settings of Pawl for this repository. Every worktree uses this one file.\n`,
    ...settings,
    `# What a step must pass before it is committed and counts as done, beside its checklist.\n${head}\n`,
    ...verify,
  ].join("\n");
}

/** TOML writes text and lists of text as JSON does, but for DEL. */
const assignment = (name: string, value: unknown): string =>
  `${name} = ${Array.isArray(value) ? `[${value.map(literal).join(", ")}]` : literal(value)}`;

const literal = (value: unknown): string => JSON.stringify(value).replaceAll("\u007f", "\\u007F");

const valueOf = (name: string, value: unknown): string | undefined =>
  value === undefined ? undefined : assignment(name, value);

const entry = (about: string, example: string, set: string | undefined): string =>
  `${wrap(`${about}.`)
    .map((line) => `# ${line}`)
    .join("\n")}\n${set ?? `# ${example}`}\n`;

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
