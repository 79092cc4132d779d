// Sees through the doors of rooms: an import from a room's index.ts is one from the file behind it.
//
// Doors are for readers and for the lint. To the bundler each would be a file that needs every other file of its room,
// and the part of the program that a claim loads would have all of them.
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, relative, resolve } from "node:path";

const NAMED = /^(import|export)( type)? \{([^}]*)\} from "(\.[^"]+)";$/gm;
const LOADER = /^export const (load\w+) = \(\) => import\("(\.[^"]+)"\);$/gm;
const LAZY = /\bimport\(\s*"(\.[^"]+)",?\s*\)/g;
const DOOR = "// The door of this room";

export const isDoor = (path) =>
  basename(path) === "index.ts" && existsSync(path) && readFileSync(path, "utf8").startsWith(DOOR);

/** A plugin of the bundler. */
export function throughDoors() {
  const doors = new Map();
  return {
    name: "through-doors",
    transform(code, id) {
      if (!id.endsWith(".ts") || isDoor(id)) return null;
      const loaders = new Map();
      const direct = code.replaceAll(NAMED, (statement, verb, type, names, path) => {
        const door = resolve(dirname(id), path);
        if (type || !isDoor(door)) return statement;
        if (!doors.has(door)) doors.set(door, behind(door));
        return valuesOf(names)
          .map((name) => {
            const target = doors.get(door).get(name.split(" ")[0]);
            if (!target) throw new Error(`${id}: ${name} is not at the door ${door}`);
            if (!target.isLazy) return `${verb} { ${name} } from "${pathFrom(id, target.file)}";`;
            loaders.set(name, `import("${pathFrom(id, target.file)}")`);
            return "";
          })
          .join("");
      });
      return [...loaders].reduce(
        (text, [name, load]) =>
          text
            .replaceAll(new RegExp(`\\b${name}\\(\\)`, "g"), load)
            .replaceAll(new RegExp(`\\b${name}\\b`, "g"), `(() => ${load})`),
        direct,
      );
    },
  };
}

/**
 * The values that a file imports, each with the file it comes from, with no door in between. What is loaded lazily has the
 * name of its loader at the door, or `import`, and stands for all that its file exports.
 */
export function namesFromImports(file, text = readFileSync(file, "utf8")) {
  const named = [...text.matchAll(NAMED)].flatMap(([, , type, names, path]) => {
    const target = resolve(dirname(file), path);
    const door = isDoor(target) ? behind(target) : undefined;
    if (type) return [];
    return valuesOf(names).flatMap((name) => {
      const [from, as = from] = name.split(" as ");
      const found = door ? door.get(from) : { file: target, isLazy: false };
      return found ? [{ name: as, ...found }] : [];
    });
  });
  const lazy = [...text.matchAll(LAZY)].map(([, path]) => ({
    name: "import",
    file: resolve(dirname(file), path),
    isLazy: true,
  }));
  return [...named, ...lazy];
}

/** What stands at a door: each name with the file that it comes from. */
function behind(door) {
  const text = readFileSync(door, "utf8");
  const file = (path) => resolve(dirname(door), path);
  return new Map([
    ...[...text.matchAll(NAMED)].flatMap(([, , , names, path]) =>
      namesOf(names).map((name) => [name.replace(/^type /, ""), { file: file(path), isLazy: false }]),
    ),
    ...[...text.matchAll(LOADER)].map(([, name, path]) => [name, { file: file(path), isLazy: true }]),
  ]);
}

const namesOf = (list) =>
  list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");

const valuesOf = (list) => namesOf(list).filter((name) => !name.startsWith("type "));

function pathFrom(id, file) {
  const path = relative(dirname(id), file);
  return path.startsWith(".") ? path : `./${path}`;
}
