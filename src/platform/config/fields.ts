import {
  COMMAND_TYPES,
  type CommandType,
  NOTIFY_EVENTS,
  type NotifyEvent,
  PERMISSION_PROFILES,
  type PermissionProfile,
  type Price,
} from "../../domain/index.ts";
import { readDuration } from "./read-duration.ts";

/** One field of a table in `pawl.toml`: what it means, how it is written, how it is read. */
export interface SettingField<T> {
  readonly about: string;
  /** As it stands in the file. */
  readonly example: string;
  /** What must stand there, for a message about something else. */
  readonly wants: string;
  /** The same for editors, as JSON Schema. */
  readonly schema: JsonSchema;
  /** Undefined when the value is not one. */
  readonly read: (value: unknown) => T | undefined;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

export type Fields = Readonly<Record<string, SettingField<unknown>>>;

/** What a table holds after reading. Every field may be missing. */
export type FieldValues<F extends Fields> = {
  readonly [K in keyof F]?: F[K] extends SettingField<infer T> ? T : never;
};

const isText = (value: unknown): value is string =>
  typeof value === "string" && value.trim() !== "" && !value.includes("\0");

const field = <T>(wants: string, schema: JsonSchema, read: SettingField<T>["read"]) => {
  return (about: string, example: string): SettingField<T> => ({ about, example, wants, schema, read });
};

const TEXT: JsonSchema = { type: "string", minLength: 1 };
const ARGV: JsonSchema = { type: "array", items: { type: "string" }, minItems: 1 };

const text = field("must be text", TEXT, (value) => (isText(value) ? value : undefined));
const flag = field("must be true or false", { type: "boolean" }, (value) =>
  typeof value === "boolean" ? value : undefined,
);
const texts = field("must be a list of texts", { type: "array", items: { type: "string" } }, (value) =>
  Array.isArray(value) && value.every((word) => typeof word === "string" && !word.includes("\0"))
    ? (value as readonly string[])
    : undefined,
);
/** Program and arguments. A single text is refused on purpose: it would have to be split, and no shell is asked to. */
const argv = field(
  'must be a list of texts that starts with a program, such as ["npm", "test"]',
  ARGV,
  (value) => {
    const words = texts("", "").read(value);
    return words !== undefined && isText(words[0]) ? words : undefined;
  },
);
const flagOrAuto = field('must be true, false or "auto"', { enum: [true, false, "auto"] }, (value) =>
  typeof value === "boolean" || value === "auto" ? value : undefined,
);
const DURATION: JsonSchema = { type: "string", pattern: "^([0-9]+[smhd])+$" };
const duration = field("must be a duration such as 90s, 30m or 1h30m", DURATION, (value) =>
  typeof value === "string" ? readDuration(value) : undefined,
);
const count = field("must be a whole number above 0", { type: "integer", minimum: 1 }, (value) =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined,
);
/** What an agent costs that does not report it. */
const price = field(
  "must be { input = …, output = … }: dollars for a million tokens, neither below 0",
  {
    type: "object",
    properties: { input: { type: "number", minimum: 0 }, output: { type: "number", minimum: 0 } },
    required: ["input", "output"],
    additionalProperties: false,
  },
  (value): Price | undefined => {
    if (typeof value !== "object" || value === null || Object.keys(value).length !== 2) return undefined;
    const { input, output } = value as Readonly<Record<string, unknown>>;
    return isAmount(input) && isAmount(output) ? { input, output } : undefined;
  },
);
/** Bounded, so that sums of it stay exact. */
const isAmount = (value: unknown): value is number =>
  typeof value === "number" && value >= 0 && value <= 1_000_000;
const commandType = field(
  `must be one of ${Object.keys(COMMAND_TYPES).join(", ")}`,
  { enum: Object.keys(COMMAND_TYPES) },
  (value) =>
    typeof value === "string" && Object.hasOwn(COMMAND_TYPES, value) ? (value as CommandType) : undefined,
);
const oneOf = <T extends string>(...known: readonly T[]) =>
  field(`must be one of ${known.join(", ")}`, { enum: known }, (value) => known.find((one) => one === value));
const tables = field("must be a list of tables, each under [[…]]", { type: "array", minItems: 1 }, (value) =>
  Array.isArray(value) && value.length > 0 ? (value as readonly unknown[]) : undefined,
);

export const AGENT_FIELDS = {
  preset: text("Which preset it goes by; needed unless the table has a preset's name", 'preset = "claude"'),
  program: argv(
    "What is started in place of the preset's own program",
    'program = ["/opt/claude/bin/claude"]',
  ),
  args: texts(
    "Further arguments. An option that the preset gives as well is taken from here; options that take a list, and settings, are added to Pawl's",
    'args = ["--add-dir", "../library"]',
  ),
  permissions: oneOf(...(Object.keys(PERMISSION_PROFILES) as PermissionProfile[]))(
    "What it may do: `edits`, `sandboxed` (unless said otherwise) or `full`; docs/permissions.md has what that is for each agent",
    'permissions = "edits"',
  ),
  allow: texts(
    "Commands that it may run beside `pawl` and `verify.command`, where its profile does not allow all; `*` stands for anything",
    'allow = ["npm run lint", "cargo *"]',
  ),
  writable: texts(
    "Folders that a sandboxed agent may write besides its worktree; `~/` is your home folder",
    'writable = ["~/.cargo"]',
  ),
  model: text("The model, in the agent's own words", 'model = "opus"'),
  silence: duration(
    "After how long without output or a changed file it is interrupted; by `[limits]` unless said otherwise",
    'silence = "30m"',
  ),
  price: price(
    "What a million tokens cost, in dollars, for an agent that does not report its cost; without it only tokens are counted",
    "price = { input = 1.25, output = 10 }",
  ),
} satisfies Fields;

export const WORKFLOW_FIELDS = {
  about: text("What it is for", 'about = "Careful work"'),
  per_step: flag(
    "Whether its commands are run for each step of a plan; true unless said otherwise",
    "per_step = false",
  ),
  iterate: flag("Whether it starts again after its last command; only without a plan", "iterate = true"),
  commands: tables("Its commands, in order", "[[workflows.careful.commands]]"),
} satisfies Fields;

export const COMMAND_FIELDS = {
  name: text("What it is called in logs and checkpoints", 'name = "tests"'),
  type: commandType("What it is for; decides what resume does with it", 'type = "lint"'),
  prompt: text("One of Pawl's prompts, by name", 'prompt = "implement"'),
  template: text(
    "A prompt of your own: a file below the top of the repository",
    'template = "prompts/careful.md"',
  ),
  argv: argv("A program to run; no agent is asked", 'argv = ["npm", "run", "lint"]'),
  agent: text("Which agent; the session's own unless said otherwise", 'agent = "codex"'),
  timeout: duration("How long it may take; 1h unless said otherwise", 'timeout = "45m"'),
  max_turns: count("How many turns the agent may take, if it has such an option", "max_turns = 30"),
} satisfies Fields;

export const VERIFY_FIELDS = {
  run_checkpoints: flag(
    "Whether commands out of a plan are run: a step's own verification, and checkpoint items that begin with one; false unless said otherwise, because then the plan's author decides what runs here",
    "run_checkpoints = true",
  ),
  command: argv("What is run to verify a step", 'command = ["npm", "test"]'),
  full: argv(
    "The slow suite: it runs in a clean checkout of what has landed, every `full_every` landings and always before a run reports that all steps are completed. When it fails, Pawl finds the step that broke it, and a person decides",
    'full = ["npm", "run", "test:all"]',
  ),
  full_every: count(
    "After how many landings the full check runs; only at the end unless said otherwise",
    "full_every = 10",
  ),
  full_timeout: duration("How long one full check may take; 1h unless said otherwise", 'full_timeout = "2h"'),
  clean: flagOrAuto(
    'Whether checks run in a clean checkout of exactly the tree that is committed, where no ignored file of an agent can help them; `worktree_setup` is run in it and `.worktreeinclude` is followed. "auto", unless said otherwise: in a worktree that Pawl made, with at most 20,000 files and no submodules, without `worktree_setup`, and with no ignored folder such as node_modules, target or .venv in it. Otherwise checks run in the worktree, and the verdict lists what they saw that is not in the commit',
    "clean = true",
  ),
  agent: text("An agent that judges, after everything else has passed", 'agent = "claude"'),
  counterfactual: oneOf(
    "off",
    "warn",
    "reject",
  )(
    "Whether a step's tests are tried on the code from before the step, where the check must fail: otherwise they prove nothing about the change. Costs one more check for each step that changes code and tests. warn: the verdict and the live output say so. reject: the step goes back to its agent, also for deleted, emptied and newly skipped tests. off unless said otherwise",
    'counterfactual = "warn"',
  ),
  test_paths: texts(
    "Which files are tests, as patterns with `*`, `**`, `?` and `{a,b}`; the usual names of test files unless said otherwise",
    'test_paths = ["test/**", "**/*.test.ts"]',
  ),
  stop_after: count(
    "A run stops claiming steps after so many that verification blocked in a row, with none that passed in between; 3 unless said otherwise",
    "stop_after = 5",
  ),
  timeout: duration("How long one verification may take; 15m unless said otherwise", 'timeout = "10m"'),
  max_turns: count("Turns of the judging agent; 30 unless said otherwise", "max_turns = 30"),
  extended_max_turns: count("The same after a timeout; 40 unless said otherwise", "extended_max_turns = 40"),
} satisfies Fields;

const amount = field("must be a number above 0", { type: "number", exclusiveMinimum: 0 }, (value) =>
  isAmount(value) && value > 0 ? value : undefined,
);

export const LIMIT_FIELDS = {
  cost: amount(
    "Dollars that one run may use; `--max-cost` wins over it. Reaching a limit pauses the run after the work that has begun, exit code 5, and `pawl resume` continues once the limit is raised",
    "cost = 20",
  ),
  minutes: amount(
    "Minutes in which at least one command of a run is running; `--max-minutes` wins over it",
    "minutes = 240",
  ),
  step_cost: amount("Dollars that one step may use, all its attempts together", "step_cost = 2.5"),
  step_minutes: amount("Minutes that one step may take, all its attempts together", "step_minutes = 45"),
  silence: duration(
    "After how long without output or a changed file an agent is interrupted; it is resumed once, then the step is blocked. 10m unless said otherwise; `silence` of an agent wins over it",
    'silence = "30m"',
  ),
} satisfies Fields;

export const WORKTREE_FIELDS = {
  share: texts(
    "Folders that git ignores, from the top of the main checkout: a new worktree gets a copy of each, which shares its blocks with the original where the file system can (Btrfs, XFS, APFS, bcachefs). A folder that is not there yet is left out; links in it are copied as links",
    'share = ["node_modules", "target"]',
  ),
  share_by: oneOf("copy", "link")(
    "What `share` does where the file system cannot share blocks: copy, unless said otherwise, or hard links, which are quicker and take no room. With links a program that writes into a file of the worktree writes into the main checkout, too",
    'share_by = "link"',
  ),
} satisfies Fields;

const notifyEvents = field(
  `must be a list of ${Object.keys(NOTIFY_EVENTS).join(", ")}`,
  { type: "array", items: { enum: Object.keys(NOTIFY_EVENTS) } },
  (value): readonly NotifyEvent[] | undefined =>
    Array.isArray(value) && value.every((one) => Object.hasOwn(NOTIFY_EVENTS, one as string))
      ? (value as readonly NotifyEvent[])
      : undefined,
);
/** Other schemes would read files, or be refused only when the first message is sent. */
const WEB: JsonSchema = { type: "string", pattern: "^https?://" };
const webAddress = field("must be an address that begins with https:// or http://", WEB, (value) =>
  typeof value === "string" && /^https?:\/\//.test(value) && URL.canParse(value) ? value : undefined,
);

export const NOTIFY_FIELDS = {
  on: notifyEvents(
    "What to notify of; everything unless said otherwise",
    'on = ["needs-you", "budget", "ended"]',
  ),
  desktop: flag(
    "Show a notification on the desktop of the machine that runs, with `notify-send`, on macOS with `osascript`",
    "desktop = true",
  ),
  command: argv(
    "Run this program: its arguments, no shell; what happened is on its stdin as JSON",
    'command = ["./scripts/tell-the-team"]',
  ),
  webhook: webAddress(
    "Post the same JSON to this address: up to three attempts, with the headers `X-Pawl-Event` and `X-Pawl-Delivery`",
    'webhook = "https://hooks.example.com/pawl"',
  ),
  secret_env: text(
    "The variable with the key that the post is signed with: `X-Pawl-Signature: sha256=` and the HMAC of the body. The key itself never stands in the file",
    'secret_env = "PAWL_WEBHOOK_KEY"',
  ),
} satisfies Fields;

export const LANDING_FIELDS = {
  style: oneOf("linear", "merge")(
    "How a step gets to the plan's branch when others landed meanwhile. linear, unless said otherwise: as one commit on top of them, verified as it lands. merge: its commit as it was made, verified, and a merge commit, verified again",
    'style = "merge"',
  ),
  wait: duration(
    "How long a run with nothing else to do waits for a `remote` that cannot be reached while verified steps wait to land; 10m unless said otherwise",
    'wait = "1h"',
  ),
  sync: flag(
    "Whether a run brings the base into the plan's branch between two steps when the base has moved: merged in memory, verified, and landed by compare-and-swap. true unless said otherwise; `pawl worktree sync` does it at any time",
    "sync = false",
  ),
} satisfies Fields;
