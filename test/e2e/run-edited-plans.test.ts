import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FORMAT_NAMES, formatKeptBy } from "../../src/plans/formats/format-names.ts";
import { campaign } from "../support/plan-edits/campaign.ts";
import { DOCUMENTS } from "../support/plan-edits/documents.ts";
import { seededRandom } from "../support/random.ts";

/**
 * Random edits of plans in all formats, during and between runs of three workers that are killed.
 *
 * At its end each plan is compared with a second repository that has its last text from the start.
 *
 * `PAWL_EDIT_ROUNDS` sets how many runs each plan is edited in, `PAWL_SEED` the first of `PAWL_EDIT_PLANS` seeds, and
 * `PAWL_EDIT_KEEP` a folder for what happened, and for repositories in which something is wrong.
 */
const ROUNDS = Number(process.env["PAWL_EDIT_ROUNDS"] ?? 1);
const SEED = Number(process.env["PAWL_SEED"] ?? 1);
const PLANS = Number(process.env["PAWL_EDIT_PLANS"] ?? 1);
const KEEP = process.env["PAWL_EDIT_KEEP"];

const seeds = Array.from({ length: PLANS }, (_, index) => SEED + index);

it("every format that can be run is edited", () => {
  const runnable = FORMAT_NAMES.filter((name) => formatKeptBy(name) === undefined);
  expect([...new Set(DOCUMENTS.map(({ format }) => format))].toSorted()).toEqual(runnable.toSorted());
});

describe.each(seeds)("an edited plan ends as if it had its last text from the start (seed %d):", (seed) => {
  it.each(DOCUMENTS)("$name", { timeout: 60_000 + ROUNDS * 60_000 }, async (document) => {
    const random = seededRandom(seed * 7919 + DOCUMENTS.indexOf(document));
    const { faults, edits, kills, story, shop } = await campaign({
      document,
      random,
      rounds: ROUNDS,
      editsPerRound: ROUNDS === 1 ? 4 : 8,
    });
    if (KEEP !== undefined) {
      const folder = join(KEEP, `${document.name.replaceAll(" ", "-")}-${seed}`);
      if (faults.length > 0) cpSync(shop.path("."), folder, { recursive: true, verbatimSymlinks: true });
      writeFileSync(
        `${folder}.txt`,
        [`${edits} edits, kills: ${JSON.stringify(kills)}`, ...faults, "", ...story].join("\n"),
      );
    }
    expect(faults).toEqual([]);
  });
});
