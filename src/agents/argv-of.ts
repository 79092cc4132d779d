import { PROMPT_FILE } from "../platform/ports/index.ts";
import {
  type AgentPreset,
  type Argument,
  type Blanks,
  PERMISSIONS,
  PROGRAM,
  USER_ARGUMENTS,
} from "./agent-preset.ts";

/** One start of an agent, as the system is to run it: no shell ever reads it. */
export interface Invocation {
  readonly argv: readonly string[];
  readonly promptBy: "stdin" | "file";
}

export interface AgentChoice {
  readonly preset: AgentPreset;
  /** In place of the preset's own; for `command` the whole argv. */
  readonly program: readonly string[];
  /** Further arguments that the user wants. */
  readonly args: readonly string[];
}

/** The command line that starts an agent, or takes a conversation up again when it can. */
export function argvOf(
  choice: AgentChoice,
  blanks: Blanks,
  mode: "start" | "resume",
  permissions: readonly Argument[] = [],
): Invocation {
  const { preset, program, args } = choice;
  const wanted = mode === "resume" && blanks.session !== undefined ? preset.resume : undefined;
  const filled = (wanted ?? preset.start)
    .flatMap((argument) => (argument === PERMISSIONS ? permissions : [argument]))
    .filter((argument) => !isGroup(argument) || !isGiven(argument[0]!, args))
    .flatMap((argument) => fill(argument, blanks));
  const whole = [
    ...(filled.includes(PROGRAM) ? [] : [PROGRAM]),
    ...filled,
    ...(filled.includes(USER_ARGUMENTS) ? [] : [USER_ARGUMENTS]),
  ];
  const argv = whole.flatMap((word) =>
    word === PROGRAM ? program : word === USER_ARGUMENTS ? args : [word],
  );
  return { argv, promptBy: preset.prompt };
}

const isGroup = (argument: Argument): argument is readonly string[] => Array.isArray(argument);

const isGiven = (option: string, args: readonly string[]): boolean =>
  option.startsWith("--") && args.some((word) => word === option || word.startsWith(`${option}=`));

function fill(argument: Argument, blanks: Blanks): readonly string[] {
  const parts = typeof argument === "string" ? [argument] : isGroup(argument) ? argument : argument.list;
  const filled = parts.map((part) => fillPart(part, blanks));
  return filled.every((part) => part !== undefined) ? filled : [];
}

const STAND_INS: ReadonlySet<string> = new Set([PROGRAM, USER_ARGUMENTS, PROMPT_FILE]);

function fillPart(part: string, blanks: Blanks): string | undefined {
  const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
  if (name === undefined || STAND_INS.has(part)) return part;
  return blanks[name as keyof Blanks];
}
