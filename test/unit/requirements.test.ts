import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { DOCUMENTS, fileOf, isProved } from "../requirements/index.ts";

const root = new URL("../../", import.meta.url);

const textOf = (file: string): string => readFileSync(new URL(file, root), "utf8");

const ALL = DOCUMENTS.flatMap(({ requirements }) => requirements);

/** The name of a test or of a group of tests: a string of its own, behind what declares it. */
const isNamed = (text: string, name: string): boolean =>
  ['"', "`"].some((quote) => text.includes(`${quote}${name}${quote}`));

it("every requirement names a test that is there, or the reason for another way", () => {
  const missing = ALL.filter(isProved).filter(([, file, name]) => !isNamed(textOf(fileOf(file)), name));
  expect(missing).toEqual([]);
  for (const one of ALL) if (!isProved(one)) expect(one[1].why).toMatch(/\.$/);
});

it("no requirement stands twice", () => {
  for (const { requirements } of DOCUMENTS) {
    const says = requirements.map(([text]) => text);
    expect(says.length).toBe(new Set(says).size);
  }
});
