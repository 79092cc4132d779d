// Walls and doors of the rooms of src/. Part of `npm run lint`.
//
// Rooms depend in one direction, also through types and `await import`, and a room is entered by its index.ts alone.
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { importsBetweenRooms, isUp, namesAtDoors, roomOf, ROOMS } from "./rooms.mjs";

const root = process.argv[2] ? resolve(process.argv[2]) : fileURLToPath(new URL("..", import.meta.url));
const { files, imports } = importsBetweenRooms(root);
const hasDoor = (room) => !room.startsWith("(");

const problems = [
  ...[...new Set(files.map(roomOf))]
    .filter((room) => !ROOMS.includes(room))
    .map((room) => `src/${room} is not a room: name it in scripts/rooms.mjs.`),
  ...imports
    .filter(({ from, to }) => isUp(from, to))
    .map(({ from, to, file, target }) => `src/${file} imports src/${target}: ${from} may not import ${to}.`),
  ...imports
    .filter(({ to, target }) => hasDoor(to) && target !== `${to}/index.ts`)
    .map(({ to, file, target }) => `src/${file} imports src/${target} past the door src/${to}/index.ts.`),
  ...namesAtDoors(root)
    .filter(({ isUsed }) => !isUsed)
    .map(({ door, name }) => `src/${door} exports ${name}, which no other room imports.`),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
