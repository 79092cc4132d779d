import { COMMANDS } from "../cli/commands/index.ts";

/**
 * Which tool does what a command does. Every other command is for people, and agents obey hints: it is not named to them.
 */
const TOOLS: readonly (readonly [command: RegExp, tool: string])[] = [
  [/^state (?:claim|init)\b/, "pawl_claim"],
  [/^state start\b/, "pawl_start"],
  [/^state update\b/, "pawl_update"],
  [/^state artifact\b/, "pawl_artifact"],
  [/^(?:state complete|commit|verify)\b(?!.*--force)/, "pawl_submit"],
  [/^state release\b(?!.*--force)/, "pawl_release"],
  [/^state ready\b/, "pawl_next"],
  [/^(?:state (?:show|list|events)|status|worktree list|sessions (?:list|show))\b/, "pawl_status"],
  [/^explain\b/, "pawl_explain"],
  [/^plan check\b/, "pawl_plan_check"],
  [/^(?:doctor|recover)\b(?!.*--fix)/, "pawl_recover_report"],
];

const PERSONS = "a command for people";

/** Commands in the words of Pawl itself, quoted or bare, by the table of commands. The words of plans never pass here. */
const COMMAND = new RegExp(
  `\`pawl ([^\`]*)\`|\\bpawl ((?:${Object.keys(COMMANDS).join("|")})\\b(?: [^\\s,;:()]+)*)`,
  "g",
);

/** Our own text, with tools in the place of commands. */
export const forAgents = (text: string): string =>
  text.replace(COMMAND, (_all, quoted: string | undefined, bare: string | undefined) =>
    toolFor(quoted ?? bare ?? ""),
  );

const toolFor = (command: string): string => TOOLS.find(([pattern]) => pattern.test(command))?.[1] ?? PERSONS;
