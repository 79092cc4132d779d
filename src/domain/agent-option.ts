import { shellWord } from "./shell-word.ts";

/** The agent of a run as people type it: `--agent codex`, or the program behind `--`. */
export const agentOption = (agent: string | null, argv: readonly string[] | undefined): string | null =>
  argv !== undefined && argv.length > 0
    ? `-- ${argv.map(shellWord).join(" ")}`
    : agent && `--agent ${shellWord(agent)}`;
