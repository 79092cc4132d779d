import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { whyNot } from "./power-disk.ts";
import { powerRounds, type CutRecord } from "./power-rounds.ts";
import { SCENES, type SceneName } from "./power-scenes.ts";

/** The long programme of power cuts: every cut is one line of JSON, and the summary counts broken promises. */

const { values } = parseArgs({
  options: {
    cuts: { type: "string", default: "500" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    jobs: { type: "string", default: "2" },
    only: { type: "string", default: Object.keys(SCENES).join(",") },
    log: { type: "string" },
    keep: { type: "string" },
  },
});
const reason = whyNot();
if (values.keep !== undefined) mkdirSync(values.keep, { recursive: true });
if (reason !== undefined) {
  console.log(`Skipped: ${reason}.`);
  process.exit(0);
}
const root = process.env["PAWL_TEST_ROOT"] ?? process.cwd();
const folder = realpathSync(mkdtempSync(join(tmpdir(), "pawl-power-")));
const log = values.log ?? join(tmpdir(), `pawl-power-${values.seed}.jsonl`);
const cuts = Number(values.cuts);
const records: CutRecord[] = [];
let isStopped = false;
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    isStopped = true;
  });

function note(record: CutRecord): number {
  records.push(record);
  appendFileSync(log, `${JSON.stringify(record)}\n`);
  const says = record.broken.map(({ promise, says }) => `  ${promise}: ${says.split("\n")[0]}`);
  if (says.length > 0)
    console.log(
      [
        `cut ${records.length}: ${record.scene}, ${record.habit}, ${record.cut}, ${record.mount}, after ${record.atMs} ms`,
        ...says,
      ].join("\n"),
    );
  else if (records.length % 25 === 0) console.log(`${records.length} cuts`);
  return records.length;
}

console.log(`${cuts} cuts, seed ${values.seed}, recorded in ${log}`);
const begunAt = performance.now();
try {
  await Promise.all(
    Array.from({ length: Number(values.jobs) }, (_, job) =>
      powerRounds({
        folder: join(folder, `job-${job}`),
        root,
        seed: Number(values.seed) * 100 + job,
        scenes: values.only.split(",") as SceneName[],
        isOver: () => isStopped || records.length >= cuts,
        note,
        keep: values.keep,
      }),
    ),
  );
} catch (error) {
  // What broke it is not hidden by a disk that cannot be removed because of it.
  console.error(error);
  process.exitCode = 1;
} finally {
  if (process.exitCode === undefined) rmSync(folder, { recursive: true, force: true });
}

/** How often each name occurs, with how many of them broke a promise. */
function counted(key: "scene" | "habit" | "mount" | "cut"): string {
  const names = [...new Set(records.map((record) => record[key]))];
  return names
    .map((name) => {
      const list = records.filter((record) => record[key] === name);
      const bad = list.filter(({ broken }) => broken.length > 0).length;
      return `${name} ${list.length}${bad === 0 ? "" : ` (${bad} broken)`}`;
    })
    .join(", ");
}

const hit = records.filter(({ broken }) => broken.length > 0);
const minutes = Math.round((performance.now() - begunAt) / 60_000);
console.log(`${records.length} cuts in ${minutes} min: ${counted("scene")}`);
console.log(`agents: ${counted("habit")}; mounts: ${counted("mount")}; flushed before: ${counted("cut")}`);
console.log(
  `${records.filter(({ damaged }) => damaged).length} cuts left damaged objects; ${hit.length} broke a promise`,
);
for (const name of new Set(hit.flatMap(({ broken }) => broken.map(({ promise }) => promise))))
  console.log(
    `  ${name}: ${hit.filter(({ broken }) => broken.some(({ promise }) => promise === name)).length}`,
  );
process.exitCode ??= hit.length === 0 ? 0 : 1;
