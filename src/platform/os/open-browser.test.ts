import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { openBrowser } from "./open-browser.ts";

test.runIf(process.platform === "linux")("the browser gets no password of the database", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pawl-browser-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const seen = join(folder, "seen");
  const opener = `#!/bin/sh\nenv > "${seen}.part" && mv "${seen}.part" "${seen}"\n`;
  writeFileSync(join(folder, "opener"), opener, { mode: 0o755 });
  renameSync(join(folder, "opener"), join(folder, "xdg-open"));
  const forget = openBrowser("http://127.0.0.1:1/", {
    DISPLAY: ":0",
    PATH: `${folder}:${process.env["PATH"] ?? ""}`,
    PAWL_DATABASE_URL: "postgres://u:hush-s3cret@db/x",
    PGPASSWORD: "hush-s3cret",
  });
  onTestFinished(forget);
  await vi.waitUntil(() => existsSync(seen), { timeout: 10_000 });
  expect(readFileSync(seen, "utf8")).toContain("DISPLAY=:0");
  expect(readFileSync(seen, "utf8")).not.toContain("hush-s3cret");
});
