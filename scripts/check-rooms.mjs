// Walls between the rooms of src/: which room may import which. Part of `npm run lint`.
//
// Rooms depend in one direction, also through types and `await import`. What still breaks that is counted in
// rooms-to-untangle.json, which may only shrink.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root =
  process.argv[2] && !process.argv[2].startsWith("--")
    ? resolve(process.argv[2])
    : fileURLToPath(new URL("..", import.meta.url));
const src = join(root, "src");

/** From the lowest to the highest: each may import itself and what stands before it. */
const ROOMS = [
  "domain",
  "platform",
  "plans/formats",
  "recovery/rules",
  "journal",
  "plans",
  "sessions",
  "steps",
  "store",
  "commits",
  "claims",
  "worktrees",
  "verification",
  "snapshots",
  "agents",
  "runs",
  "recovery",
  "views",
  "agent-sessions",
  "verbs",
  "(api)",
  "cli",
  "mcp",
  "web",
  "(processes)",
];

/** What lies beside the rooms: the table of verbs and what it is made of; everything else there is a process. */
const API = new Set(["compose.ts", "pawl.ts", "step-beat.ts"]);

/** Interfaces stand side by side. */
const APART = new Set(["cli", "mcp", "web"]);

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g;

function roomOf(file) {
  const path = relative(src, file);
  if (!path.includes("/")) return API.has(path) ? "(api)" : "(processes)";
  const [room, inner] = path.split("/");
  return ROOMS.includes(`${room}/${inner}`) ? `${room}/${inner}` : room;
}

const files = readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
  .map((name) => join(src, name));

const unknown = [...new Set(files.map(roomOf))].filter((room) => !ROOMS.includes(room));
const found = new Map();
for (const file of files)
  for (const [, path] of readFileSync(file, "utf8").matchAll(IMPORT)) {
    const target = resolve(dirname(file), path);
    if (!target.startsWith(`${src}/`) || !existsSync(target)) continue;
    const [from, to] = [roomOf(file), roomOf(target)];
    if (from === to) continue;
    const isUp = ROOMS.indexOf(to) > ROOMS.indexOf(from) || (APART.has(from) && APART.has(to));
    if (!isUp) continue;
    const wall = `${from} -> ${to}`;
    found.set(wall, [
      ...(found.get(wall) ?? []),
      `${relative(root, file)} imports ${relative(root, target)}`,
    ]);
  }

const listFile = join(root, "scripts/rooms-to-untangle.json");
const counts = Object.fromEntries(
  [...found].toSorted(([a], [b]) => a.localeCompare(b)).map(([wall, edges]) => [wall, edges.length]),
);
if (process.argv.includes("--write")) writeFileSync(listFile, `${JSON.stringify(counts, undefined, 2)}\n`);
const known = JSON.parse(readFileSync(listFile, "utf8"));
const problems = [
  ...unknown.map((room) => `src/${room} is no room: name it in scripts/check-rooms.mjs.`),
  ...Object.entries(counts)
    .filter(([wall, count]) => count > (known[wall] ?? 0))
    .flatMap(([wall, count]) => [
      `${wall}: ${count} imports go up, ${known[wall] ?? 0} are known:`,
      ...found.get(wall).map((edge) => `  ${edge}`),
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
