/** What a command is for. It decides what a resumed session does with it; see `next-position`. */
export const COMMAND_TYPES = {
  code_review: "Reviews the code and writes a spec of what to improve",
  implement_spec: "Does the work of a step, or of a spec",
  lint: "Checks and tidies up; quick, so always run again",
  plan: "Writes a plan, or a strategy for a step",
  verify: "Judges the work",
  custom: "Anything else; always run again, because Pawl cannot know how far it got",
} as const satisfies Record<string, string>;

export type CommandType = keyof typeof COMMAND_TYPES;

/** Pawl's own prompts, each a file of `agents/prompts/templates`. */
export type PromptName =
  | "implement"
  | "architect"
  | "review"
  | "code-review"
  | "implement-spec"
  | "lint"
  | "plan"
  | "break-down"
  | "verify";

/** One command of a workflow. */
export interface WorkflowCommand {
  readonly name: string;
  readonly type: CommandType;
  readonly work: Work;
  /** The session's own agent when undefined. */
  readonly agent: string | undefined;
  readonly timeoutMs: number;
  readonly maxTurns: number | undefined;
}

/** A prompt of Pawl's own, a template of the user's, or a program that no agent is asked about. */
export type Work =
  | { readonly prompt: PromptName }
  | { readonly template: string }
  | { readonly argv: readonly string[] };

export interface Workflow {
  readonly name: string;
  readonly about: string;
  /** Whether the commands are run for each step of a plan; else they are run as they are. */
  readonly perStep: boolean;
  /** Whether it starts again after its last command. */
  readonly iterates: boolean;
  readonly commands: readonly WorkflowCommand[];
}

const MINUTE_MS = 60_000;

/** Long enough for a large step; a command that needs more says so. */
export const DEFAULT_TIMEOUT_MS = 60 * MINUTE_MS;

const ask = (name: string, type: CommandType, prompt: PromptName, minutes: number): WorkflowCommand => ({
  name,
  type,
  work: { prompt },
  agent: undefined,
  timeoutMs: minutes * MINUTE_MS,
  maxTurns: undefined,
});

export const BUILT_IN_WORKFLOWS = {
  implement: {
    name: "implement",
    about: "For each step of a plan: the work",
    perStep: true,
    iterates: false,
    commands: [ask("implement", "implement_spec", "implement", 60)],
  },
  review: {
    name: "review",
    about: "For each step of a plan: a strategy, the work, and a second pair of eyes",
    perStep: true,
    iterates: false,
    commands: [
      ask("architect", "plan", "architect", 30),
      ask("implement", "implement_spec", "implement", 60),
      // Its result is a judgement and no spec, so it is not the type that waits for one.
      ask("review", "verify", "review", 30),
    ],
  },
  improve: {
    name: "improve",
    about: "Without a plan, repeatedly: review the code, do what the review asks for, tidy up",
    perStep: false,
    iterates: true,
    commands: [
      ask("code-review", "code_review", "code-review", 30),
      ask("implement-spec", "implement_spec", "implement-spec", 60),
      ask("lint", "lint", "lint", 15),
    ],
  },
} as const satisfies Record<string, Workflow>;
