import { execFileSync, spawn } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { SCHEMA_VERSION } from "../../src/platform/schema-version.ts";
import { contributions, type Edit } from "../support/contributions.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const ADDITIONS = contributions(SCHEMA_VERSION);
const EDITS = Object.values(ADDITIONS).flatMap(({ edits }) => edits);

/** The source as git knows it, in a folder of its own. */
function copyOfSource(): string {
  const copy = mkdtempSync(join(tmpdir(), "pawl-contributing-"));
  onTestFinished(() => rmSync(copy, { recursive: true }));
  const listed = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const files = execFileSync("git", listed, { cwd: ROOT, encoding: "utf8" }).split("\0");
  for (const file of new Set(files)) {
    if (file === "" || !existsSync(join(ROOT, file))) continue;
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    copyFileSync(join(ROOT, file), join(copy, file));
  }
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  return copy;
}

/** Adds all of it; `isLeftOut` says which edits a forgetful author would not make. */
function add(copy: string, isLeftOut: (edit: Edit) => boolean = () => false): void {
  for (const { files = {}, edits } of Object.values(ADDITIONS)) {
    for (const [file, text] of Object.entries(files)) writeFileSync(join(copy, file), text, { flag: "wx" });
    for (const one of edits.filter((edit) => !isLeftOut(edit))) edit(copy, one);
  }
}

function edit(copy: string, { file, behind, lines, replaces }: Edit): void {
  const path = join(copy, file);
  const old = readFileSync(path, "utf8").split("\n");
  const at = old.indexOf(behind);
  expect({ file, behind, times: old.filter((line) => line === behind).length }).toEqual({
    file,
    behind,
    times: 1,
  });
  writeFileSync(path, old.toSpliced(replaces ? at : at + 1, replaces ? 1 : 0, ...lines).join("\n"));
}

/** Runs npm in the copy, as a person would at a terminal: outside of a CI, new golden files are written. */
function npm(copy: string, ...args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:CI|VITEST.*|NODE_ENV|TEST|FORCE_COLOR|npm_.*)$/.test(name),
  );
  const env = { ...Object.fromEntries(inherited), NO_COLOR: "1" };
  const child = spawn("npm", ["--silent", ...args], { cwd: copy, env, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill());
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (bytes: Buffer) => (output += bytes.toString("utf8")));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output }));
  });
}

describe("CONTRIBUTING.md", () => {
  it("has a row for each addition of this test, and no other", () => {
    const [, table = ""] =
      /\n\| to add[^\n]*\n\|[ |-]+\n((?:\|[^\n]*\n)+)/.exec(
        readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8"),
      ) ?? [];
    const rows = [...table.matchAll(/^\| +([^|]+?) +\|/gm)].map(([, name]) => name);
    expect(rows).toEqual(Object.keys(ADDITIONS));
  });

  it("is followed literally, row by row, and everything passes", { timeout: 1_800_000 }, async () => {
    const copy = copyOfSource();
    add(copy);
    const printed = await npm(copy, "run", "docs");
    expect(printed).toEqual({ code: 0, output: "" });
    const { code, output } = await npm(copy, "run", "check");
    expect(code, output.slice(-20_000)).toBe(0);
  });

  it("is enforced: each line that is forgotten is named", { timeout: 900_000 }, async () => {
    const copy = copyOfSource();
    add(copy, ({ without }) => without !== undefined);
    const types = await npm(copy, "run", "types");
    const tests = await npm(copy, "exec", "--", "vitest", "run", "--project", "unit", ...REGISTERED);
    expect(types.code).not.toBe(0);
    expect(tests.code).not.toBe(0);
    for (const { without } of EDITS) {
      if (without === undefined) continue;
      if ("types" in without) expect(types.output).toMatch(without.types);
      else expect(tests.output).toMatch(new RegExp(`FAIL.*${without.tests.source}`));
    }
  });
});

/** The tests that compare folders with their tables. */
const REGISTERED = ["test/unit/registries", "test/unit/mcp-tools", "src/recovery/rules/rules"];
