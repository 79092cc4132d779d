import { Failure } from "../../domain/index.ts";
import { defineCommand } from "../command.ts";
import { programHere } from "../program-here.ts";
import { countOf, timeOf, WAIT_OPTIONS } from "../run-options.ts";
import { reportedRun } from "../reported-run.ts";

export const improveCommand = defineCommand({
  name: "improve",
  more: `Works in a worktree of its own. An agent reviews the code and writes a spec, implements it, then runs the
project's checks; Pawl commits each. It ends after --max-iterations, or when a review finds nothing to do. --resume
continues an earlier session where it stopped, with the same focus.`,
  operands: [{ name: "command…", about: "After --: a program that does the work", required: false }],
  options: {
    agent: { type: "text", value: "NAME", about: "The agent (`agent` of pawl.toml)" },
    workflow: { type: "text", value: "NAME", about: "Another workflow that needs no plan (improve)" },
    "max-iterations": { type: "number", value: "N", about: "How many rounds at most (10)" },
    focus: { type: "text", value: "TEXT", about: "What the reviews should focus on" },
    worktree: { type: "text", value: "PATH", about: "Work in this worktree" },
    resume: { type: "text", value: "SESSION", about: "Resume this session" },
    ...WAIT_OPTIONS,
  },
  examples: ["pawl improve --agent claude --focus 'error messages'", "pawl improve --resume s-1f0c"],
  async run(context, values, operands, after) {
    if (operands.length > after.length)
      throw new Failure("usage/wrong", "improve takes no plan; a command goes after --.", {
        word: operands[0],
      });
    const pawl = await context.pawl();
    const common = {
      wait: values.wait,
      maxWaitMs: timeOf(values["max-wait"], "--max-wait"),
      interruption: context.interruption(),
    };
    const { resume: id } = values;
    if (id !== undefined)
      return reportedRun(context, (listeners) => pawl.resume({ ...common, id, ...listeners }));
    return reportedRun(context, (listeners) =>
      pawl.improve({
        ...common,
        ...listeners,
        argv: programHere(after, context),
        agent: values.agent,
        workflow: values.workflow,
        maxIterations: countOf(values["max-iterations"], "--max-iterations"),
        focus: values.focus,
        worktree: values.worktree,
      }),
    );
  },
});
