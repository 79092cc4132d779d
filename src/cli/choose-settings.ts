import type { ChosenSettings } from "../platform/config/index.ts";
import { closest, Failure, shellArgument } from "../domain/index.ts";
import type { ProposedSettings } from "../views/index.ts";
import type { AskLine } from "./context.ts";

/** What was found here, taken without asking. */
export const detectedSettings = ({ agents, check, setup }: ProposedSettings): ChosenSettings => ({
  agent: agents[0],
  check: check?.argv,
  worktreeSetup: setup?.argv,
});

const NONE = "none";
const INTRODUCTION = `Three questions for pawl.toml. Enter takes what is in brackets; "${NONE}" leaves it out.\n`;

/** Asks for each setting; what was found is the answer that Enter gives. */
export async function askForSettings(askLine: AskLine, proposed: ProposedSettings): Promise<ChosenSettings> {
  const { check, setup } = proposed;
  const ask = async (question: string, found: string | undefined): Promise<string | undefined> => {
    const line = await askLine(`${question} [${found ?? NONE}]: `);
    if (line === undefined) throw new Failure("init/left", "Nothing was written.", {});
    const answer = line.trim() === "" ? found : line.trim();
    return answer === NONE ? undefined : answer;
  };
  const askCommand = async (question: string, found: ProposedSettings["check"]) => {
    const from = found === null ? "" : ` (from ${found.from})`;
    const answer = await ask(`${question}${from}`, found?.argv.map(shellArgument).join(" "));
    return answer === undefined ? undefined : commandArgv(answer);
  };
  return {
    agent: await agentFrom(ask, proposed),
    check: await askCommand("Check that every step must pass", check),
    worktreeSetup: await askCommand("Setup of a new worktree", setup),
  };
}

type Ask = (question: string, found: string | undefined) => Promise<string | undefined>;

/** A name that no run would accept is asked for again. */
async function agentFrom(ask: Ask, { agents, known }: ProposedSettings): Promise<string | undefined> {
  const installed = agents.length === 0 ? "none is installed" : `installed: ${agents.join(", ")}`;
  let question = `${INTRODUCTION}Agent (${installed})`;
  for (;;) {
    const answer = await ask(question, agents[0]);
    if (answer === undefined || known.includes(answer)) return answer;
    const near = closest(answer, known);
    question = `Pawl knows no agent ${answer}${near === undefined ? "" : `; did you mean ${near}?`} It knows ${known.join(", ")}.\nAgent`;
  }
}

/** Words as a program and its arguments; what only a shell understands is given to one. */
export function commandArgv(line: string): readonly string[] {
  const needsShell = /[|&;<>()$`\\"'*?~#!{}[\]]|^\w+=/.test(line);
  return needsShell ? ["sh", "-c", line] : line.split(/\s+/);
}
