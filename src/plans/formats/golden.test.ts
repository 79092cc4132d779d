import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readingOf } from "../../../test/support/plan-reading.ts";
import { accountOf } from "./account.ts";
import { foldFolder } from "./plan-folder.ts";
import { FORMAT_NAMES } from "./format-names.ts";
import { parseSource } from "./read-plan.ts";

const FOLDER = join(import.meta.dirname, "../../../test/fixtures/plans");

const fixtures = readdirSync(FOLDER)
  .filter((name) => !name.endsWith(".golden"))
  .toSorted();

/** A plan as it lies there: a file, or a folder of them. */
function sourceOf(name: string) {
  const path = join(FOLDER, name);
  if (!statSync(path).isDirectory()) return { bytes: readFileSync(path) };
  const files = readdirSync(path)
    .toSorted()
    .map((file) => ({ name: file, text: readFileSync(join(path, file), "utf8") }));
  const folder = { files, archived: [] };
  return { bytes: Buffer.from(foldFolder(folder)), folder, isFolder: true };
}

const read = (name: string) => {
  const source = sourceOf(name);
  const plan = parseSource(source, name);
  return { plan, account: accountOf(source.bytes.toString("utf8"), plan) };
};

describe("plans as people and their tools write them", () => {
  it.each(fixtures)("%s is read as its golden reading says", async (name) => {
    const { plan, account } = read(name);
    expect({ unread: account.unread, twice: account.twice }).toEqual({ unread: [], twice: [] });
    await expect(readingOf(plan, account)).toMatchFileSnapshot(join(FOLDER, `${name}.golden`));
  });

  it("has one for every format", () => {
    const found = new Set(fixtures.map((name) => read(name).plan.format));
    expect(FORMAT_NAMES.filter((name) => !found.has(name))).toEqual([]);
  });

  it("has one for every edge case that the documentation has a rule for, and a rule for each", () => {
    const text = readFileSync(join(FOLDER, "../../../docs/plan-formats.md"), "utf8");
    const named = [...text.matchAll(/`(edge-[a-z0-9-]+\.(?:md|json))`/g)].map(([, name]) => name!);
    expect(named.toSorted()).toEqual(fixtures.filter((name) => name.startsWith("edge-")));
  });
});
