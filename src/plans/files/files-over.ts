import type { Files, FolderEntry } from "../../platform/ports/index.ts";
import { Failure } from "../../domain/index.ts";

/** Files of the disk with other contents in place of some of them, for who reads a plan. */
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
      const names = new Map((disk.list(folder) ?? []).map((entry) => [entry.name, entry]));
      for (const file of texts.keys()) {
        if (!file.startsWith(`${folder}/`)) continue;
        const [name, ...below] = file.slice(folder.length + 1).split("/");
        names.set(name!, { name: name!, kind: below.length > 0 ? "folder" : "file" } satisfies FolderEntry);
      }
      return [...names.values()];
    },
  };
}
