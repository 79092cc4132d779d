import type { Ports } from "../../platform/ports/index.ts";

const MOST_BYTES = 1024 * 1024;

/**
 * Says that a Node package's dependencies are not there for an agent and its tests, and which settings would bring them;
 * undefined where they are found. Node looks for them in each folder above the worktree, too.
 */
export function missingPackages(
  { files, settings }: Pick<Ports, "files" | "settings">,
  worktree: string,
): string | undefined {
  if (settings.worktree_setup !== undefined || !namesPackages(files, `${worktree}/package.json`))
    return undefined;
  for (let folder = worktree; folder !== ""; folder = folder.slice(0, folder.lastIndexOf("/")))
    if (files.exists(`${folder}/node_modules`)) return undefined;
  return 'package.json names dependencies, and no node_modules is found from the worktree. Set worktree_setup = ["npm", "ci"] in pawl.toml, or install them in the main checkout and set share = ["node_modules"] under [worktree]';
}

function namesPackages(files: Ports["files"], path: string): boolean {
  if (!files.exists(path)) return false;
  try {
    const { dependencies, devDependencies } = JSON.parse(
      files.readText(path, MOST_BYTES) ?? "null",
    ) as Readonly<Record<string, unknown>>;
    return [dependencies, devDependencies].some(
      (one) => typeof one === "object" && one !== null && Object.keys(one).length > 0,
    );
  } catch {
    // What cannot be read names nothing.
    return false;
  }
}
