/** The files of a folder that is a plan, as they were found. */
export interface PlanFolder {
  readonly files: readonly FolderFile[];
  /** Names of files that were put away, as done. */
  readonly archived: readonly string[];
}

export interface FolderFile {
  readonly name: string;
  /** Undefined when it could not be read. */
  readonly text: string | undefined;
  /** Why it could not be read. */
  readonly problem?: string | undefined;
}

/** A folder as one text: what is kept of the plan, and what a format reads. */
export const foldFolder = ({ files, archived }: PlanFolder): string =>
  JSON.stringify({
    files: files.map(({ name, text, problem }) => [name, text ?? null, problem ?? null]),
    archived,
  });

export function unfoldFolder(text: string): PlanFolder {
  if (text === "") return { files: [], archived: [] };
  const folded = JSON.parse(text) as {
    files: [name: string, text: string | null, problem: string | null][];
    archived: string[];
  };
  return {
    files: folded.files.map(([name, content, problem]) => ({
      name,
      text: content ?? undefined,
      problem: problem ?? undefined,
    })),
    archived: folded.archived,
  };
}

/** Which files of a folder are tasks. */
export const TASK_FILE = /^task-[^/\\]+\.json$/i;

/** The file that makes a folder a spec folder. */
export const SPEC_FILE = "implementation_plan.json";

export const ARCHIVE = "archive";
