import type { AgentChoice } from "../argv-of.ts";
import { AGENTS } from "../presets/index.ts";
import type { PresetName } from "../agent-preset.ts";
import {
  BUILT_IN_WORKFLOWS,
  closest,
  DEFAULT_PROFILE,
  Failure,
  NOTIFY_EVENTS,
  type NotifyEvent,
  type PermissionProfile,
  type Price,
  type Settings,
  type Workflow,
} from "../../domain/index.ts";
import {
  AGENT_FIELDS,
  asTable,
  type Complain,
  isName,
  LANDING_FIELDS,
  WORKTREE_FIELDS,
  LIMIT_FIELDS,
  NOTIFY_FIELDS,
  readSettingsTable,
  SETTINGS_FILE,
  VERIFY_FIELDS,
} from "../../platform/config/index.ts";
import { readWorkflow } from "./read-workflow.ts";
import type { Ports } from "../../platform/ports/index.ts";
import type { VerifySettings } from "../../verification/index.ts";

/** What `pawl.toml` says about running agents, complete with what is built in. */
export interface RunSettings {
  /** The agent that a session uses unless another is named. Undefined: not chosen. */
  readonly agent: string | undefined;
  /** That agent and those that continue for it, in order; empty where none was chosen. */
  readonly order: readonly string[];
  readonly workflow: string;
  readonly agents: Readonly<Record<string, NamedAgent>>;
  readonly workflows: Readonly<Record<string, Workflow>>;
  readonly verify: VerifySettings;
  readonly landing: LandingSettings;
  readonly limits: LimitSettings;
  /** Undefined where no one is notified. */
  readonly notify: NotifySettings | undefined;
}

/** Who is notified of what, as `[notify]` in `pawl.toml` has it. */
export interface NotifySettings {
  readonly on: readonly NotifyEvent[];
  readonly desktop: boolean;
  readonly command: readonly string[] | undefined;
  readonly webhook: string | undefined;
  readonly secretEnv: string | undefined;
}

/** What a run and its steps may use, as `[limits]` in `pawl.toml` has it. Dollars and minutes. */
export interface LimitSettings {
  readonly cost: number | undefined;
  readonly minutes: number | undefined;
  readonly stepCost: number | undefined;
  readonly stepMinutes: number | undefined;
  readonly silenceMs: number;
}

/** How steps get to the plan's branch, as `[landing]` in `pawl.toml` has it. */
export interface LandingSettings {
  readonly style: "linear" | "merge";
  /** How long a run waits for a remote that verified steps are to land on. */
  readonly waitMs: number;
  /** Whether a run brings a base that moved into the plan's branch. */
  readonly sync: boolean;
}

export interface NamedAgent extends AgentChoice {
  readonly name: string;
  readonly presetName: PresetName;
  readonly model: string | undefined;
  /** Of a million tokens, for an agent that does not report what it costs. */
  readonly price?: Price | undefined;
  readonly permissions: PermissionProfile;
  /** Commands that it may run, as `allow` has them. */
  readonly allow: readonly string[];
  /** Folders that it may write, as `writable` has them. */
  readonly writable: readonly string[];
  readonly silenceMs?: number | undefined;
}

/**
 * Reads the tables of `pawl.toml` that only runs need; other verbs never look at them, so a fault in a workflow does
 * not keep an agent from ticking an item. Everything that is wrong is reported at once.
 */
