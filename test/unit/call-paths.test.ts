import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { notCalled } from "../support/call-graph.ts";

const ROOT = new URL("../../", import.meta.url);
const PAGE = readFileSync(new URL("docs/architecture.md", ROOT), "utf8");

const pathOf = (file: string): string => fileURLToPath(new URL(file, ROOT));

/** Lists of files in the page, each with the most files it may have. */
const PATHS = [...PAGE.matchAll(/<!-- path of (.+?): at most (\d+) files -->\n(.*?)<!-- end -->/gs)].map(
  ([, name = "", most, list = ""]) => {
    const verb = name.split(" ").at(-1) ?? "";
    return {
      name,
      most: Number(most),
      files: [...list.matchAll(/^\d+\. `(src\/[^`]+)`/gm)].map(([, file = ""]) => pathOf(file)),
      verb,
      /** In the table of commands it has the row of its words, in that of verbs the row of the last one. */
      rows: [name.replace(/^pawl /, ""), verb],
    };
  },
);

it("the page lists the way of a claim and of a run", () => {
  expect(PATHS.map(({ name }) => name)).toEqual(["pawl state claim", "pawl run"]);
});

describe.each(PATHS)("the way of $name", ({ files, most, verb, rows }) => {
  it("has no more files than it may have", () => {
    expect(files.length).toBeGreaterThan(3);
    expect(files.length).toBeLessThanOrEqual(most);
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
  });

  it("calls each file from one before it", () => {
    expect(notCalled({ files, rows })).toEqual([]);
    // Commands call verbs by name, on an object.
    const command = files.find((file) => /\/commands\/(?!index\.ts)/.test(file));
    expect(readFileSync(command!, "utf8")).toMatch(new RegExp(`\\.${verb}\\(\\{`));
  });

  it("ends where a file imports the next one and does not use it", () => {
    const read = (file: string) => {
      const text = readFileSync(file, "utf8");
      // Everywhere but in the import.
      return file.endsWith("/choose-step.ts") ? text.replaceAll(/ReadyStep\b(?!.* from )/g, "Other") : text;
    };
    expect(notCalled({ files, rows, read })).toContain(pathOf("src/claims/sql/first-ready-step.ts"));
  });

  it("ends where a row of a table calls another verb", () => {
    const read = (file: string) => {
      const text = readFileSync(file, "utf8");
      return file.endsWith("/src/api.ts") ? text.replaceAll(/\bload(?:Claim|Run)\b/g, "loadShow") : text;
    };
    const room = verb === "claim" ? "claims" : "runs";
    expect(notCalled({ files, rows, read })).toContain(pathOf(`src/${room}/${verb}.ts`));
  });
});
