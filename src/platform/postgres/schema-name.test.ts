import { expect, test } from "vitest";
import { schemaName } from "./schema-name.ts";

test("a repository's schema is named after its id", () => {
  expect(schemaName("0123abc")).toBe("pawl_0123abc");
});

test("two ids never share a schema, and no name is longer than the server keeps", () => {
  const ids = [
    "my-project",
    "my_project",
    "My-Project",
    "my project",
    `${"x".repeat(80)}1`,
    `${"x".repeat(80)}2`,
    '";',
  ];
  const names = ids.map(schemaName);
  expect(new Set(names).size).toBe(ids.length);
  for (const name of names) {
    expect(name).toMatch(/^pawl_[a-z0-9_]+$/);
    expect(name.length).toBeLessThanOrEqual(63);
  }
});
