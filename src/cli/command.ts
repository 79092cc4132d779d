import type { Context } from "./context.ts";
import type { Paint } from "./text/paint.ts";
import { COMMAND_TABLE, type CommandName } from "../command-table.ts";
import type { Issue } from "../journal/index.ts";

/**
 * One option of a command.
 *
 * `pair` takes two values (`--task 1 completed`, also `--task 1:completed`); `many` may be given several times.
 */
export interface Option {
  readonly type: "flag" | "text" | "number" | "pair";
  readonly many?: boolean;
  /** What stands for the value in help: `PATH`, `SECONDS`, `N STATUS`. */
  readonly value?: string;
  readonly about: string;
  /** Values offered by completion and named in errors. */
  readonly choices?: readonly string[];
  /** With it the command prints as it goes, so there is no one envelope to print. */
  readonly streams?: boolean;
  /** Left out of help; for tests and internal callers. */
  readonly hidden?: boolean;
}

export type Options = Readonly<Record<string, Option>>;

type ValueOf<O extends Option> = O["type"] extends "flag"
  ? boolean
  : O["type"] extends "number"
    ? number
    : O["type"] extends "pair"
      ? readonly [string, string]
      : string;

/** Options are optional in the type; a command that needs one says so with a `Failure`. */
export type OptionValues<O extends Options> = {
  readonly [K in keyof O]?: O[K] extends { many: true } ? readonly ValueOf<O[K]>[] : ValueOf<O[K]>;
};

export interface Operand {
  readonly name: string;
  readonly about: string;
  readonly required: boolean;
}

export interface CommandDefinition<O extends Options> {
  /** The words that call it: `state claim`. */
  readonly name: string;
  readonly about: string;
  /** Paragraphs for `--help`, after the first line. */
  readonly more?: string;
  readonly operands: readonly Operand[];
  readonly options: O;
  /** Complete command lines, shown in help and in the reference. */
  readonly examples: readonly string[];
  /** `after` are those of the operands that stood after `--`. */
  readonly run: (
    context: Context,
    values: OptionValues<O>,
    operands: readonly string[],
    after: readonly string[],
  ) => Promise<CommandOutcome>;
}

/** One command of the CLI. The file that holds it holds all of it: name, help, options, examples, action. */
export type Command = CommandDefinition<Options>;

/** What a command says. It never prints: the shell picks `data` or `text` and prints that. */
export interface CommandOutcome {
  /** Goes into the envelope's `data`, in snake_case. */
  readonly data: Readonly<Record<string, unknown>>;
  /** For people; painted for the terminal at hand. No trailing newline. */
  readonly text: (paint: Paint) => string;
  readonly issues?: readonly Issue[];
  /** True when `text` shows the issues itself; they are not printed a second time. */
  readonly showsIssues?: boolean;
  /** 0 unless said otherwise. */
  readonly exitCode?: number;
  /** Waited for once the answer is printed, as a page that stays open. */
  readonly afterwards?: (() => Promise<void>) | undefined;
}

/** The end of a command that partial everything on its way. */
export const ALL_PRINTED: CommandOutcome = { data: {}, text: () => "" };

/** A failure after which there is still something to tell: what was done before it. */
export class Unfinished extends Error {
  readonly partial: Pick<CommandOutcome, "data" | "text">;

  constructor(cause: unknown, { data, text }: CommandOutcome) {
    super("a failure with an answer", { cause });
    this.partial = { data, text };
  }
}

/** A command of the table has its first line there; others bring one. */
type Defined<O extends Options> =
  | (Omit<CommandDefinition<O>, "about" | "name"> & { readonly name: CommandName; readonly about?: never })
  | CommandDefinition<O>;

/** The parser has checked the values against `options` by the time `run` sees them, so forgetting their exact type here loses nothing. */
export const defineCommand = <const O extends Options>(command: Defined<O>): Command =>
  ({ about: COMMAND_TABLE[command.name as CommandName]?.about, ...command }) as unknown as Command;
