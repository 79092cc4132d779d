// Walls between the rooms of src/: which room may import which. Part of `npm run lint`.
//
// Rooms depend in one direction, also through types and `await import`. What still breaks that is counted in
// rooms-to-untangle.json, which may only shrink.
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { importsBetweenRooms, isUp, roomOf, ROOMS } from "./rooms.mjs";

const root =
  process.argv[2] && !process.argv[2].startsWith("--")
    ? resolve(process.argv[2])
    : fileURLToPath(new URL("..", import.meta.url));
const { files, imports } = importsBetweenRooms(root);
const unknown = [...new Set(files.map(roomOf))].filter((room) => !ROOMS.includes(room));
const found = groupBy(
  imports.filter(({ from, to }) => isUp(from, to)),
  ({ from, to }) => `${from} -> ${to}`,
);

const listFile = join(root, "scripts/rooms-to-untangle.json");
const counts = Object.fromEntries(
  [...found].toSorted(([a], [b]) => a.localeCompare(b)).map(([wall, edges]) => [wall, edges.length]),
);
if (process.argv.includes("--write")) writeFileSync(listFile, `${JSON.stringify(counts, undefined, 2)}\n`);
const known = JSON.parse(readFileSync(listFile, "utf8"));
const problems = [
  ...unknown.map((room) => `src/${room} is no room: name it in scripts/rooms.mjs.`),
  ...Object.entries(counts)
    .filter(([wall, count]) => count > (known[wall] ?? 0))
    .flatMap(([wall, count]) => [
      `${wall}: ${count} imports go up, ${known[wall] ?? 0} are known:`,
      ...found.get(wall).map(({ file, target }) => `  src/${file} imports src/${target}`),
    ]),
  ...Object.entries(known)
    .filter(([wall, count]) => count > (counts[wall] ?? 0))
    .map(
      ([wall, count]) =>
        `${wall}: only ${counts[wall] ?? 0} of ${count} are left: write that into rooms-to-untangle.json.`,
    ),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);

function groupBy(values, keyOf) {
  const groups = new Map();
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return groups;
}
