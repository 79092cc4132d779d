import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { wholeTrip } from "../support/whole-trip.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { version, dependencies, scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  version: string;
  dependencies: Record<string, string>;
  scripts: Record<string, string>;
};

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

let home: string;
let packed: Packed;
/** As npm installs it: the package, and beside it what it depends on. */
let bin: string;

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "pawl-package-"));
  const told = execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", home], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  packed = (JSON.parse(told) as [Packed])[0];
  const modules = join(home, "lib/node_modules");
  mkdirSync(modules, { recursive: true });
  execFileSync("tar", ["-xzf", join(home, packed.filename), "-C", home]);
  execFileSync("mv", [join(home, "package"), join(modules, "pawl")]);
  for (const name of Object.keys(dependencies)) {
    mkdirSync(join(modules, name, ".."), { recursive: true });
    symlinkSync(join(root, "node_modules", name), join(modules, name));
  }
  bin = join(modules, "pawl/dist/pawl.cjs");
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

describe("the package", () => {
  it("has what people need, and nothing of how it is made", () => {
    const paths = packed.files.map(({ path }) => path);
    for (const path of [
      "dist/pawl.cjs",
      "dist/index.js",
      "dist/types/index.d.ts",
      "docs/pawl.1",
      "README.md",
      "LICENSE",
      "CHANGELOG.md",
    ])
      expect(paths).toContain(path);
    const strange = paths.filter(
      (path) =>
        !/^(?:dist|docs|plugin|\.claude-plugin)\/|^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md)$/.test(
          path,
        ),
    );
    expect(strange).toEqual([]);
    expect(paths.filter((path) => /\.test\.|node_modules|\.tsbuildinfo/.test(path))).toEqual([]);
    expect(packed.size).toBeLessThan(4 * 1024 * 1024);
  });

  it("runs nothing when it is installed", () => {
    for (const name of ["preinstall", "install", "postinstall", "prepare"])
      expect(scripts).not.toHaveProperty(name);
    const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
      packages: Record<string, { hasInstallScript?: boolean; dev?: boolean }>;
    };
    const running = Object.keys(packages).filter(
      (name) => packages[name]?.hasInstallScript && !packages[name].dev,
    );
    // The driver's script only looks for the prebuilt file, which is found without it too: `.npmrc` here says so.
    expect(running).toEqual(["node_modules/@photostructure/sqlite"]);
    expect(readFileSync(join(root, ".npmrc"), "utf8")).toContain("ignore-scripts=true");
  });

  it("says its version, and is a library with types", () => {
    expect(execFileSync(process.execPath, [bin, "--version"], { encoding: "utf8" })).toBe(
      `pawl ${version}\n`,
    );
    const program = join(home, "lib/use.mjs");
    writeFileSync(program, 'import { openPawl } from "pawl"; console.log(typeof openPawl);');
    expect(execFileSync(process.execPath, [program], { encoding: "utf8" })).toBe("function\n");
  });

  it("takes a plan through a run, a kill and a resume", async () => {
    expect(await wholeTrip(process.execPath, bin)).toBe(4);
  });
});
