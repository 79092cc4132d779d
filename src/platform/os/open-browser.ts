import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withoutGit } from "../git/index.ts";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Opens the link in the user's browser, if there is one.
 *
 * The link has a ticket in it, and everybody on the machine can read the arguments of a process. So the browser is
 * given a file that only its owner can read, and that leads on. Answers with how to remove it: at the latest when the
 * ticket was used, so that nothing is left of it to read.
 */
export function openBrowser(link: string, env: Env): () => void {
  const program = openerOf(env);
  if (program === undefined) return () => undefined;
  const folder = mkdtempSync(join(tmpdir(), "pawl-open-"));
  const file = join(folder, "open.html");
  writeFileSync(file, `<!doctype html><meta http-equiv="refresh" content="0;url=${link}">`, { mode: 0o600 });
  const [command = "", ...args] = program;
  const child = spawn(command, [...args, file], { stdio: "ignore", detached: true, env: withoutGit(env) });
  child.on("error", () => undefined);
  child.unref();
  return () => rmSync(folder, { recursive: true, force: true });
}

function openerOf(env: Env): readonly string[] | undefined {
  if (process.platform === "darwin") return ["open"];
  if (process.platform === "win32") return ["explorer.exe"];
  return env["DISPLAY"] || env["WAYLAND_DISPLAY"] ? ["xdg-open"] : undefined;
}
