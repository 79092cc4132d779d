import type { AgentEvent, ExitFacts } from "../domain/index.ts";
import type { CommandReport, Exit, OutputReader } from "../platform/ports/index.ts";
import type { AgentPreset } from "./agent-preset.ts";
import { gatherReport, type Gathering } from "./gather-report.ts";
import { lastLines } from "./last-lines.ts";
import { refusedWrites } from "./refusals.ts";
import type { OutputMoment } from "./reset-time.ts";
import { troubleIn, agentTrouble } from "./signs.ts";
import { splitLines } from "./split-lines.ts";

/** Called with each event, and with what is known of the run by then. */
export type AgentListener = (event: AgentEvent, report: () => CommandReport) => void;

/** Reads the output of one run as it comes, in bounded memory. */
export function agentOutput(
  preset: AgentPreset,
  moment: () => OutputMoment,
  onEvent: AgentListener = () => undefined,
): OutputReader {
  const read = preset.reader(moment);
  const gathering = gatherReport();
  const forPeople = lastLines();
  const refused = new Set<string>();
  const take = (event: AgentEvent) => {
    // Said while it happens and once more at the end.
    if (event.kind === "refused" && refused.has(event.what)) return;
    if (event.kind === "refused") refused.add(event.what);
    gathering.take(event);
    forPeople.take(event);
    onEvent(event, gathering.report);
  };
  const takeSign = (line: string) => {
    const trouble = troubleIn(line, preset.signs, moment(), "words");
    if (trouble) take({ kind: "trouble", trouble });
  };
  const stdout = splitLines((line) => {
    gathering.countLine();
    for (const event of read(line)) take(event);
    for (const event of preset.output === "plain" ? refusedWrites(line) : []) take(event);
    if (preset.output === "plain") takeSign(line);
    // A program that fails before it has begun says so in plain words, and no reader would notice it.
    else if (!line.startsWith("{") && line.trim() !== "") take({ kind: "notice", text: line });
  });
  const stderr = splitLines((line) => {
    gathering.countLine();
    if (line.trim() !== "") take({ kind: "notice", text: line });
    takeSign(line);
  });
  return {
    stdout: stdout.push,
    stderr: stderr.push,
    lines: forPeople.lines,
    end(exit) {
      stdout.end();
      stderr.end();
      return { report: gathering.report(), facts: factsOf(preset, gathering, exit, moment()) };
    },
  };
}

/** What the output tells, seen together with the preset's own knowledge of exit codes. */
function factsOf(preset: AgentPreset, gathering: Gathering, exit: Exit, moment: OutputMoment): ExitFacts {
  const { result } = gathering.report();
  const told = gathering.trouble();
  const meaning = exit.exitCode === undefined ? undefined : preset.exitCodes[exit.exitCode];
  if (meaning === "turns") return { ...exit, ...told, result: { ok: false, because: "turns" } };
  const said = gathering.lastSaid() || `exit code ${exit.exitCode}`;
  const trouble = meaning === undefined ? told.trouble : agentTrouble(meaning, said, moment);
  const distrusted = !preset.exitCodeIsTrue && trouble !== undefined;
  return { ...exit, trouble, stuck: told.stuck, result: distrusted ? { ok: false } : result };
}
