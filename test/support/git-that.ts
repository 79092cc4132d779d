import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** An environment whose git does something else before, or instead of, one of its commands. */
export function gitThat(home: string, command: string, script: string): Readonly<Record<string, string>> {
  const bin = join(home, ".git/bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(
    join(bin, "git"),
    `#!/bin/sh\nPATH="\${PATH#*:}"\ncase "$*" in *"${command}"*) ${script};; esac\nexec git "$@"\n`,
  );
  chmodSync(join(bin, "git"), 0o755);
  return { PATH: `${bin}:${process.env["PATH"]}` };
}

/**
 * An environment in which something happens right after the last look at a worktree that is taken down: git tells what
 * is not committed, and then, before Pawl hears it, the script runs, once. That look is the first one without a lock.
 */
export function afterLastLook(home: string, entry: string, script: string): Readonly<Record<string, string>> {
  const at = join(home, ".git/worktrees", entry);
  const once = join(home, ".git/it-happened");
  return gitThat(
    home,
    "status --porcelain=v2",
    `if [ -d "${at}" ] && [ ! -e "${at}/locked" ] && [ ! -e "${once}" ]; then git "$@"; : > "${once}"; ${script}; exit 0; fi`,
  );
}
