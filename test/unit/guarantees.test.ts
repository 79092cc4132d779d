import { expect, it } from "vitest";
import { GUARANTEES } from "../../src/domain/guarantees.ts";
import { proofs } from "../../scripts/find-proofs.mjs";

const root = new URL("../..", import.meta.url);

it("every guarantee is proved by a test, and every proof is of a guarantee", () => {
  const found = proofs(root);
  const known = GUARANTEES.map(({ id }) => id as string);
  expect(known.filter((id) => !found.has(id))).toEqual([]);
  expect([...found.keys()].filter((id) => !known.includes(id))).toEqual([]);
});

it("a proof stands above a test", () => {
  for (const [id, places] of proofs(root))
    for (const { file, line, above } of places)
      expect(above, `${id} in ${file}:${line}`).toMatch(/^\s*(?:export )?(?:describe|it|test)\b/);
});