export function readRunSettings(settings: Settings, path: string = SETTINGS_FILE): RunSettings {
  const problems: string[] = [];
  const complain: Complain = (where, what) => problems.push(`${where}: ${what}`);
  const listed = readOrder(settings.tables?.agents, complain);
  const agents = readAgents(listed === undefined ? settings.tables?.agents : undefined, complain);
  const names = new Set(Object.keys(agents));
  const workflows = readWorkflows(settings.tables?.workflows, names, complain);
  const verify = readVerify(settings.tables?.verify, names, complain);
  const {
    style = "linear",
    wait: waitMs = 600_000,
    sync = true,
  } = readSettingsTable(LANDING_FIELDS, settings.tables?.landing, "landing", complain);
  readSettingsTable(WORKTREE_FIELDS, settings.tables?.worktree, "worktree", complain);
  const limits = readLimits(settings.tables?.limits, complain);
  const notify = readNotify(settings.tables?.notify, complain);
  const { agent = listed?.[0], fallback = listed?.slice(1) ?? [], workflow = "implement" } = settings;
  if (agent !== undefined && !names.has(agent)) complain("agent", noAgent(agent, [...names]));
  for (const name of fallback) if (!names.has(name)) complain("fallback", noAgent(name, [...names]));
  if (fallback.length > 0 && agent === undefined)
    complain("fallback", "needs `agent`, which it continues for");
  const order = agent === undefined ? [] : [...new Set([agent, ...fallback])];
  if (problems.length === 0 && !Object.hasOwn(workflows, workflow))
    complain("workflow", `there is no workflow "${workflow}"`);
  if (problems.length > 0) {
    const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : "";
    const first = `${problems[0]}${more}`;
    const message = `${path}: ${first}${first.endsWith("?") ? "" : "."}`;
    throw new Failure("settings/invalid", message, { path, problems });
  }
  return {
    agent,
    order,
    workflow,
    agents,
    workflows,
    verify,
    landing: { style, waitMs, sync },
    limits,
    notify,
  };
}

const EVERY_EVENT = Object.keys(NOTIFY_EVENTS) as readonly NotifyEvent[];

/** A list is a program that is run at the end, as older files have it. */
function readNotify(value: unknown, complain: Complain): NotifySettings | undefined {
  if (value === undefined) return undefined;
  const isList = Array.isArray(value);
  const table = isList ? { command: value, on: ["ended"] } : value;
  const fields = readSettingsTable(NOTIFY_FIELDS, table, "notify", complain);
  const { on = EVERY_EVENT, desktop = false, command, webhook, secret_env: secretEnv } = fields;
  if (secretEnv !== undefined && webhook === undefined)
    complain("notify.secret_env", "signs what `webhook` gets, and there is none");
  return { on, desktop, command, webhook, secretEnv };
}

/** What this repository's settings say about runs. */
export const runSettingsOf = ({
  settings,
  settingsFile,
}: Pick<Ports, "settings" | "settingsFile">): RunSettings => readRunSettings(settings, settingsFile);

/** A workflow by its name. */
export function workflowOf({ workflows }: RunSettings, name: string): Workflow {
  const found = Object.hasOwn(workflows, name) ? workflows[name] : undefined;
  if (found) return found;
  throw new Failure("workflow/unknown", `There is no workflow "${name}".`, { known: Object.keys(workflows) });
}

const NO_PROGRAM =
  "Put the program behind `--`, such as `pawl run plan.md -- ./my-agent`, or name it as `program` of the agent in pawl.toml.";

function noAgent(name: string, known: readonly string[]): string {
  const near = closest(name, known);
  return `there is no agent "${name}"${near === undefined ? "" : `; did you mean ${near}?`}`;
}

/** An agent by its name; `command` only together with what it runs. */
export function agentOf({ agents }: RunSettings, name: string): NamedAgent {
  const found = Object.hasOwn(agents, name) ? agents[name] : undefined;
  if (found && found.program.length > 0) return found;
  const known = Object.keys(agents);
  const near = closest(name, known);
  const question = near === undefined ? "" : ` Did you mean ${near}?`;
  const why = found
    ? `The agent "${name}" has no program to run.`
    : `There is no agent "${name}".${question}`;
  throw new Failure("agent/unknown", why, { known }, found ? { hint: NO_PROGRAM } : {});
}

/** `agents` is a list of names, in order, where it is no table. */
function readOrder(value: unknown, complain: Complain): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const names = value.filter((name): name is string => typeof name === "string");
  if (names.length !== value.length || names.length === 0)
    complain("agents", "must be a list of agents by name");
  return names;
}

const SILENCE_MS = 10 * 60_000;

function readLimits(value: unknown, complain: Complain): LimitSettings {
  const found = readSettingsTable(LIMIT_FIELDS, value, "limits", complain);
  return {
    cost: found.cost,
    minutes: found.minutes,
    stepCost: found.step_cost,
    stepMinutes: found.step_minutes,
    silenceMs: found.silence ?? SILENCE_MS,
  };
}

