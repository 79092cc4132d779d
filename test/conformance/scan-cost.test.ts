import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { growth } from "../support/growth.ts";
import { taskFile } from "../support/task-file.ts";
import { nodeFiles } from "../../src/platform/os/node-files.ts";
import { readSource } from "../../src/plans/formats/plan-source.ts";
import { parseSource } from "../../src/plans/formats/read-plan.ts";

const FILES = 1000;

/** As much as a scan may cost of what is indispensable: reading the files and parsing their JSON. */
const MOST = 2;

describe("a scan of a thousand task files", () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "pawl-scan-"));
    for (let number = 1; number <= FILES; number += 1)
      writeFileSync(join(folder, `task-${number}.json`), taskFile(number));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const scan = () => parseSource(readSource(nodeFiles, folder), folder);
  const readAndParse = () =>
    readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as unknown);

  it("finds them all, in the order of their numbers", () => {
    const { steps, diagnostics } = scan();
    expect(diagnostics).toEqual([]);
    expect(steps.map(({ anchor }) => anchor)).toEqual(
      Array.from({ length: FILES }, (_, index) => `task-${index + 1}`),
    );
    expect(steps.at(-1)).toMatchObject({ dependsOn: [{ anchor: "task-999", line: 11 }] });
  });

  it("takes at most twice the processor time of reading and parsing them", () => {
    const both = () => [scan(), readAndParse()];
    for (let warm = 0; warm < 5; warm += 1) both();
    expect(growth(readAndParse, scan, MOST)).toBeLessThan(MOST);
  });
});
