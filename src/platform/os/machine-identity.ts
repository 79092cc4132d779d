import { readFileSync } from "node:fs";
import type { Machine } from "../ports/index.ts";
import { type RunProgram, runProgram } from "./ps-table.ts";

/**
 * Which machine this is and which boot of it.
 *
 * The kernel's boot id is new at every start, so a claim that carries another one of this machine has lost its owner.
 */
export function machineIdentity(
  env: Readonly<Record<string, string | undefined>>,
  storeIsShared: boolean,
): Machine {
  return { hostId: env["PAWL_HOST_ID"] || (storeIsShared ? hostId() : ONLY_HOST), bootId: bootId() };
}

/**
 * The machine of an embedded database, which never leaves it. Names change while sessions live (a lease of the
 * network, a container around the same files), and lifelines work all the same.
 */
const ONLY_HOST = "this-machine";

/**
 * Machines made from one image share a machine id, so the name counts too. Taking one machine for two is safe: then
 * leases decide. Taking two for one is not: each would bury the other's sessions.
 */
function hostId(): string {
  const machine = readLine("/etc/machine-id") ?? readLine("/var/lib/dbus/machine-id") ?? "";
  return shortened(`pawl:${machine}:${process.getBuiltinModule("node:os").hostname()}`);
}

/**
 * Sixteen hex digits (FNV-1a) that tell machines apart without giving a machine's id away: half of its bits are lost.
 * A better hash is in `node:crypto`, which takes 4 ms to load; a whole claim takes about 30.
 */
function shortened(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, "0");
}

function bootId(): string {
  return readLine("/proc/sys/kernel/random/boot_id") ?? bootSession(runProgram) ?? "unknown";
}

function readLine(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim() || undefined;
  } catch {
    return undefined;
  }
}

/** macOS gives each start of the machine an id of its own, too. */
export const bootSession = (run: RunProgram): string | undefined =>
  run("sysctl", ["-n", "kern.bootsessionuuid"])?.trim() || undefined;
