import { expect, it } from "vitest";
import { workerNames } from "../domain/plan-branch.ts";
import type { Ports } from "../platform/ports/ports.ts";
import { planRefs } from "./plan-refs.ts";

/** A clone with fetched branches of another person: nothing in it says whose they are. */
const WITHOUT_MARKS = {
  settings: {},
  sha256: () => "0123456789abcdef",
  repository: { topLevel: undefined },
  branches: async () => ({ planBranches: async () => [], commits: async () => new Map() }),
} as unknown as Ports;

it("looks at every branch that a run gives its workers, also where no branch is marked", async () => {
  const refs = await planRefs(WITHOUT_MARKS, "docs/plan.md");
  for (const slug of ["plan", "plan-01234567"])
    for (const name of [slug, ...workerNames(slug)]) expect(refs).toContain(`refs/heads/pawl/${name}`);
});
