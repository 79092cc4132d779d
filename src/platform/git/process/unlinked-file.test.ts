import { spawnSync } from "node:child_process";
import { closeSync, fstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { namelessFile } from "./unlinked-file.ts";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "pawl-nameless-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

it.runIf(process.platform === "linux")("takes what a child wrote, once, and leaves nothing behind", () => {
  const place = folder();
  const file = namelessFile(place)!;
  spawnSync("sh", ["-c", "echo complaint >&2"], { stdio: ["ignore", "ignore", file.fd] });
  expect(readdirSync(place)).toEqual([]);
  expect(file.take(5)).toBe("compl");
  expect(() => fstatSync(file.fd)).toThrow("EBADF");
  expect(file.take(5)).toBe("");
});

it.runIf(process.platform === "linux")(
  "holds together when a child opens its own standard error anew",
  () => {
    const file = namelessFile(folder())!;
    spawnSync("sh", ["-c", "echo before >&2; echo anew > /dev/stderr; echo after >&2"], {
      stdio: ["ignore", "ignore", file.fd],
    });
    expect(file.take(100)).toBe("anew\nafter\n");
  },
);

it.runIf(process.platform === "linux")("says why it cannot be read, and throws nothing", () => {
  const file = namelessFile(folder())!;
  closeSync(file.fd);
  expect(file.take(5)).toContain("could not be read: Error: EBADF");
});

it("is none where there is no folder to make it in", () => {
  expect(namelessFile(join(folder(), "missing"))).toBeUndefined();
});
