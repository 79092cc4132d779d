import { Failure, shellWord } from "../../domain/index.ts";
import { openIfThere } from "../../journal/index.ts";
import type { Ports } from "../../platform/ports/index.ts";
import { listPlanRows, planPathFromHere } from "../../plans/index.ts";

/** The plan that was named, else the only one there is. Which of several is meant, only a person knows. */
export async function planToRun(ports: Ports, named: string | undefined): Promise<string> {
  if (named !== undefined) return named;
  const { plans, repository } = ports;
  const known = (await (await openIfThere(ports))?.read((sql) => sql.all(listPlanRows, {}))) ?? [];
  const begun = known.filter(
    ({ plan_path, status }) => status !== "done" && plans.find(plan_path).path !== undefined,
  );
  const found = [...new Set([...plans.search(), ...begun.map(({ plan_path }) => plan_path)])];
  if (found.length === 1) return planPathFromHere(ports, found[0]!);
  if (found.length > 0)
    throw new Failure("run/no-plan", `There are ${found.length} plans: ${few(found)}.`, { plans: found });
  if (repository.topLevel === undefined)
    throw new Failure(
      "run/no-plan",
      "Plans are in worktrees, and this is not one.",
      { plans: [] },
      { hint: "Change into a worktree; `git worktree list` names them, and `git worktree add` makes one." },
    );
  const lists = plans.checklists();
  const [first] = lists;
  throw new Failure(
    "run/no-plan",
    `There is no plan in the usual places${first === undefined ? "" : `; open boxes are in ${few(lists)}`}.`,
    { plans: [], checklists: lists },
    {
      hint:
        first === undefined
          ? "Write one with `pawl plan new plan`, or name any Markdown file with boxes: `pawl run todo.md`."
          : `Name the file that is meant: \`pawl run ${shellWord(first)}\`.`,
    },
  );
}

const few = (names: readonly string[]): string => names.slice(0, 20).join(", ");
