import { expect, it } from "vitest";
import type { PageContext } from "../page-context.ts";
import type { ActionSubject } from "./action.ts";
import { actionNamed } from "./index.ts";

it("offers to repair what the doctor can, and leaves the rest to the person", async () => {
  const check = (name: string, status: string, details: object) => ({
    name,
    status,
    message: `${name}.`,
    details,
  });
  const checks = [
    check("database", "pass", {}),
    check("sessions", "warn", { stale: ["s-1"] }),
    check("plan_files", "warn", { behind: ["plan.md"] }),
    check("odd_files", "warn", { behind: ["plan.md"], problems: ["it cannot be written"] }),
    check("git", "fail", {}),
  ];
  const context = { jobs: { ask: async () => ({ data: { checks } }) } } as unknown as PageContext;
  const { effects, keeps } = await actionNamed("fix").preview(context, {} as ActionSubject);
  expect(effects).toEqual(["sessions: sessions.", "plan files: plan_files."]);
  expect(keeps.slice(2)).toEqual([
    "Not fixed, because you must decide: odd files. odd_files.",
    "Not fixed, because you must decide: git. git.",
  ]);
});
