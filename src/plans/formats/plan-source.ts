import { isUtf8 } from "node:buffer";
import { Failure, MAX_PLAN_BYTES, shellWord } from "../../domain/index.ts";
import type { Files, FolderEntry, FolderFile, PlanFolder } from "../../platform/ports/index.ts";
import { archiveOf, FOLDER_FILES, foldFolder, SPEC_FILE } from "./plan-folder.ts";

/** A plan as it lies on the disk, in one piece. */
export interface PlanBytes {
  readonly bytes: Uint8Array;
  /** The same as the files of a folder, where that is what they were made from. */
  readonly folder?: PlanFolder;
  readonly isFolder?: boolean;
  readonly file?: string;
}

const MOST_TASK_FILES = 10_000;
const MAX_TASK_BYTES = 1024 * 1024;

/**
 * Reads a plan from a path: a file, a spec folder, or a folder with a file for each task.
 *
 * Only regular files are read. A link in a folder could lead anywhere, and what it leads to would be written to.
 */
export function readSource(files: Files, path: string): PlanBytes {
  const entries = files.list(path);
  if (!entries) return { bytes: files.read(path, MAX_PLAN_BYTES) };
  const spec = entries.find(({ name }) => name === SPEC_FILE);
  if (spec) return { bytes: readEntry(files, path, spec, MAX_PLAN_BYTES), file: SPEC_FILE };
  const kind = FOLDER_FILES.find((pattern) => entries.some(({ name }) => pattern.test(name)));
  const tasks = entries.filter(({ name }) => kind?.test(name));
  if (tasks.length === 0 && !/(?:^|[\\/])\.claude[\\/]tasks[\\/]?$/.test(path)) throw noPlanIn(path, entries);
  const folder = readFolder(files, path, tasks, kind);
  return {
    folder,
    // Only for callers that keep or compare it: a megabyte that is put together costs more than reading it.
    get bytes() {
      return Buffer.from(foldFolder(folder));
    },
    isFolder: true,
  };
}

/** Names of files that are plans, where a folder holds them: the first that is there is most likely meant. */
const PLAN_FILES = [
  /^tasks\.(?:md|json)$/i,
  /^(?:implementation[-_ ]?)?plan\.md$/i,
  /^(?:prd|feature_list|features)\.json$/i,
  /^roadmap\.md$/i,
  /^todos?\.md$/i,
  /-plan\.md$/i,
  /^issues\.jsonl$/i,
  /\.md$/i,
];

const FOLDERS_WITH_PLANS = /^(?:tasks|\.beads|\.taskmaster|plans|specs|changes|tracks|phases)$/i;

/** A folder is no plan, but it may hold one: it is named, and so is a folder that plans usually lie in. */
function noPlanIn(path: string, entries: readonly FolderEntry[]): Failure {
  const isPlan = ({ name, kind }: FolderEntry) =>
    kind === "file" && PLAN_FILES.some((pattern) => pattern.test(name));
  const rank = (name: string) => PLAN_FILES.findIndex((pattern) => pattern.test(name));
  const found = entries
    .filter(isPlan)
    .map(({ name }) => name)
    .toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  const below = entries
    .filter(({ name, kind }) => kind === "folder" && FOLDERS_WITH_PLANS.test(name))
    .map(({ name }) => `${name}/`);
  const inside = [...found, ...below].slice(0, 5).map((name) => `${path.replace(/[\\/]$/, "")}/${name}`);
  return new Failure(
    "plan/not-a-file",
    `${path} is a directory without ${SPEC_FILE} and without task files.`,
    { path, plans: inside },
    {
      hint:
        inside.length > 0
          ? `It holds ${inside.map(shellWord).join(", ")}: name the one that is the plan, as in \`pawl plan check ${shellWord(inside[0]!)}\`.`
          : `Name a plan file, a folder with ${SPEC_FILE}, or a folder of task files.`,
    },
  );
}

function readFolder(
  files: Files,
  path: string,
  tasks: readonly FolderEntry[],
  kind: RegExp | undefined,
): PlanFolder {
  if (tasks.length > MOST_TASK_FILES)
    throw tooLarge(path, `${tasks.length} task files; at most ${MOST_TASK_FILES}`);
  let left = MAX_PLAN_BYTES;
  const found: FolderFile[] = [];
  for (const entry of tasks.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const file = taskFile(files, path, entry);
    left -= file.text?.length ?? 0;
    if (left < 0) throw tooLarge(path, `more than ${MAX_PLAN_BYTES} bytes of task files; no more`);
    found.push(file);
  }
  const archive = archiveOf(path, kind);
  const archived = (files.list(archive.folder) ?? [])
    .map(({ name }) => name)
    .filter((name) => archive.file.test(name));
  return { files: found, archived: archived.toSorted().slice(0, MOST_TASK_FILES) };
}

/** A problem in one file is reported for that file, and stops no other. */
function taskFile(files: Files, path: string, entry: FolderEntry): FolderFile {
  const { name } = entry;
  try {
    refuseLink(path, entry);
    const text = files.readText(`${path}/${name}`, MAX_TASK_BYTES);
    return text === undefined ? { name, text, problem: "it is no UTF-8 text" } : { name, text };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { name, text: undefined, problem: PROBLEMS[error.problem] ?? "it cannot be read" };
  }
}

const PROBLEMS: Readonly<Record<string, string>> = {
  "plan/not-a-file": "it is no regular file",
  "plan/too-large": `it has more than ${MAX_TASK_BYTES} bytes`,
  "plan/not-found": "it is gone",
};

function readEntry(files: Files, folder: string, entry: FolderEntry, most: number): Uint8Array {
  refuseLink(folder, entry);
  return files.read(`${folder}/${entry.name}`, most);
}

function refuseLink(folder: string, { name, kind }: FolderEntry): void {
  if (kind !== "link") return;
  const path = `${folder}/${name}`;
  throw new Failure(
    "plan/not-a-file",
    `${path} is a symbolic link; only what lies in the folder itself is read.`,
    { path },
    { hint: "Put the file itself there." },
  );
}

/** Undefined for what is no text. The byte order mark stays: it is a byte of the file. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  return bytes.includes(0) || !isUtf8(bytes)
    ? undefined
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
}

const tooLarge = (path: string, what: string): Failure =>
  new Failure("plan/too-large", `${path} has ${what} are read.`, { path });
