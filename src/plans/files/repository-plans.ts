import {
  type Dirent,
  existsSync,
  opendirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { closest, Failure, MAX_PLAN_BYTES, shellWord } from "../../domain/index.ts";
import { type PlanBytes, readSource, SPEC_FILE, SPEC_TEXTS, SPECS, TASK_FILE } from "../formats/index.ts";
import type { Files, PlanContent, PlanFiles, PlanLocation, Repository } from "../../platform/ports/index.ts";
import { sha256 } from "../../platform/os/index.ts";
import { filesOver } from "./files-over.ts";
import { rememberFile } from "./remember-file.ts";
import { rememberLocation } from "./remember-location.ts";

/**
 * Plans of one repository.
 *
 * The key is the path under the top level of whichever worktree the file lies in, so that the main checkout and every
 * linked worktree speak of one plan. The main checkout's file counts wherever it has one: a worktree's own copy is as
 * old as its branch. Only a plan that the main checkout does not have is read where the call was made.
 */
export function repositoryPlans(repository: Repository, files: Files, cwd: string): PlanFiles {
  const roots = [repository.topLevel, repository.mainTopLevel].filter((root) => root !== undefined);
  const base = repository.mainTopLevel;

  const keyOf = (path: string): string => {
    const root = roots.find((candidate) => isInside(candidate, path));
    if (root !== undefined && !hasRepositoryBetween(root, path)) return keyBelow(root, path);
    // A linked worktree may lie inside the main checkout: the plan belongs to the innermost top level around it.
    const [linked] = [...linkedTopLevels(repository.commonDir)]
      .filter((candidate) => isInside(candidate, path))
      .sort((a, b) => b.length - a.length);
    if (linked !== undefined && !hasRepositoryBetween(linked, path)) return keyBelow(linked, path);
    throw notInside(path, roots, root !== undefined);
  };

  /** A spec folder and the file that makes it one are the same plan. At a top level only the file can be named. */
  const folderOfSpec = (path: string): string =>
    basename(path) === SPEC_FILE && !roots.includes(dirname(path)) && !existsSync(join(dirname(path), ".git"))
      ? dirname(path)
      : path;

  const contentAt = rememberFile((path) => contentOf(readSource(files, path)));

  const locate = (operand: string): PlanLocation => {
    if (operand === "" || operand.includes("\0")) {
      throw new Failure("plan/not-found", "The name of the plan is empty or holds a NUL character.", {});
    }
    for (const base of [cwd, ...roots]) {
      const found = realpathOf(resolve(base, operand));
      if (found !== undefined) {
        const path = folderOfSpec(found);
        const key = keyOf(path);
        return { key, path: baseFile(base, key) ?? path };
      }
    }
    const spec = specNamed(roots, operand);
    if (spec !== undefined) return locate(spec);
    return { key: keyOf(folderOfSpec(realpathOfMissing(resolve(cwd, operand)))), path: undefined };
  };

  const plans: PlanFiles = {
    locate: rememberLocation(cwd, locate),
    find(key) {
      const own = roots.map((root) => realpathOf(join(root, key))).find((path) => path !== undefined);
      return { key, path: baseFile(base, key) ?? own };
    },
    read({ key, path, look }) {
      if (path === undefined) throw notThere(key, plans.search());
      return contentAt(path, look);
    },
    readCommitted(location, committed) {
      const { key, path = base && join(base, key) } = location;
      if (base === undefined || path === undefined || !isInside(base, path)) return undefined;
      const texts = new Map(committed.map((one) => [join(base, one.path), one.bytes]));
      if (texts.size === 0) return undefined;
      return contentOf(readSource(filesOver(files, path, texts), path));
    },
    search: () => searchPlans(repository.topLevel),
    checklists: () => checklistsIn(repository.topLevel),
    existsAnywhere: (key) =>
      [...roots, ...linkedTopLevels(repository.commonDir)].some((root) => existsSync(join(root, key))),
  };
  return plans;
}

function notInside(path: string, roots: readonly string[], isBelow: boolean): Failure {
  const elsewhere = isBelow ? "belongs to a repository inside this one" : "is not inside the repository";
  const where = roots.includes(path) ? "is the repository itself, and no plan in it" : elsewhere;
  return new Failure("plan/outside-repository", `${path} ${where}.`, { path, roots: [...new Set(roots)] });
}

/** Which file is meant, Pawl cannot know; but it can say what there is. */
function notThere(key: string, found: readonly string[]): Failure {
  const near = closest(key, found);
  const named = near === undefined ? found : [near, ...found.filter((one) => one !== near)];
  return new Failure(
    "plan/not-found",
    `There is no file ${key}.`,
    { plan_path: key, plans: found },
    {
      hint:
        found.length === 0
          ? "Check the path, or ask the person which plan is meant: none is in the usual places here. `pawl state list` shows those that have state."
          : `Check the path; plans that are here: ${few(named)}. If you are not sure which one is meant, ask the person.`,
    },
  );
}

const few = (names: readonly string[]): string =>
  `${names.slice(0, 5).map(shellWord).join(", ")}${names.length > 5 ? ` and ${names.length - 5} more` : ""}`;

/** Not all at once: a folder's text is made into bytes, and those into a hash, only when a caller needs them, and once. */
function contentOf(source: PlanBytes): PlanContent {
  let hash: string | undefined;
  return {
    ...(source.folder === undefined ? {} : { folder: source.folder }),
    ...(source.isFolder === undefined ? {} : { isFolder: source.isFolder }),
    ...(source.file === undefined ? {} : { file: source.file }),
    get bytes() {
      return source.bytes;
    },
    get hash() {
      hash ??= sha256(withUnixLines(source.bytes));
      return hash;
    },
  };
}

const CR = 13;
const LF = 10;

/**
 * Line ends as git keeps them. With `core.autocrlf` one checkout has them one way and the next the other, and the same
 * plan would pass for another one.
 */
function withUnixLines(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(CR)) return bytes;
  return bytes.filter((byte, index) => byte !== CR || bytes[index + 1] !== LF);
}

