import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { filesBehindImports } from "../../scripts/through-doors.mjs";

const ROOT = new URL("../../", import.meta.url);
const PAGE = readFileSync(new URL("docs/architecture.md", ROOT), "utf8");

/** Lists of files in the page, each with the most files it may have. */
const PATHS = [...PAGE.matchAll(/<!-- path of (.+?): at most (\d+) files -->\n(.*?)<!-- end -->/gs)].map(
  ([, name = "", most, list = ""]) => ({
    name,
    most: Number(most),
    files: [...list.matchAll(/^\d+\. `(src\/[^`]+)`/gm)].map(([, file = ""]) => file),
  }),
);

const pathOf = (file: string) => fileURLToPath(new URL(file, ROOT));

it("the page lists the way of a claim and of a run", () => {
  expect(PATHS.map(({ name }) => name)).toEqual(["pawl state claim", "pawl run"]);
});

describe.each(PATHS)("the way of $name", ({ files, most }) => {
  it("has no more files than it may have", () => {
    expect(files.length).toBeGreaterThan(3);
    expect(files.length).toBeLessThanOrEqual(most);
  });

  it("leads to each file from one before it", () => {
    expect(files.filter((file) => !existsSync(pathOf(file)))).toEqual([]);
    const reached = (index: number) =>
      files.slice(0, index).some((file) => filesBehindImports(pathOf(file)).has(pathOf(files[index]!)));
    expect(files.filter((_, index) => index > 0 && !reached(index))).toEqual([]);
  });
});
