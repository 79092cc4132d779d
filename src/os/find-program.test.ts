import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findProgram } from "./find-program.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pawl-path-"));
  for (const name of ["a", "b"]) mkdirSync(join(folder, name));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const program = (name: string, mode = 0o755) => {
  writeFileSync(join(folder, name), "");
  chmodSync(join(folder, name), mode);
  return join(folder, name);
};
const find = (name: string, PATH?: string) => findProgram(name, { env: { PATH }, cwd: folder });

it("finds the first program of that name on PATH", () => {
  mkdirSync(join(folder, "a/agent"));
  const second = program("b/agent");
  const PATH = `${join(folder, "a")}::${join(folder, "b")}`;
  expect(find("agent", PATH)).toBe(second);
  rmSync(join(folder, "a/agent"), { recursive: true });
  program("a/agent", 0o644);
  expect(find("agent", PATH)).toBe(second);
  chmodSync(join(folder, "a/agent"), 0o755);
  expect(find("agent", PATH)).toBe(join(folder, "a/agent"));
});

it("takes a name with a slash as a path", () => {
  const path = program("a/agent");
  expect(find("./a/agent", "")).toBe(path);
  expect(find(path)).toBe(path);
  expect(find("./b/agent", join(folder, "a"))).toBeUndefined();
});

it("finds nothing where nothing is", () => {
  program("agent");
  expect(find("agent")).toBeUndefined();
  expect(find("agent", "")).toBeUndefined();
  expect(find("", folder)).toBeUndefined();
});
