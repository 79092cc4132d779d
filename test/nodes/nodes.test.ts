import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { wholeTrip } from "../support/whole-trip.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };

let home: string;
let tarball: string;

beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "pawl-nodes-")));
  const told = execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", home], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  tarball = join(home, (JSON.parse(told) as [{ filename: string }])[0].filename);
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Node itself comes from npm too, one package for each platform; the package is installed as people install it. */
function install(major: string): { readonly node: string; readonly pawl: string } {
  const folder = join(home, major);
  const npm = (...args: readonly string[]) =>
    execFileSync("npm", [...args, "--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts"], {
      stdio: ["ignore", "ignore", "inherit"],
    });
  const name = `node-${process.platform}-${process.arch}`;
  npm("install", `${name}@${major}`);
  npm("install", "--global", tarball);
  return {
    node: join(folder, "node_modules", name, "bin/node"),
    pawl: join(folder, "lib/node_modules/pawl/dist/pawl.cjs"),
  };
}

describe.each(["20", "22", "24", "26"])("on Node %s", (major) => {
  it("the package installs, and takes a plan through a run, a kill and a resume", async () => {
    const { node, pawl } = install(major);
    const says = (...args: readonly string[]) => execFileSync(node, args, { encoding: "utf8" }).trim();
    expect(says("--version")).toMatch(new RegExp(`^v${major}\\.`));
    expect(says(pawl, "--version")).toBe(`pawl ${version}`);
    const library = JSON.stringify(join(pawl, "../index.js"));
    expect(says("--input-type=module", "-e", `console.log(typeof (await import(${library})).openPawl)`)).toBe(
      "function",
    );
    expect(await wholeTrip(node, pawl)).toBe(4);
  });
});
