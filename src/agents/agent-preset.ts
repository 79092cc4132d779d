import type { AgentEvent, PermissionProfile, TroubleKind } from "../domain/index.ts";
import type { Json } from "./json-line.ts";
import type { OutputMoment } from "./reset-time.ts";

/** Each is a file of `presets`, and a row of its table. */
export type PresetName =
  | "claude"
  | "codex"
  | "gemini"
  | "opencode"
  | "copilot"
  | "qwen"
  | "cursor"
  | "amp"
  | "goose"
  | "aider"
  | "acp"
  | "command";

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
  /** What each profile is in this agent's own words. They stand where `start` and `resume` have PERMISSIONS. */
  readonly permissions: Readonly<Record<PermissionProfile, (grant: Grant) => Terms>>;
  /**
   * What can contain it. `own`: a sandbox of its own, which needs programs of this machine. `bundled`: one that it
   * brings along. `pawl`: none, so Pawl starts it in bubblewrap.
   */
  readonly sandbox: "own" | "bundled" | "pawl";
  /** Whether it can be held to a list of commands where nothing contains it. */
  readonly hasCommandList: boolean;
  /** Its own folders below the home folder, which it must write to work at all. */
  readonly ownFolders: readonly string[];
  /** The option that takes JSON settings on the command line. The user's own are merged into Pawl's. */
  readonly settingsOption?: string;
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
  /** Written from the program's documentation: no released version of it was run with Pawl yet. */
  readonly isUntried?: boolean;
}

/** What one start of an agent is granted. */
export interface Grant {
  /** Commands that may run besides Pawl's own, as a person types them; `*` stands for anything. */
  readonly commands: readonly string[];
  /** Folders that may be written besides the worktree, Pawl's state folder first. */
  readonly writable: readonly string[];
  /** What lies in those and must stay as it is. */
  readonly kept: readonly string[];
  /** Whether this process is root, to whom some agents refuse their most open mode. */
  readonly isRoot: boolean;
  /** Whether it is to tick items: an agent with hooks is held once when it ends and has not. */
  readonly ticks: boolean;
}

/** A profile of permissions as one agent takes it. */
export interface Terms {
  readonly args?: readonly Argument[];
  readonly env?: Readonly<Record<string, string>>;
  /** Goes to the agent by its `settingsOption`. */
  readonly settings?: Json;
  /** Written beside the log before the agent starts; `option` names its path. */
  readonly file?: { readonly option: string; readonly name: string; readonly text: string };
}

/**
 * Text, or a group: an option with its value. A group is left out whole when what it needs is not known, and when the
 * user gives the same option, because some programs refuse to hear it twice. A list is added to what the user gives.
 * `{name}` is replaced, never split.
 */
export type Argument = string | readonly string[] | { readonly list: readonly string[] };

/** Stands where the user's own arguments go, for programs that do not take them at the end. */
export const USER_ARGUMENTS = "{args}";

/** Stands where the program goes, for presets that start another one in front of it. */
export const PROGRAM = "{program}";

/** Stands where the arguments of the permissions go. */
export const PERMISSIONS = "{permissions}";

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
