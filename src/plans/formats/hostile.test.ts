import { describe, expect, it } from "vitest";
import { SEEDS, sourceOf } from "../../../test/support/plan-seeds.ts";
import { progressOf } from "../../../test/support/progress.ts";
import { type Random, seededRandom } from "../../../test/support/random.ts";
import { flatten } from "../../domain/plan.ts";
import type { StepStatus } from "../../domain/step-machine.ts";
import { accountOf } from "./account.ts";
import { FORMATS } from "./formats.ts";
import { Failure } from "../../domain/errors.ts";
import { utf8Text } from "./plan-source.ts";
import { parsePlan } from "./read-plan.ts";
import { writePlan } from "./write-plan.ts";

const PIECES = [
  '"__proto__": {"x": 1}, ',
  "[".repeat(3000),
  "9".repeat(400),
  "\ufeff",
  "- [ ] T001 again\n",
  "\n```\n",
  "\r",
  "\u0000",
  "{",
  '"',
  "- [",
  "](",
  "#".repeat(7),
];

function mutate(seed: string, random: Random): Uint8Array {
  let bytes = Buffer.from(seed);
  for (let left = 1 + random.below(4); left > 0; left -= 1) {
    const at = random.below(bytes.length + 1);
    const end = Math.min(bytes.length, at + random.below(120));
    const [head, cut, tail] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)];
    const piece = Buffer.from(random.pick(PIECES));
    const flipped = Buffer.from(
      cut.map((byte, index) => (index === 0 ? byte ^ (1 << random.below(8)) : byte)),
    );
    const ways = [
      [head, flipped, tail],
      [head],
      [head, tail],
      [head, cut, cut, tail],
      [head, piece, cut, tail],
    ];
    bytes = Buffer.concat(random.pick(ways));
  }
  return bytes;
}

/** A sample each time; all of them with `PAWL_FUZZ=10000`. */
const COUNT = Number(process.env["PAWL_FUZZ"] ?? 2000);

const STATUSES: readonly StepStatus[] = ["pending", "in_progress", "completed", "blocked", "on_hold"];

/** Work that no worker holds becomes pending in these at once, so they may change when they are first read. */
const REWRITES: ReadonlySet<string> = new Set(["implementation-plan", "task-files"]);

describe("broken files", () => {
  it.each(Object.entries(SEEDS))(
    "of the format %s are read or refused, each box and task heading once, quickly",
    (name, seed) => {
      const format = FORMATS.find((one) => one.name === name)!;
      const random = seededRandom(20_261_115);
      let read = 0;
      let written = 0;
      let slowest = 0;
      const heapBefore = process.memoryUsage().heapUsed;
      for (let count = 0; count < COUNT; count += 1) {
        const bytes = mutate(seed, random);
        const text = utf8Text(bytes);
        if (text === undefined) {
          // What is no text is refused in words; in a folder it is one file that is skipped.
          expect(() => parsePlan(bytes, "plan.md")).toThrow(Failure);
          continue;
        }
        const source = sourceOf(format, text);
        const before = process.cpuUsage();
        const plan = format.read(source);
        slowest = Math.max(slowest, process.cpuUsage(before).user / 1000);
        read += 1;
        for (const { line, column } of plan.diagnostics)
          if (line < 1 || column < 1) throw new Error(`no place in ${text}`);
        const { unread, twice } = accountOf(source, plan);
        if (unread.length + twice.length > 0)
          throw new Error(`lines ${unread.join()} unread, ${twice.join()} twice: ${JSON.stringify(text)}`);
        if (count % 5 === 1 && JSON.stringify(plan) !== JSON.stringify(format.read(source)))
          throw new Error(`another reading the second time: ${JSON.stringify(text)}`);
        if (count % 5 === 2 && !REWRITES.has(name)) {
          const { edits } = writePlan(format, { text: source, companions: undefined }, progressOf(plan));
          if (edits.length > 0) throw new Error(`written although nothing was done: ${JSON.stringify(text)}`);
        }
        if (count % 5 > 0 || plan.diagnostics.some(({ severity }) => severity === "error")) continue;
        const changes = flatten(plan).map(
          ({ step }) => [step.anchor, { status: random.pick(STATUSES) }] as const,
        );
        const { problems } = writePlan(
          format,
          { text: source, companions: undefined },
          progressOf(plan, Object.fromEntries(changes)),
        );
        if (problems.length > 0) throw new Error(`${problems[0]!.message}: ${JSON.stringify(text)}`);
        written += 1;
      }
      expect(read).toBeGreaterThan(COUNT * 0.7);
      // A list of records rarely survives a cut as JSON.
      expect(written).toBeGreaterThan(COUNT / 1000);
      // Others may have been at work in this process before.
      expect(process.memoryUsage().heapUsed - heapBefore).toBeLessThan(256 * 1024 * 1024);
      expect(slowest).toBeLessThan(2000);
      expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
    },
    20_000 + COUNT * 10,
  );
});