function readAgents(value: unknown, complain: Complain): Readonly<Record<string, NamedAgent>> {
  const agents: Record<string, NamedAgent> = {};
  for (const name of Object.keys(AGENTS) as PresetName[]) agents[name] = builtIn(name);
  for (const [name, table] of Object.entries(asTable(value, "agents", complain))) {
    const where = `agents.${name}`;
    if (!isName(name, where, complain)) continue;
    const {
      preset = name,
      program,
      args = [],
      model,
      price,
      permissions = DEFAULT_PROFILE,
      allow = [],
      writable = [],
      silence: silenceMs,
    } = readSettingsTable(AGENT_FIELDS, table, where, complain);
    if (!isPreset(preset)) {
      complain(where, `needs a preset, one of ${Object.keys(AGENTS).join(", ")}`);
      continue;
    }
    const base = builtIn(preset);
    if (base.program.length === 0 && program === undefined) complain(where, "needs a program");
    if (allow.some((command) => !isCommand(command)))
      complain(`${where}.allow`, 'must be a list of commands, such as ["npm test", "cargo *"]');
    const more = { args, model, price, silenceMs, permissions, allow, writable };
    agents[name] = { ...base, ...more, name, program: program ?? base.program };
  }
  return agents;
}

/** One line with a program in it: what permits every command is a profile. */
const isCommand = (text: string): boolean => /^[^\s*(),\n][^(),\n]*$/.test(text);

const isPreset = (name: string): name is PresetName => Object.hasOwn(AGENTS, name);

const builtIn = (name: PresetName): NamedAgent => ({
  name,
  presetName: name,
  preset: AGENTS[name],
  program: AGENTS[name].program === undefined ? [] : [AGENTS[name].program],
  args: [],
  model: undefined,
  permissions: DEFAULT_PROFILE,
  allow: [],
  writable: [],
});

function readWorkflows(
  value: unknown,
  agents: ReadonlySet<string>,
  complain: Complain,
): Readonly<Record<string, Workflow>> {
  const workflows: Record<string, Workflow> = { ...BUILT_IN_WORKFLOWS };
  for (const [name, table] of Object.entries(asTable(value, "workflows", complain))) {
    if (!isName(name, `workflows.${name}`, complain)) continue;
    const workflow = readWorkflow(name, table, agents, complain);
    if (workflow) workflows[name] = workflow;
  }
  return workflows;
}

/** One step may be hard and two may be bad luck; each costs three calls of an agent. */
const STOP_AFTER = 3;
/** How test files are usually called. */
const TEST_PATHS = [
  "{test,tests,spec,specs,__tests__}/**",
  "**/{test,tests,spec,specs,__tests__}/**",
  "**/*.{test,spec}.*",
  "**/*_{test,spec}.*",
  "**/test_*.py",
  "**/*{Test,Tests}.{java,kt,cs,scala,php}",
];
const FULL_TIMEOUT_MS = 60 * 60_000;
const VERIFY_TIMEOUT_MS = 15 * 60_000;

function readVerify(value: unknown, agents: ReadonlySet<string>, complain: Complain): VerifySettings {
  const found = readSettingsTable(VERIFY_FIELDS, value, "verify", complain);
  const { agent, max_turns: maxTurns = 30, extended_max_turns: extendedMaxTurns = 40 } = found;
  if (agent !== undefined && !agents.has(agent)) complain("verify.agent", noAgent(agent, [...agents]));
  return {
    command: found.command,
    full: found.full,
    fullEvery: found.full_every,
    fullTimeoutMs: found.full_timeout ?? FULL_TIMEOUT_MS,
    runCheckpoints: found.run_checkpoints ?? false,
    clean: found.clean ?? "auto",
    agent,
    counterfactual: found.counterfactual ?? "off",
    testPaths: found.test_paths ?? TEST_PATHS,
    stopAfter: found.stop_after ?? STOP_AFTER,
    timeoutMs: found.timeout ?? VERIFY_TIMEOUT_MS,
    maxTurns,
    extendedMaxTurns: Math.max(extendedMaxTurns, maxTurns),
  };
}
