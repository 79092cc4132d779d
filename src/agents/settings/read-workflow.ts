import { DEFAULT_TIMEOUT_MS, type Work, type Workflow, type WorkflowCommand } from "../../domain/index.ts";
import { isPrompt, PROMPTS } from "../prompts/templates/index.ts";
import {
  COMMAND_FIELDS,
  type Complain,
  type FieldValues,
  isName,
  readSettingsTable,
  WORKFLOW_FIELDS,
} from "../../platform/config/index.ts";

/** One workflow of `pawl.toml`. Undefined when something is wrong with it, which was complained about then. */
export function readWorkflow(
  name: string,
  value: unknown,
  agents: ReadonlySet<string>,
  complain: Complain,
): Workflow | undefined {
  const where = `workflows.${name}`;
  const {
    about = name,
    per_step = true,
    iterate = false,
    commands = [],
  } = readSettingsTable(WORKFLOW_FIELDS, value, where, complain);
  if (commands.length === 0) complain(where, "needs commands");
  if (per_step && iterate) complain(`${where}.iterate`, "needs per_step = false: a step is done once");
  const read = commands.map((command, index) =>
    readCommand(command, `${where}.commands[${index + 1}]`, agents, complain),
  );
  const names = read.map((command) => command?.name);
  for (const [index, each] of names.entries())
    if (each !== undefined && names.indexOf(each) !== index)
      complain(`${where}.commands[${index + 1}].name`, `is taken: "${each}" is there already`);
  if (read.includes(undefined)) return undefined;
  return { name, about, perStep: per_step, iterates: iterate, commands: read as readonly WorkflowCommand[] };
}

function readCommand(
  value: unknown,
  where: string,
  agents: ReadonlySet<string>,
  complain: Complain,
): WorkflowCommand | undefined {
  const fields = readSettingsTable(COMMAND_FIELDS, value, where, complain);
  const { name, type, agent, timeout = DEFAULT_TIMEOUT_MS, max_turns } = fields;
  const work = readWork(fields, where, complain);
  if (name === undefined) complain(where, "needs a name");
  else isName(name, where, complain);
  if (type === undefined) complain(where, "needs a type");
  if (agent !== undefined && !agents.has(agent))
    complain(`${where}.agent`, `there is no agent "${agent}"; there are ${[...agents].join(", ")}`);
  if (work && "argv" in work && agent !== undefined)
    complain(`${where}.agent`, "has no use beside argv: a program is run as it is");
  if (name === undefined || type === undefined || work === undefined) return undefined;
  return { name, type, work, agent, timeoutMs: timeout, maxTurns: max_turns };
}

function readWork(
  { prompt, template, argv }: FieldValues<typeof COMMAND_FIELDS>,
  where: string,
  complain: Complain,
): Work | undefined {
  const given = [prompt, template, argv].filter((each) => each !== undefined);
  if (given.length !== 1) {
    complain(where, "needs exactly one of prompt, template and argv");
    return undefined;
  }
  if (argv !== undefined) return { argv };
  if (template !== undefined) {
    if (isInside(template)) return { template };
    complain(`${where}.template`, "must be a path below the top of the repository");
    return undefined;
  }
  if (isPrompt(prompt!)) return { prompt };
  complain(`${where}.prompt`, `there is no prompt "${prompt}"; there are ${Object.keys(PROMPTS).join(", ")}`);
  return undefined;
}

/** No way out and no absolute path, on any system. */
const isInside = (path: string): boolean =>
  !/^(?:[/\\~]|[a-z]:)/i.test(path) && !path.split(/[/\\]/).includes("..");
