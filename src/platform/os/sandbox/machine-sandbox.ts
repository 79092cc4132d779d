import { homedir, tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Commands, Sandbox, SandboxTools } from "../../ports/index.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const PROBE_MS = 10_000;

/** Looks for what can contain an agent, and tries it: where user namespaces are forbidden it is there and fails. */
export function machineSandbox(env: Environment, commands: () => Promise<Commands>): Sandbox {
  const home = env["HOME"] || homedir();
  let known: Promise<SandboxTools> | undefined;
  return {
    tools: () => (known ??= lookForTools(commands)),
    folder: (path) => (path === "~" ? home : path.startsWith("~/") ? join(home, path.slice(2)) : path),
    temporary: [...new Set([env["TMPDIR"], tmpdir(), "/tmp", "/var/tmp"])].filter(
      (path) => path !== undefined && isAbsolute(path),
    ) as string[],
  };
}

async function lookForTools(commands: () => Promise<Commands>): Promise<SandboxTools> {
  const system = process.platform === "linux" ? "linux" : process.platform === "darwin" ? "macos" : "other";
  const { find, run } = await commands();
  const { bwrap, socat } = find(["bwrap", "socat"]);
  const hasSocat = socat !== undefined;
  const without = (bubblewrapProblem: string) =>
    ({
      system,
      bubblewrap: undefined,
      bubblewrapProblem,
      hasSocat,
    }) as const;
  if (system !== "linux") return without("bubblewrap is only for Linux");
  if (bwrap === undefined) return without("bubblewrap is not installed");
  const argv = [bwrap, "--ro-bind", "/", "/", "--dev-bind", "/dev", "/dev", "--", bwrap, "--version"];
  const { ok, output } = await run(argv, { cwd: "/", timeoutMs: PROBE_MS });
  const [said = "no reason"] = output.trim().split("\n");
  return ok
    ? { system, bubblewrap: bwrap, bubblewrapProblem: undefined, hasSocat }
    : without(`bubblewrap cannot be used (${said})`);
}
