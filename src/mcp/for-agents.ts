import { COMMAND_FACTS, COMMAND_TABLE, commandNamed } from "../command-table.ts";

const PERSONS = "a command for people";

/** Commands in the words of Pawl itself, quoted or bare, by the table of commands. The words of plans never pass here. */
const COMMAND = new RegExp(
  `\`pawl ([^\`]*)\`|\\bpawl ((?:${Object.keys(COMMAND_TABLE).join("|")})\\b(?: [^\\s,;:()]+)*)`,
  "g",
);

/** Our own text, with tools in the place of commands. */
export const forAgents = (text: string): string =>
  text.replace(COMMAND, (_all, quoted: string | undefined, bare: string | undefined) =>
    toolFor(quoted ?? bare ?? ""),
  );

function toolFor(text: string): string {
  const name = commandNamed(text);
  const { tool, exceptWith } = name === undefined ? {} : COMMAND_FACTS[name];
  const isForPeople = exceptWith !== undefined && text.includes(exceptWith);
  return tool === undefined || isForPeople ? PERSONS : tool;
}
