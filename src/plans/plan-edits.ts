import { Failure } from "../domain/index.ts";
import {
  type FileProblem,
  foldFolder,
  formatNamed,
  type PlanFormat,
  type PlanProgress,
  type PlanText,
  utf8Text,
  writePlan,
} from "./formats/index.ts";
import type { PlanContent, Ports } from "../platform/ports/index.ts";

/** A file to be replaced, with what it must still hold for that. */
export interface PathEdit {
  /** As people know it: under the repository. */
  readonly name: string;
  readonly path: string;
  /** Made when the file is new. */
  readonly folder: string;
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array;
}

export interface PathEdits {
  readonly edits: readonly PathEdit[];
  readonly problems: readonly FileProblem[];
}

/** The files of a plan as they are now. */
export type PlanFilesRead =
  | { readonly isReadable: false; readonly problems: readonly FileProblem[] }
  | {
      readonly isReadable: true;
      readonly format: PlanFormat;
      readonly files: PlanText;
      readonly problems: readonly FileProblem[];
      readonly placeOf: (name: string) => Pick<PathEdit, "name" | "path" | "folder">;
    };

const MAX_COMPANION_BYTES = 16 * 1024 * 1024;

export function readPlanFiles(ports: Ports, key: string, formatName: string): PlanFilesRead {
  const location = ports.plans.find(key);
  // A plan without a file has nothing to show; `doctor` tells of it.
  if (location.path === undefined) return { isReadable: false, problems: [] };
  const format = formatNamed(formatName);
  const content = ports.plans.read(location);
  const text = content.folder ? foldFolder(content.folder) : utf8Text(content.bytes);
  if (!format || text === undefined)
    return { isReadable: false, problems: [{ name: key, message: "it is no longer a readable plan" }] };
  const placeOf = placesIn(key, location.path, content);
  const { companions, problems } =
    content.file === undefined
      ? { companions: undefined, problems: [] }
      : readCompanions(ports, placeOf, format);
  // What lies beside the plan and cannot be kept must not keep the plan itself from being followed.
  return {
    isReadable: true,
    format,
    files: { text, companions: problems.length > 0 ? undefined : companions },
    problems,
    placeOf,
  };
}

/** What has to be written to which files so that they show the progress of the store. */
export function editsOf(
  { format, files, placeOf, problems: known }: PlanFilesRead & { isReadable: true },
  progress: PlanProgress,
): PathEdits {
  const { edits, problems } = writePlan(format, files, progress);
  return {
    edits: edits.map(({ name, before, after }) => ({
      ...placeOf(name),
      before: before === undefined ? undefined : Buffer.from(before),
      after: Buffer.from(after),
    })),
    problems: [...known, ...problems.map(({ name, message }) => ({ name: placeOf(name).name, message }))],
  };
}

/** Where the files of a plan lie: beside the plan file, or in the folder that the plan is. */
function placesIn(key: string, path: string, { isFolder = false, file: planFile }: PlanContent) {
  const isBelow = isFolder || planFile !== undefined;
  const base = isBelow ? path : folderOf(path);
  return (name: string) => {
    const file = name === "" ? planFile : name;
    const full = file === undefined ? path : `${base}/${file}`;
    const shown = file === undefined ? key : isBelow ? `${key}/${file}` : siblingOf(key, file);
    return { name: shown, path: full, folder: folderOf(full) };
  };
}

const siblingOf = (key: string, file: string): string =>
  key.includes("/") ? `${folderOf(key)}/${file}` : file;

const folderOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf("/"), 0)) || "/";

/** Only what really lies in the folder: through a link Pawl would write somewhere else. */
function readCompanions(
  ports: Ports,
  placeOf: (name: string) => { readonly name: string; readonly path: string },
  { writer }: PlanFormat,
) {
  const companions = new Map<string, string>();
  const problems: FileProblem[] = [];
  for (const name of writer?.companions ?? []) {
    try {
      const { path } = placeOf(name);
      const text = companionText(ports, path.slice(0, -name.length - 1), name);
      if (text !== undefined) companions.set(name, text);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      problems.push({ name: placeOf(name).name, message: error.message });
    }
  }
  return { companions, problems };
}

function companionText({ files }: Ports, folder: string, name: string): string | undefined {
  let path = folder;
  const parts = name.split("/");
  for (const [index, part] of parts.entries()) {
    const entry = files.list(path)?.find((one) => one.name === part);
    path = `${path}/${part}`;
    if (!entry) return undefined;
    const expected = index === parts.length - 1 ? "file" : "folder";
    if (entry.kind !== expected)
      throw new Failure("plan/not-a-file", `${path} is a ${entry.kind}, not a ${expected}`, { path });
  }
  const text = files.readText(path, MAX_COMPANION_BYTES);
  if (text === undefined) throw new Failure("plan/invalid", `${path} is no UTF-8 text`, { path });
  return text;
}
