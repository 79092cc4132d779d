import type { PlanFolder } from "../../platform/ports/index.ts";

/**
 * A folder as one text: what is kept of the plan, and what a format reads.
 *
 * A line of JSON says what is there and how long each file is; the files follow as they are. Putting them into JSON as
 * well would cost more than reading them.
 */
export function foldFolder({ files, archived }: PlanFolder): string {
  const contents = files.map(({ name, text, problem }) => [name, text?.length ?? null, problem ?? null]);
  return `${JSON.stringify({ files: contents, archived })}\n${files.map(({ text }) => text ?? "").join("")}`;
}

export function unfoldFolder(folded: string): PlanFolder {
  if (folded === "") return { files: [], archived: [] };
  let at = folded.indexOf("\n") + 1;
  const { files, archived } = JSON.parse(folded.slice(0, at)) as {
    files: [name: string, length: number | null, problem: string | null][];
    archived: string[];
  };
  return {
    files: files.map(([name, length, problem]) => {
      if (length === null) return { name, text: undefined, problem: problem ?? undefined };
      at += length;
      return { name, text: folded.slice(at - length, at) };
    }),
    archived,
  };
}

/** Which files of a folder are tasks. */
export const TASK_FILE = /^task-[^/\\]+\.json$/i;

/** Which files of a folder are tasks of Backlog.md. */
const BACKLOG_FILE = /^[a-z]+-\d[^/\\]*\.md$/i;

/** What the files of a folder are called that is a plan; the first kind that is there counts. */
export const FOLDER_FILES: readonly RegExp[] = [TASK_FILE, /^\d+\.json$/, BACKLOG_FILE];

/** Where the files of a kind are put when they are done, and which of those there are meant. */
export function archiveOf(path: string, kind: RegExp | undefined): { folder: string; file: RegExp } {
  if (kind !== BACKLOG_FILE) return { folder: `${path}/${ARCHIVE}`, file: TASK_FILE };
  // `backlog cleanup` moves what is done out of `backlog/tasks`.
  const parent = path.slice(0, Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  return { folder: `${parent}completed`, file: BACKLOG_FILE };
}

/** The file that makes a folder a spec folder. */
export const SPEC_FILE = "implementation_plan.json";

/** What a spec folder holds before it is planned: what is to be built. */
export const SPEC_TEXTS = ["spec.md", "requirements.json"] as const;

/** Where tools keep spec folders. */
export const SPECS = ".auto-claude/specs";

const ARCHIVE = "archive";
