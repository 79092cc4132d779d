import { Failure, plural, standstillWords } from "../domain/index.ts";
import { snakeCase } from "../journal/index.ts";
import { loadMachineSandbox, loadPathCommands } from "../platform/os/index.ts";
import { type HomeAnswer, loadInstalledAgents, type PlanAtHome } from "../views/index.ts";
import { type Command, defineCommand } from "./command.ts";
import type { Context } from "./context.ts";
import { containmentText } from "./text/containment-text.ts";
import { forPeople } from "./text/for-people.ts";
import { padEnd } from "./text/layout.ts";
import type { Paint } from "./text/paint.ts";
import { paragraph } from "./text/paragraph.ts";

/** What `pawl` prints when nothing else is typed. */
export const homeCommand: Command = defineCommand({
  name: "home",
  about: "Shows the plans and agents here, what needs a person, and the next command to type",
  operands: [],
  options: {},
  examples: ["pawl"],
  async run(context) {
    const answer = await homeOf(context);
    return { data: snakeCase(answer), text: (paint) => linesOf(answer, paint).join("\n") };
  },
});

type Home = HomeAnswer | OutsideHome;

/** Outside of a repository only the machine can be described. */
interface OutsideHome extends Pick<HomeAnswer, "agents" | "next"> {
  readonly repository: null;
}

async function homeOf(context: Context): Promise<Home> {
  try {
    return await (await context.pawl()).home();
  } catch (error) {
    if (!(error instanceof Failure && error.problem === "repository/not-found")) throw error;
    return { repository: null, agents: await agentsOutside(context), next: "git init" };
  }
}

async function agentsOutside({ env }: Context): Promise<HomeAnswer["agents"]> {
  const [{ installedAgents }, { pathCommands }, { machineSandbox }] = await Promise.all([
    loadInstalledAgents(),
    loadPathCommands(),
    loadMachineSandbox(),
  ]);
  const commands = async () => pathCommands(env);
  const ports = {
    settings: {},
    settingsFile: "pawl.toml",
    repository: { topLevel: undefined },
    commands,
    sandbox: async () => machineSandbox(env, commands),
  };
  return (await installedAgents(ports, { versions: false })).agents;
}

const WIDTH = 11;
const MOST = 3;

function linesOf(answer: Home, paint: Paint): readonly string[] {
  const section = (name: string, texts: readonly string[]): readonly string[] =>
    texts.map(
      (text, index) =>
        `${paint.bold(padEnd(index === 0 ? name : "", WIDTH))}${paragraph(text, WIDTH, paint.columns)}`,
    );
  return [
    ...(answer.repository === null
      ? section("Here", ["no git repository; change into your project, or make one here"])
      : [
          ...section("Plans", plansText(answer)),
          ...section("Running", answer.running),
          ...section("Needs you", waitingText(answer)),
        ]),
    ...section("Agents", [agentsText(answer.agents)]),
    `${paint.bold(padEnd("Next", WIDTH))}${paint.green(answer.next)}`,
    `${" ".repeat(WIDTH)}${paint.dim("pawl --help lists all commands.")}`,
  ];
}

/** The first few, and how many more. */
const some = (texts: readonly string[], more: string): readonly string[] =>
  texts.length <= MOST + 1 ? texts : [...texts.slice(0, MOST), `and ${texts.length - MOST} more: ${more}`];

function plansText({ root, plans, unread, checklists }: HomeAnswer): readonly string[] {
  if (root === null) return ["none: plans are in worktrees, and this repository is bare"];
  const found = [
    ...plans.map((plan) => [plan.planPath, progressText(plan)] as const),
    ...unread.map((path) => [path, "not started"] as const),
  ];
  const listed = found.length > 0 ? found : checklists.map((path) => [path, "a checklist"] as const);
  const lines = listed.map(([path, text]) => `${path}: ${text}`);
  return lines.length === 0 ? ["none yet"] : some(lines, "pawl status");
}

function progressText(plan: PlanAtHome): string {
  const { stepsTotal, stepsCompleted, isToMerge } = plan;
  if (stepsCompleted === stepsTotal) return isToMerge ? "done, not merged" : "done";
  return [`${stepsCompleted}/${plural(stepsTotal, "step")}`, ...standstillWords(plan)].join(", ");
}

function waitingText({ waiting, undiagnosed }: HomeAnswer): readonly string[] {
  if (undiagnosed !== null) return [`unknown: ${undiagnosed}`];
  const lines = waiting.map(({ found }) => forPeople(found, Date.now()));
  return lines.length === 0 ? ["nothing"] : some(lines, "pawl status");
}

const agentsText = (agents: HomeAnswer["agents"]): string =>
  agents.length === 0
    ? "none installed; any program can do the work"
    : agents.map((agent) => `${agent.name} (${containmentText(agent)})`).join(", ");
