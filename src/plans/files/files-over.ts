import type { Files, FolderEntry } from "../../platform/ports/index.ts";
import { Failure } from "../../domain/index.ts";

/**
 * Files of the disk with other contents in place of some of them, for who reads a plan.
 *
 * Where one of those is gone from a folder of the disk, a file that only the disk has may be the same one under another
 * name. It is left out: half of a renaming would be the same work twice.
 */
export function filesOver(disk: Files, path: string, texts: ReadonlyMap<string, Uint8Array>): Files {
  const read: Files["read"] = (file, maxBytes) => {
    const bytes = texts.get(file);
    if (bytes === undefined) return disk.read(file, maxBytes);
    if (bytes.length > maxBytes)
      throw new Failure(
        "plan/too-large",
        `${file} has ${bytes.length} bytes; at most ${maxBytes} are read.`,
        {
          path: file,
        },
      );
    return bytes;
  };
  return {
    ...disk,
    read,
    readText(file, maxBytes) {
      if (!texts.has(file)) return disk.readText(file, maxBytes);
      const bytes = read(file, maxBytes);
      if (bytes.includes(0)) return undefined;
      try {
        return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
      } catch {
        return undefined;
      }
    },
    list(folder) {
      if (texts.has(path)) return undefined;
      const lying = disk.list(folder) ?? [];
      const known = [...texts.keys()]
        .filter((file) => file.startsWith(`${folder}/`))
        .map((file): FolderEntry => {
          const [name, ...below] = file.slice(folder.length + 1).split("/");
          return { name: name!, kind: below.length > 0 ? "folder" : "file" };
        });
      const isLying = new Set(lying.map(({ name }) => name));
      const isGone = known.some(({ name, kind }) => kind === "file" && !isLying.has(name));
      const counts = isGone ? lying.filter(({ kind }) => kind !== "file") : lying;
      return [...new Map([...counts, ...known].map((entry) => [entry.name, entry])).values()];
    },
  };
}
