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
import { isMountUnbroken, recordMount } from "../../src/platform/git/snapshots/mount-record.ts";
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

// proves G-power-cut-keeps-answers
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

    it("are distinguished from kills: the same disk, mounted again, is another mount", async () => {
      const disk = powerDisk(folder());
      onTestFinished(() => disk.discard());
      disk.format();
      disk.mount("defaults");
      const place = { gitDir: disk.path, path: disk.path };
      recordMount(place);
      expect(isMountUnbroken(place)).toBe(true);
      await (
        await disk.arm("flushed")
      )();
      await disk.unmount();
      disk.mount("defaults");
      expect(existsSync(join(disk.path, "pawl-mount"))).toBe(true);
      expect(isMountUnbroken(place)).toBe(false);
      recordMount(place);
      expect(isMountUnbroken(place)).toBe(true);
    });

    it.each([
      ["the removal of a worktree", "remove"],
      ["a run", "run"],
    ] as const)("under %s lose nothing that was on the disk", async (_, scene) => {
      const records: CutRecord[] = [];
      await powerRounds({
        folder: join(folder(), "site"),
        root: join(PAWL, "../.."),
        seed: 3,
        scenes: [scene],
        isOver: () => records.length >= 3,
        note: (record) => records.push(record),
      });
      expect(records.flatMap(({ broken }) => broken)).toEqual([]);
      // A run that was cut is resumed, and cut again now and then.
      expect(records.length).toBeGreaterThanOrEqual(3);
    });
  },
);
