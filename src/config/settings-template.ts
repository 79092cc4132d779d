import { SETTINGS } from "./settings.ts";

/** The file that `pawl init` leaves: everything that can be set, said in comments. */
export function settingsTemplate(): string {
  const entries = Object.entries(SETTINGS).flatMap(([name, { about, example }]) => [
    "",
    ...wrap(`${about}.`).map((line) => `# ${line}`),
    `# ${name} = ${JSON.stringify(example)}`,
  ]);
  return `${["# Settings of Pawl for this repository. Every worktree uses this one file.", ...entries].join("\n")}\n`;
}

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