/** One call where looking first would take two; undefined for what does not exist or cannot be reached. */
function realpathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** The main checkout's file or folder; undefined for a folder without a plan: a spec may have its plan elsewhere yet. */
function baseFile(base: string | undefined, key: string): string | undefined {
  const path = base && realpathOf(join(base, key));
  return path === undefined || (!path.endsWith(".md") && isFolderWithoutPlan(path)) ? undefined : path;
}

/** False also for a file, and for what cannot be read: reading it reports why. */
function isFolderWithoutPlan(path: string): boolean {
  try {
    const folder = opendirSync(path);
    try {
      // Not the whole folder: the first file that is a plan decides, and a folder of tasks has nothing else.
      for (let entry = folder.readSync(); entry !== null; entry = folder.readSync())
        if (entry.name === SPEC_FILE || TASK_FILE.test(entry.name)) return false;
    } finally {
      folder.closeSync();
    }
    return true;
  } catch {
    return false;
  }
}

/** A spec folder by its short name: the whole name, such as `001-shop`, or the number that it begins with. */
function specNamed(roots: readonly string[], operand: string): string | undefined {
  if (!/^[\w.-]+$/.test(operand)) return undefined;
  const names = new Set(
    roots.flatMap((root) =>
      entriesOf(join(root, SPECS))
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name),
    ),
  );
  const isNumber = /^\d+$/.test(operand);
  const found = [...names].filter((name) => name === operand || (isNumber && name.startsWith(`${operand}-`)));
  if (found.length > 1)
    throw new Failure("plan/ambiguous", `${operand} may be ${found.join(" or ")}.`, { plans: found });
  return found[0] === undefined ? undefined : `${SPECS}/${found[0]}`;
}

/** Both are canonical, so the text decides. */
const isInside = (root: string, path: string): boolean =>
  path.length > root.length && path.startsWith(root) && (path[root.length] === sep || root.endsWith(sep));

const keyBelow = (root: string, path: string): string =>
  path
    .slice(root.endsWith(sep) ? root.length : root.length + 1)
    .split(sep)
    .join("/");

