import type { RunSettings } from "../../agents/index.ts";
import { agentOption, shellWord } from "../../domain/index.ts";
import type { RunConfig } from "../prepare/run-config.ts";
import type { RunAnswer } from "./run-answer.ts";

/** After `--max-steps`: the run for the next ones, with the agent of this one where the settings name another. */
export function enoughOf(
  settings: RunSettings,
  { plan, agent, argv, maxSteps }: RunConfig,
  { ended }: Pick<RunAnswer, "ended">,
): Pick<RunAnswer, "enough"> {
  if (ended !== "enough" || maxSteps === undefined || plan === undefined) return {};
  const option = argv === undefined && agent === settings.agent ? null : agentOption(agent, argv);
  const continueWith = `pawl run ${shellWord(plan)}${option === null ? "" : ` ${option}`}`;
  return { enough: { maxSteps, continueWith } };
}
