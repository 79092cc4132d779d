import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../../domain/index.ts";
import type { Worktree } from "../../ports/index.ts";
import { shown } from "../files/byte-path.ts";
import { objectFormatOf } from "../snapshots/conversion-settings.ts";
import { parseIndex } from "../index-file/parse-index.ts";
import { readText } from "../repository/git-directory.ts";
import { gitDirectoryOf } from "../refs/checked-out-ref.ts";
import type { RunInWorktree } from "../process/run-in-worktree.ts";

/** How an index writes the mode of a repository inside. */
const LINK_MODE = Buffer.from([0, 0, 0xe0, 0]);
const LINK = "160000";

/**
 * Refuses an index that would commit a repository inside the worktree as a mere name of its commit.
 *
 * Nothing of its files would be in the commit, though checks that ran in the worktree have seen them. A submodule that
 * `.gitmodules` names is meant so, and one that is committed already is none of this step's doing.
 */
export async function refuseNested(run: RunInWorktree, worktree: Worktree, indexFile: string): Promise<void> {
  const bytes = readFileSync(indexFile);
  if (!bytes.includes(LINK_MODE)) return;
  const { commonDir } = gitDirectoryOf(worktree.path);
  const entries = parseIndex(bytes, objectFormatOf(commonDir) === "sha256" ? 32 : 20) ?? [];
  const named = submodulesOf(worktree);
  const links = entries
    .filter(({ mode }) => mode === LINK)
    .map(({ path }) => shown(path))
    .filter((path) => !named.has(path));
  if (links.length === 0) return;
  const committed = await run(worktree, {
    args: ["--literal-pathspecs", "ls-tree", "-r", "-z", "--name-only", "HEAD", "--", ...links],
    access: "read",
  });
  const before = new Set(committed.stdout.toString("utf8").split("\0"));
  const added = links.filter((path) => !before.has(path));
  if (added.length === 0) return;
  const [is, its] = added.length === 1 ? ["is a git repository", "its"] : ["are git repositories", "their"];
  throw new Failure(
    "commit/nested-repository",
    `${added.slice(0, 5).join(", ")} ${is} of ${its} own: a commit here would hold none of ${its} files.`,
    { worktree: worktree.path, repositories: added },
  );
}

function submodulesOf({ path }: Worktree): ReadonlySet<string> {
  const text = readText(join(path, ".gitmodules")) ?? "";
  return new Set([...text.matchAll(/^[ \t]*path[ \t]*=[ \t]*(\S.*)$/gm)].map(([, name]) => name!.trimEnd()));
}