/** Whether some folder on the way from the root down to the file is a top level of its own. */
function hasRepositoryBetween(root: string, path: string): boolean {
  for (let folder = dirname(path); folder.length > root.length; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return true;
  }
  return false;
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
      yield realpathSync.native(
        dirname(resolve(folder, name, readFileSync(join(folder, name, "gitdir"), "utf8").trimEnd())),
      );
    } catch {
      // A worktree whose folder is gone holds no plan.
    }
  }
}

const USUAL_FOLDERS = ["", ".tugtool", "plans", "docs", "roadmap", "docs/plans"];

/** Where tools keep a folder for each piece of work, and what makes it a plan. */
const SPEC_FOLDERS = [
  [SPECS, [SPEC_FILE, ...SPEC_TEXTS]],
  ["specs", ["tasks.md"]],
  [".kiro/specs", ["tasks.md"]],
  ["openspec/changes", ["tasks.md"]],
] as const;

/** Plans in the places where people and tools keep them. */
function searchPlans(topLevel: string | undefined): readonly string[] {
  if (topLevel === undefined) return [];
  const found = [
    ...markdownWith(topLevel, isPlan),
    ...specPlans(topLevel),
    ...taskFolders(topLevel),
    ...[TASK_MASTER].filter((key) => existsSync(join(topLevel, key))),
  ];
  return found.length > 0
    ? found
    : markdownWith(topLevel, (text, key) => TO_DO.test(key) && hasOpenBox(text));
}

/** Other Markdown there with open boxes. */
function checklistsIn(topLevel: string | undefined): readonly string[] {
  if (topLevel === undefined) return [];
  const found = new Set(searchPlans(topLevel));
  return markdownWith(topLevel, hasOpenBox).filter((key) => !found.has(key));
}

/** Where task-master keeps its tasks. */
const TASK_MASTER = ".taskmaster/tasks/tasks.json";

/** The name says that it is a plan, whatever its headings are called. */
const NAMED_PLAN = /^(?:implementation[-_])?plan\.md$/i;

/** A plan where there is no other: beside one, it is what people keep for later. */
const TO_DO = /^to-?do\.md$/i;

/** Markdown files in the usual folders whose text is of that kind. */
const markdownWith = (topLevel: string, isOne: (text: string, key: string) => boolean): readonly string[] =>
  USUAL_FOLDERS.flatMap((folder) =>
    entriesOf(join(topLevel, folder))
      .filter((entry) => entry.isFile() && entry.name.endsWith(".md"))
      .map((entry) => (folder === "" ? entry.name : `${folder}/${entry.name}`))
      .filter((key) => isOne(textOf(join(topLevel, key)), key)),
  );

const specPlans = (topLevel: string): readonly string[] =>
  SPEC_FOLDERS.flatMap(([folder, files]) =>
    entriesOf(join(topLevel, folder))
      .filter(
        (entry) =>
          entry.isDirectory() && files.some((file) => existsSync(join(topLevel, folder, entry.name, file))),
      )
      .map(({ name }) => (folder === SPECS ? `${folder}/${name}` : `${folder}/${name}/${files[0]}`)),
  );

const taskFolders = (topLevel: string): readonly string[] =>
  entriesOf(join(topLevel, ".claude/tasks")).some(({ name }) => TASK_FILE.test(name))
    ? [".claude/tasks"]
    : [];

/** A search skips what cannot be read; naming such a file reports why. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

const isPlan = (text: string, key: string): boolean =>
  /^#{3,5} Step \S|^#{2,5} Task \d/m.test(text) ||
  (NAMED_PLAN.test(key) && (hasOpenBox(text) || /^#{2,5} (?:Phase|Stage|Step) \d/m.test(text)));

const hasOpenBox = (text: string): boolean => /^[ \t]*(?:[-*+]|\d{1,9}[.)]) \[ \] \S/m.test(text);

/** Empty where it cannot be read or is too large for a plan. */
function textOf(path: string): string {
  try {
    return statSync(path).size > MAX_PLAN_BYTES ? "" : readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
