import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

interface Locked {
  version?: string;
  resolved?: string;
  integrity?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  os?: string[];
}

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), "utf8")) as unknown;
const { packages } = read("package-lock.json") as { packages: Record<string, Locked> };
const manifest = read("package.json") as Locked;

/** Where Node would find a package that another one needs: beside it, or in a folder above. */
function locked(needer: string, name: string): Locked | undefined {
  for (let folder = needer; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    const found = packages[`${folder === "" ? "" : `${folder}/`}node_modules/${name}`];
    if (found || folder === "") return found;
  }
}

function missingFrom(kind: "dependencies" | "optionalDependencies") {
  return Object.entries(packages).flatMap(([path, needs]) =>
    Object.keys(needs[kind] ?? {})
      .filter((name) => !locked(path, name))
      .map((name) => `${path} needs ${name}`),
  );
}

describe("the lock file", () => {
  // npm ci refuses a lock file with a gap, even where the missing package is for another platform.
  it("has every package that another one needs, for every platform", () => {
    expect([...missingFrom("dependencies"), ...missingFrom("optionalDependencies")]).toEqual([]);
  });

  it.each(["linux", "darwin", "win32"])("has the native tools for %s", (os) => {
    const native = Object.entries(packages).flatMap(([path, { os: systems }]) =>
      systems?.includes(os) ? [path] : [],
    );
    for (const tool of ["@oxlint/", "@oxfmt/", "@oxlint-tsgolint/", "@rolldown/", "@typescript/"])
      expect(
        native.some((path) => path.startsWith(`node_modules/${tool}`)),
        tool,
      ).toBe(true);
  });

  it("has a checksum for each package and names no registry", () => {
    const packaged = Object.entries(packages).filter(([path]) => path !== "");
    expect(packaged.filter(([, { integrity }]) => !integrity?.startsWith("sha512-"))).toEqual([]);
    expect(packaged.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });

  it("has exactly the versions that package.json names, without ranges", () => {
    for (const kind of ["dependencies", "devDependencies"] as const)
      for (const [name, version] of Object.entries(manifest[kind] ?? {})) {
        expect(version, name).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
        expect(packages[`node_modules/${name}`]?.version, name).toBe(version);
      }
    expect(packages[""]?.dependencies).toEqual(manifest.dependencies);
    expect(packages[""]?.devDependencies).toEqual(manifest.devDependencies);
  });
});
