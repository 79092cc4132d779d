import type { AgentEvent, TroubleKind } from "../domain/index.ts";
import type { OutputMoment } from "./reset-time.ts";

/** Each is a file of `presets`, and a row of its table. */
export type PresetName = "claude" | "codex" | "gemini" | "aider" | "opencode" | "command";

/**
 * How one agent is started, resumed and understood. A preset is data, with one function: what a line of its output
 * means.
 */
export interface AgentPreset {
  readonly about: string;
  /** Looked up on PATH unless the configuration names another. Undefined where the caller brings the whole argv. */
  readonly program: string | undefined;
  /** The prompt never stands on a command line: those are seen by everybody on the machine and end at a length. */
  readonly prompt: "stdin" | "file";
  readonly start: readonly Argument[];
  /** Undefined when a conversation cannot be taken up again by its id. */
  readonly resume: readonly Argument[] | undefined;
  /** `ours`: Pawl chooses the conversation's id. `theirs`: the output tells it. `none`: there is no such thing. */
  readonly sessionId: "ours" | "theirs" | "none";
  /** Whether stdout is a line of JSON for each event. Then words on it are the agent's work, not its troubles. */
  readonly output: "events" | "plain";
  /** Reads one line of stdout. A new reader is made for each run, because some must join fragments. */
  readonly reader: (moment: () => OutputMoment) => LineReader;
  /** Words that tell of trouble, where no field does. */
  readonly signs: readonly Sign[];
  /** Exit codes with a meaning of their own. */
  readonly exitCodes: Readonly<Record<number, TroubleKind | "turns">>;
  /** Some end with 0 whatever happened; then the last words count in spite of it. */
  readonly exitCodeIsTrue: boolean;
}

/**
 * Text, or a group: an option with its value. A group is left out whole when what it needs is not known, and when the
 * user gives the same option, because some programs refuse to hear it twice. `{name}` is replaced, never split.
 */
export type Argument = string | readonly string[];

/** What `{…}` in an argument can be. */
export interface Blanks {
  readonly session?: string | undefined;
  readonly worktree?: string | undefined;
  readonly model?: string | undefined;
  readonly max_turns?: string | undefined;
  readonly state_dir?: string | undefined;
}

export type LineReader = (line: string) => readonly AgentEvent[];

export interface Sign {
  readonly kind: TroubleKind;
  readonly words: RegExp;
}
