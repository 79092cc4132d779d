import { afterAll, beforeAll, expect, it } from "vitest";
import { embeddedWorld, type EmbeddedWorld } from "../../test/support/embedded-world.ts";
import { planText } from "../../test/support/plans.ts";
import { describeChange } from "./describe-change.ts";
import { save } from "./save.ts";
import { findPlan } from "./sql/find-plan.ts";

let world: EmbeddedWorld;
beforeAll(async () => {
  world = await embeddedWorld();
});
afterAll(() => world.close());

const describe = (plan: string) =>
  world.database.read(async (sql) =>
    describeChange(world.ports, sql, (await sql.get(findPlan, { plan_path: plan }))!, {
      ...world.ports.plans.find(plan),
    }),
  );

it("names steps whose boxes are ticked, apart from those that say something else", async () => {
  const plan = await world.saved({ number: "1", tasks: ["dig"] }, { number: "2" });
  const text = world.plans.get(plan)!;
  world.plans.set(plan, text.replace("- [ ] dig", "- [x] dig"));
  expect((await describe(plan)).summary).toBe("other ticks in step-1");
  world.plans.set(plan, planText([{ number: "1", tasks: ["dig deeper"] }, { number: "2" }, { number: "3" }]));
  expect((await describe(plan)).summary).toBe("added step-3; edited step-1");
  world.plans.set(plan, `A remark.\n\n${text}`);
  expect((await describe(plan)).summary).toBe("only text outside the steps differs");
});

it("does not name ticks where Pawl sets them itself", async () => {
  const plan = "todo.md";
  world.plans.set(plan, "# Todo\n\n### Task 1: Dig\n\n- [ ] dig\n\n### Task 2: Build\n\n- [ ] build\n");
  await save(world.ports, { plan });
  const text = world.plans.get(plan)!;
  world.plans.set(plan, text.replace("- [ ] dig", "- [x] dig").replace("- [ ] build", "- [ ] build high"));
  expect((await describe(plan)).summary).toBe("edited task-2");
});
