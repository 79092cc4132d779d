import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import type { Machine } from "../ports/clock.ts";

/**
 * Which machine this is and which boot of it.
 *
 * The kernel's boot id is new at every start, so a claim that carries another one of this machine has lost its owner.
 */
export function thisMachine(env: Readonly<Record<string, string | undefined>>): Machine {
  return { hostId: env["PAWL_HOST_ID"] ?? hostId(), bootId: bootId() };
}

function hostId(): string {
  const seed = readLine("/etc/machine-id") ?? readLine("/var/lib/dbus/machine-id") ?? hostname();
  return createHash("sha256").update(`pawl:${seed}`).digest("hex").slice(0, 16);
}

function bootId(): string {
  return readLine("/proc/sys/kernel/random/boot_id") ?? sysctl("kern.bootsessionuuid") ?? "unknown";
}

function readLine(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim() || undefined;
  } catch {
    return undefined;
  }
}

function sysctl(name: string): string | undefined {
  try {
    const { execFileSync } = process.getBuiltinModule("node:child_process");
    return (
      execFileSync("sysctl", ["-n", name], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      }).trim() || undefined
    );
  } catch {
    return undefined;
  }
}
