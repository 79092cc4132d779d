import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { PAWL } from "../support/cli.ts";
import { powerDisk, whyNot } from "../power/power-disk.ts";
import { type CutRecord, powerRounds } from "../power/power-rounds.ts";

/** A few cuts of the long programme, so that it is known to work. `npm run test:power` makes hundreds. */

const reason = whyNot();

function folder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "pawl-power-")));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

describe.skipIf(reason !== undefined)(
  `power cuts${reason === undefined ? "" : ` (skipped: ${reason})`}`,
  () => {
    it("lose what was never flushed, and keep what was", async () => {
      const disk = powerDisk(folder());
      onTestFinished(() => disk.discard());
      disk.format();
      disk.mount("commit=60");
      writeFileSync(join(disk.path, "loose"), "loose");
      const file = openSync(join(disk.path, "flushed"), "w");
      writeFileSync(file, "flushed");
      fsyncSync(file);
      closeSync(file);
      const fire = await disk.arm("nothing");
      await fire();
      await disk.unmount();
      disk.mount("commit=60");
      expect(readFileSync(join(disk.path, "flushed"), "utf8")).toBe("flushed");
      const loose = join(disk.path, "loose");
      expect(existsSync(loose) ? readFileSync(loose, "utf8") : "").toBe("");
    });

    it("under the removal of a worktree lose nothing that was on the disk", async () => {
      const records: CutRecord[] = [];
      await powerRounds({
        folder: join(folder(), "site"),
        root: join(PAWL, "../.."),
        seed: 3,
        scenes: ["remove"],
        isOver: () => records.length >= 3,
        note: (record) => records.push(record),
      });
      expect(records.flatMap(({ broken }) => broken)).toEqual([]);
      expect(records).toHaveLength(3);
    });
  },
);
