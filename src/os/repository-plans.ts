import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { Failure } from "../domain/errors.ts";
import { MAX_PLAN_BYTES } from "../domain/plan.ts";
import type { Files } from "../ports/files.ts";
import type { PlanFiles } from "../ports/plan-files.ts";
import type { Repository } from "../ports/repository.ts";

/**
 * Plans of one repository.
 *
 * The key is the path under the top level of whichever worktree the file lies in, so that the main checkout and every
 * linked worktree speak of one plan. A linked worktree that does not have the file (plans are often not committed)
 * uses the one of the main checkout.
 */
export function repositoryPlans(repository: Repository, files: Files, cwd: string): PlanFiles {
  const roots = [repository.topLevel, repository.mainTopLevel].filter((root) => root !== undefined);

  const keyOf = (path: string): string => {
    for (const root of [...roots, ...linkedTopLevels(repository.commonDir)]) {
      const inside = relative(root, path);
      if (inside !== "" && !inside.startsWith(`..${sep}`) && inside !== ".." && !isAbsolute(inside)) {
        return sep === "/" ? inside : inside.split(sep).join("/");
      }
    }
    throw new Failure("plan/outside-repository", `${path} is not inside the repository.`, { path, roots });
  };

  const plans: PlanFiles = {
    locate(operand) {
      if (operand === "" || operand.includes("\0")) {
        throw new Failure("plan/not-found", "The name of the plan is empty or holds a NUL character.", {});
      }
      const candidates = [resolve(cwd, operand), ...roots.map((root) => resolve(root, operand))];
      for (const candidate of candidates) {
        if (existsSync(candidate)) {
          const path = realpathSync.native(candidate);
          return { key: keyOf(path), path };
        }
      }
      return { key: keyOf(realpathOfMissing(candidates[0]!)), path: undefined };
    },
    read({ key, path }) {
      if (path === undefined)
        throw new Failure("plan/not-found", `There is no file ${key}.`, { plan_path: key });
      const bytes = files.read(path, MAX_PLAN_BYTES);
      return { bytes, hash: createHash("sha256").update(bytes).digest("hex") };
    },
    search: () => searchPlans(repository.topLevel),
    seenFrom(worktree, key) {
      const candidates = [worktree, repository.mainTopLevel].filter((root) => root !== undefined);
      const path = candidates.map((root) => join(root, key)).find((candidate) => existsSync(candidate));
      return path === undefined ? undefined : plans.read({ key, path }).hash;
    },
    existsAnywhere: (key) =>
      [...roots, ...linkedTopLevels(repository.commonDir)].some((root) => existsSync(join(root, key))),
  };
  return plans;
}

/** The deepest folder that exists, resolved, with the missing rest behind it. */
function realpathOfMissing(path: string): string {
  let folder = path;
  let rest = "";
  while (!existsSync(folder) && dirname(folder) !== folder) {
    rest = join(basename(folder), rest);
    folder = dirname(folder);
  }
  return join(realpathSync.native(folder), rest).replace(/\/$/, "");
}

/** Read only when the usual roots do not hold the path. */
function* linkedTopLevels(commonDir: string): Generator<string> {
  const folder = join(commonDir, "worktrees");
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    try {
      yield realpathSync.native(dirname(readFileSync(join(folder, name, "gitdir"), "utf8").trimEnd()));
    } catch {
      // A worktree whose folder is gone holds no plan.
    }
  }
}

const USUAL_FOLDERS = ["", ".tugtool", "plans", "docs", "roadmap", "docs/plans"];

/** Markdown files with a step heading, in the places where people keep plans. */
function searchPlans(topLevel: string | undefined): readonly string[] {
  if (topLevel === undefined) return [];
  return USUAL_FOLDERS.flatMap((folder) => {
    const path = join(topLevel, folder);
    const names = existsSync(path) ? readdirSync(path, { withFileTypes: true }) : [];
    return names
      .filter(
        (entry) => entry.isFile() && entry.name.endsWith(".md") && looksLikePlan(join(path, entry.name)),
      )
      .map((entry) => (folder === "" ? entry.name : `${folder}/${entry.name}`));
  });
}

function looksLikePlan(path: string): boolean {
  if (statSync(path).size > MAX_PLAN_BYTES) return false;
  return /^#{3,5} Step \S/m.test(readFileSync(path, "utf8"));
}
