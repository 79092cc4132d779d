import { resolve } from "node:path";
import { Failure, shellWord } from "../../domain/index.ts";
import { loadNewRepository } from "../../platform/os/index.ts";
import { defineCommand } from "../command.ts";
import { DEMO_STEPS, demoFiles } from "../demo-files.ts";

const PLAN = "plan.md";
const RUN = `pawl run ${PLAN} --workers 3`;

export const demoCommand = defineCommand({
  name: "demo",
  more: `The repository has a plan of ${DEMO_STEPS} steps, a check, and agent.mjs: a script that plays the coding agent. It calls no
model and costs nothing. Nothing outside of the new folder is touched; delete the folder when you are done.`,
  operands: [
    { name: "folder", about: "Where to create it; a new temporary folder when left out", required: false },
  ],
  options: {},
  examples: ["pawl demo", "pawl demo ~/pawl-demo"],
  async run(context, _values, [named]) {
    const { newRepository, temporaryFolder } = await loadNewRepository();
    const folder = named === undefined ? temporaryFolder("pawl-demo-") : resolve(context.cwd, named);
    if (named !== undefined && context.files.exists(folder))
      throw new Failure(
        "file/exists",
        `${folder} is there already.`,
        { path: folder },
        { hint: "Name a folder that does not exist yet, or none." },
      );
    await newRepository(folder, demoFiles(), context.env);
    return {
      data: { folder, plan_path: PLAN, steps: DEMO_STEPS, command: RUN },
      text: (paint) =>
        [
          `${paint.green("Made")} ${paint.bold(folder)}: a repository with a plan of ${DEMO_STEPS} steps.`,
          "agent.mjs plays the coding agent. It calls no model and costs nothing.",
          "",
          "Let three of them work, with the page beside it:",
          `  cd ${paint.plain(shellWord(folder))}`,
          `  ${RUN} --ui`,
          "Kill it in the middle if you like: pawl resume continues where it stopped.",
          "Delete the folder when you are done.",
        ].join("\n"),
    };
  },
});
