import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { packageVersion } from "./program-version.ts";

it("reads the version of a program's package through its link, and of no package that only uses it", () => {
  const folder = mkdtempSync(join(tmpdir(), "pawl-version-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const own = join(folder, "node_modules/agent/bin");
  mkdirSync(own, { recursive: true });
  mkdirSync(join(folder, "node_modules/bare"));
  writeFileSync(join(folder, "package.json"), '{"name":"user","version":"9.9.9"}');
  writeFileSync(join(folder, "node_modules/agent/package.json"), '{"name":"agent","version":"2.1.326"}');
  for (const path of [join(own, "run.js"), join(folder, "node_modules/bare/run.js")]) writeFileSync(path, "");
  symlinkSync(join(own, "run.js"), join(folder, "agent"));
  expect(packageVersion(join(folder, "agent"))).toBe("2.1.326");
  expect(packageVersion(join(folder, "node_modules/bare/run.js"))).toBeUndefined();
  expect(packageVersion(join(folder, "missing"))).toBeUndefined();
});
