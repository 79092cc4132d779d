import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SHIPPED } from "./driver.ts";
import { cacheFolder, openUnpacked } from "./unpacked-driver.ts";

const NAME = "sqlite-test.node";
const WHOLE = Buffer.from("a whole driver");

let home: string;
let packed: string;
let beside: string;
let cache: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "pawl-driver-"));
  beside = join(home, "drivers");
  cache = join(home, "cache/pawl");
  mkdirSync(beside);
  packed = join(beside, `${NAME}.br`);
  writeFileSync(packed, brotliCompressSync(WHOLE));
  // Loads what is whole, as the system's own loader does, and says where from.
  vi.spyOn(process, "dlopen").mockImplementation((module, path) => {
    if (Buffer.compare(readFileSync(path), WHOLE) !== 0) throw new Error("file too short");
    (module as { exports: unknown }).exports = path;
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(home, { recursive: true, force: true });
});

const opened = (...folders: readonly (string | undefined)[]) => openUnpacked(packed, NAME, folders);

describe("a driver that is shipped packed", () => {
  it("is unpacked beside the packed one, once, readable for every user of the installation", () => {
    expect(opened(beside, cache)).toBe(join(beside, NAME));
    const { ino, mode } = statSync(join(beside, NAME));
    expect(mode & 0o777).toBe(0o644);
    expect(opened(beside, cache)).toBe(join(beside, NAME));
    expect(statSync(join(beside, NAME)).ino).toBe(ino);
    expect(readdirSync(beside).toSorted()).toEqual([NAME, `${NAME}.br`]);
  });

  it("is unpacked into the user's cache where Pawl's own folder cannot be written", () => {
    // A file where a folder should be: not even root can write below it.
    expect(opened(join(packed, "below"), cache)).toBe(join(cache, NAME));
    expect(statSync(cache).mode & 0o777).toBe(0o700);
    expect(opened(join(packed, "below"), cache)).toBe(join(cache, NAME));
  });

  it("is unpacked again where a copy is damaged", () => {
    writeFileSync(join(beside, NAME), "a whole dri");
    expect(opened(beside, cache)).toBe(join(beside, NAME));
    expect(readFileSync(join(beside, NAME))).toEqual(WHOLE);
  });

  it("names both places and the next step where none can be written", () => {
    const [one, two] = [join(packed, "one"), join(packed, "two")];
    expect(() => opened(one, two)).toThrow(
      expect.objectContaining({
        problem: "store/no-driver",
        message: expect.stringContaining(`${one} or ${two}`) as string,
        hint: expect.stringContaining("Node 24") as string,
      }),
    );
  });

  it("uses the cache folder of the user, and never a temporary one", () => {
    expect(cacheFolder({ HOME: "/home/ada" })).toBe("/home/ada/.cache/pawl");
    expect(cacheFolder({ HOME: "/home/ada", XDG_CACHE_HOME: "/var/cache/ada" })).toBe("/var/cache/ada/pawl");
    expect(cacheFolder({ XDG_CACHE_HOME: "relative" })).toBeUndefined();
    expect(cacheFolder({})).toBeUndefined();
  });
});

describe("the shipped SQLite", () => {
  const root = join(import.meta.dirname, "../../..");

  it("is the version that the project installs", () => {
    const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      devDependencies: Record<string, string>;
    };
    expect(devDependencies["@photostructure/sqlite"]).toBe(SHIPPED);
  });
});
