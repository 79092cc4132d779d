import { resolve } from "node:path";
import { mainWorktreeOf } from "../repository/discover-git.ts";
import type { GitCall, RunGit } from "../process/run-git.ts";

/** The settings with which a call finds a remote that the repository calls by a relative path. */
export type RemoteConfig = (remote: string) => Promise<NonNullable<GitCall["config"]>>;

/**
 * Lets git find a remote whose address is a relative path, such as `../remote.git`.
 *
 * Git takes such a path from the folder that it works in. For a person that is the main checkout; Pawl's calls work in
 * the git directory and in the worktrees of workers, from where the same path leads nowhere.
 */
export function relativeRemotes(run: RunGit, commonDir: string): RemoteConfig {
  const known = new Map<string, ReturnType<RemoteConfig>>();
  const read = async (remote: string) => {
    const name = remote.replace(/[^\w-]/g, "\\$&");
    const args = ["config", "-z", "--get-regexp", `^remote\\.${name}\\.(push)?url$`];
    const output = await run({ args, access: "read", answers: [1] });
    const urls = output.split("\0").map((entry) => entry.slice(entry.indexOf("\n") + 1));
    const from = mainWorktreeOf(commonDir) ?? commonDir;
    return new Map(
      urls.filter(isRelativePath).map((url) => [`url.${resolve(from, url)}.insteadOf`, url] as const),
    );
  };
  return (remote) => {
    const config = known.get(remote) ?? read(remote);
    known.set(remote, config);
    return config;
  };
}

/** Neither `https://host/x`, nor `host:x`, nor `/srv/x`. */
const isRelativePath = (url: string): boolean =>
  url !== "" && !url.startsWith("/") && !/^[^/]*:/.test(url) && !url.startsWith("~");
