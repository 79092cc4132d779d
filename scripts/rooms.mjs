// The rooms of src/, from the lowest to the highest: each may import itself and what stands before it.
// check-rooms.mjs keeps the walls between them, print-docs.mjs draws them in docs/architecture.md.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

/** A room inside another one, such as `plans/formats`, is a room of its own. */
export const ROOM_SUBJECTS = {
  domain:
    "words and laws, pure: instants, the tables of errors and of the step machine, claims; imports nothing",
  "platform/ports": "what the outside must offer: one port per file",
  platform: "small helpers: rows and statements, sleeping, one call at a time, flushing paths",
  "platform/json": "a JSON reader that keeps positions",
  "platform/migrations": "the schema, one numbered step per file",
  "platform/git": "git behind its ports; hand-written readers only where a process would be felt",
  "platform/os": "files, processes, clock, keys, heartbeats, supervised children",
  "platform/config": "reading `pawl.toml`",
  "platform/sqlite": "the embedded store, lifelines and locks",
  "platform/postgres": "the shared store",
  "plans/formats": "one plan format = one file with its folder, reader and writer; the table of diagnostics",
  "recovery/rules": "one situation that needs something done = one pure file; the table of rules",
  journal: "the events that every room appends, answers that repeat for the same request",
  plans: "read, save, reload, write progress back, show, remove",
  sessions: "open, heartbeat, reap, find, take over what a dead one left",
  steps: "start, update, complete, release, hold, reopen, show",
  store: "make, copy, back up and restore whole databases",
  commits:
    "intent, commit, signature; `land/` moves the plan's branch, `late/` keeps late results, `reconcile/` reads git",
  claims: "claim: choose a step, take it, and what must be there before work begins",
  worktrees: "create, list, use, merge, remove, clean",
  verification: "checks, verdicts, evidence",
  snapshots: "take, show, restore, drop; files that a power cut emptied",
  agents: "how agents are started and understood, one preset = one file; `prompts/`",
  runs: "a run and its workers, one folder per phase of a step",
  recovery: "`observe/` gathers, the rules judge, `repair/` acts; `doctor/`, `gc/`",
  views: "verbs that only read, and read from many rooms: explain, overview, history, timeline, logs",
  "agent-sessions": "a session that an agent holds by itself, over MCP or hooks",
  "(api)": "the table of verbs; `compose.ts` alone knows both ports and adapters",
  cli: "the command line: one file per command",
  mcp: "the Model Context Protocol server: one file per tool",
  web: "the server of the page: one file per route",
  "(processes)": "argv in, exit code out; `reference.ts` prints pages of `docs/`",
};

export const ROOMS = Object.keys(ROOM_SUBJECTS);

/** Interfaces stand side by side: none imports another. */
const APART = new Set(["cli", "mcp", "web"]);

/** What lies beside the rooms and is no process. */
const API = new Set([
  "admission.ts",
  "command-table.ts",
  "api.ts",
  "compose.ts",
  "hook-verbs.ts",
  "step-heartbeat.ts",
  "verb.ts",
]);

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g;

export const isUp = (from, to) =>
  ROOMS.indexOf(to) > ROOMS.indexOf(from) || (APART.has(from) && APART.has(to));

/** The deepest room that a file lies in; a folder that is none is named as it is. */
export function roomOf(path) {
  if (!path.includes("/")) return API.has(path) ? "(api)" : "(processes)";
  const folders = path.split("/").slice(0, -1);
  const rooms = folders.map((_, index) => folders.slice(0, index + 1).join("/"));
  return rooms.findLast((room) => ROOMS.includes(room)) ?? folders[0];
}

/** Every import between two rooms, static, of types or lazy; paths are those below src/. */
export function importsBetweenRooms(root) {
  const src = join(root, "src");
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
  );
  const imports = files.flatMap((file) =>
    [...readFileSync(join(src, file), "utf8").matchAll(IMPORT)].flatMap(([, path]) => {
      const target = relative(src, resolve(dirname(join(src, file)), path));
      if (target.startsWith("..") || !existsSync(join(src, target))) return [];
      const [from, to] = [roomOf(file), roomOf(target)];
      return from === to ? [] : [{ from, to, file, target }];
    }),
  );
  return { files, imports };
}

/** Every name that a door exports, and whether anything outside of its room imports it. */
export function namesAtDoors(root) {
  const src = join(root, "src");
  const { imports } = importsBetweenRooms(root);
  const used = new Set(
    [...new Set(imports.map(({ file }) => file))].flatMap((file) =>
      [...readFileSync(join(src, file), "utf8").matchAll(NAMED)].flatMap(([, names, path]) =>
        namesOf(names).map((name) => `${relative(src, resolve(dirname(join(src, file)), path))} ${name}`),
      ),
    ),
  );
  return ROOMS.map((room) => `${room}/index.ts`)
    .filter((door) => existsSync(join(src, door)))
    .flatMap((door) => {
      const text = readFileSync(join(src, door), "utf8");
      const named = [...text.matchAll(NAMED)].flatMap(([, names]) => namesOf(names));
      const lazy = [...text.matchAll(/^export const (\w+)/gm)].map(([, name]) => name);
      return [...named, ...lazy].map((name) => ({ door, name, isUsed: used.has(`${door} ${name}`) }));
    });
}

const NAMED = /^(?:import|export)(?: type)? \{([^}]*)\} from "(\.[^"]+)";$/gm;

/** The names between the braces of an import, by what they are called where they come from. */
const namesOf = (list) =>
  list
    .split(",")
    .map(
      (name) =>
        name
          .trim()
          .replace(/^type /, "")
          .split(" ")[0],
    )
    .filter((name) => name !== "");

/** The table of rooms with what each imports, as it is printed into docs/architecture.md. */
export function roomTable(root) {
  const { imports } = importsBetweenRooms(root);
  const below = (room) =>
    ROOMS.filter((other) => imports.some(({ from, to }) => from === room && to === other));
  return [
    "| room | what is in it | imports |",
    "| --- | --- | --- |",
    ...ROOMS.map((room) => {
      const others = below(room).map((other) => `\`${other}\``);
      return `| \`${room}\` | ${ROOM_SUBJECTS[room]} | ${others.join(", ") || "nothing"} |`;
    }),
  ].join("\n");
}

/** The same as a picture: an arrow only where no longer way says it already. */
export function roomGraph(root) {
  const { imports } = importsBetweenRooms(root);
  const edges = new Map(ROOMS.map((room) => [room, new Set()]));
  for (const { from, to } of imports) if (!isUp(from, to)) edges.get(from)?.add(to);
  const reaches = (from, to) => [...(edges.get(from) ?? [])].some((next) => next === to || reaches(next, to));
  const id = (room) => room.replaceAll(/\W/g, "_");
  const arrows = ROOMS.toReversed().flatMap((room) =>
    [...edges.get(room)]
      .filter((to) => ![...edges.get(room)].some((other) => other !== to && reaches(other, to)))
      .toSorted((a, b) => ROOMS.indexOf(b) - ROOMS.indexOf(a))
      .map((to) => `  ${id(room)} --> ${id(to)}`),
  );
  const nodes = ROOMS.toReversed().map((room) => `  ${id(room)}["${room.replaceAll(/[()]/g, "")}"]`);
  return ["```mermaid", "graph TD", ...nodes, ...arrows, "```"].join("\n");
}
