import { readFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { engineVersion, loadDriver } from "../src/platform/sqlite/driver.ts";

/** What figures depend on besides Pawl. */
export function machineFacts(): Readonly<Record<string, string>> {
  const processors = cpus();
  return {
    node: process.version,
    sqlite: sqliteFacts(),
    cpu: `${processors.length} × ${processors[0]?.model ?? "unknown"}`,
    "file system": fileSystemOf(tmpdir()),
    load: loadavg()
      .map((load) => load.toFixed(1))
      .join(" "),
  };
}

function sqliteFacts(): string {
  const { name, open } = loadDriver();
  const connection = open(":memory:");
  const version = engineVersion(connection);
  connection.close();
  return `${version} (${name})`;
}

/** The type of the mount that holds the folder: the one with the longest path that leads to it. */
function fileSystemOf(folder: string): string {
  try {
    const mounts = readFileSync("/proc/self/mounts", "utf8")
      .split("\n")
      .map((line) => line.split(" "))
      .filter(([, path = ""]) => path === "/" || folder === path || folder.startsWith(`${path}/`));
    const [, , type] = mounts.toSorted(([, a = ""], [, b = ""]) => a.length - b.length).at(-1) ?? [];
    return type ?? "unknown";
  } catch {
    return process.platform;
  }
}
