import { execFile, execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { planText } from "../support/plans.ts";
import { cleanEnv, testRepository } from "../support/repository.ts";
import { SCRIPTED_AGENT } from "../support/supervised.ts";
import { wholeTrip } from "../support/whole-trip.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { version, dependencies, devDependencies, scripts } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
) as {
  version: string;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  scripts: Record<string, string>;
};

const DRIVER = `sqlite-${devDependencies["@photostructure/sqlite"]}-${process.platform}-${process.arch}`;

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly mode: number }[];
}

let home: string;
let packed: Packed;
/** As npm installs it: the package, and beside it what it depends on. */
let bin: string;
let installed: string;

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
  installed = join(modules, "pawl");
  bin = join(installed, "dist/pawl.cjs");
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
        !/^(?:dist|docs|drivers|plugin|\.claude-plugin)\/|^(?:package\.json|server\.json|README\.md|LICENSE|CHANGELOG\.md|SECURITY\.md)$/.test(
          path,
        ),
    );
    expect(strange).toEqual([]);
    expect(paths.filter((path) => /\.test\.|node_modules|\.tsbuildinfo|compiled|\.node$/.test(path))).toEqual(
      [],
    );
    expect(packed.size).toBeLessThan(6.5 * 1024 * 1024);
  });

  it("takes at most 12 MB with everything it depends on, in at most 4 packages of its own choice", () => {
    expect(Object.keys(dependencies).length).toBeLessThanOrEqual(4);
    const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
      packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
    };
    const runtime = Object.keys(packages).filter(
      (path) => path !== "" && !packages[path]?.dev && !packages[path]?.devOptional,
    );
    const bytes = (path: string): number =>
      readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
    const total = runtime.reduce((sum, path) => sum + bytes(join(root, path)), packed.unpackedSize);
    expect(total).toBeLessThan(12_000_000);
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
    expect(running).toEqual([]);
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

  it("unpacks its SQLite once where Node has none, for commands that start at the same time", async () => {
    const repository = testRepository();
    onTestFinished(repository.remove);
    // Without what another Pawl on this machine unpacked for its user.
    const at = {
      cwd: repository.path,
      env: cleanEnv({ XDG_CACHE_HOME: join(repository.path, ".git/cache") }),
    };
    rmSync(join(installed, "drivers", `${DRIVER}.node`), { force: true });
    const codes = await Promise.all(
      Array.from(
        { length: 4 },
        () =>
          new Promise((resolve) => {
            execFile(process.execPath, [bin, "init"], at, (error) => resolve(error?.code ?? 0));
          }),
      ),
    );
    expect(codes).toEqual([0, 0, 0, 0]);
    const needed = Number.parseInt(process.versions.node, 10) < 24;
    const unpacked = readdirSync(join(installed, "drivers")).filter((name) => !name.endsWith(".br"));
    expect(unpacked).toEqual(needed ? ["LICENSE", `${DRIVER}.node`] : ["LICENSE"]);
  });

  it("leads wherever its manifest points, in the kind of file that is promised", () => {
    const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as {
      type: string;
      bin: Record<string, string>;
      man: string[];
      files: string[];
      exports: Record<string, string | Record<string, string>>;
    };
    const modes = new Map(packed.files.map(({ path, mode }) => [path, mode]));
    const isPacked = (path: string) => modes.has(posix.normalize(path));
    const targets = Object.values(manifest.exports).flatMap((one) =>
      typeof one === "string" ? [one] : Object.values(one),
    );
    expect(
      [...targets, ...manifest.man, ...Object.values(manifest.bin)].filter((path) => !isPacked(path)),
    ).toEqual([]);
    // A folder or file that is named and matches nothing was moved away.
    for (const name of manifest.files.filter((one) => !/^!|\*/.test(one)))
      expect([...modes.keys()].some((path) => path === name || path.startsWith(`${name}/`))).toBe(true);
    for (const path of Object.values(manifest.bin)) {
      expect(readFileSync(join(installed, path), "utf8").startsWith("#!/usr/bin/env node\n")).toBe(true);
      expect(modes.get(posix.normalize(path))! & 0o111).toBe(0o111);
    }
    // TypeScript takes the first condition that it knows, and `default` ends the search.
    for (const conditions of Object.values(manifest.exports).filter((one) => typeof one !== "string")) {
      expect(Object.keys(conditions)[0]).toBe("types");
      expect(Object.keys(conditions).at(-1)).toBe("default");
    }
    expect(manifest.type).toBe("module");
  });

  it("has every file that its own files import, modules in .js and the rest in .cjs", () => {
    const paths = packed.files.map(({ path }) => path).filter((path) => path.startsWith("dist/"));
    const known = new Set(paths);
    const missing: string[] = [];
    for (const path of paths.filter((one) => /\.(?:js|d\.ts)$/.test(one) && !one.startsWith("dist/page/"))) {
      const text = readFileSync(join(installed, path), "utf8");
      for (const [, target] of text.matchAll(/(?:from|import|import\()\s*["'](\.[^"']+)["']/g)) {
        const named = posix.join(posix.dirname(path), target!);
        const declared = path.endsWith(".d.ts") ? named.replace(/\.ts$/, ".d.ts") : named;
        if (!known.has(named) && !known.has(declared)) missing.push(`${path}: ${target}`);
      }
      if (path.endsWith(".js")) expect(text, path).not.toMatch(/^module\.exports|^exports\./m);
    }
    expect(missing).toEqual([]);
    // Node itself reads each by its ending: a module under .cjs, or the reverse, is an error of syntax.
    for (const path of paths.filter((one) => /^dist\/[^/]+\.c?js$/.test(one)))
      execFileSync(process.execPath, ["--check", join(installed, path)]);
  });

  it.each(["nodenext", "bundler"])(
    "has types that a program compiles against, found as by %s",
    (resolution) => {
      const folder = join(home, "lib", resolution);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
      writeFileSync(
        join(folder, "use.ts"),
        `import { openPawl, Failure, type Pawl } from "pawl";
const pawl: Pawl = await openPawl();
const answer = await pawl.claim({ plan: "plan.md", worktree: "." });
const anchor: string | null = answer.anchor;
// @ts-expect-error -- a claim has no such part
answer.noSuchPart;
export { anchor, Failure };
`,
      );
      const options = {
        module: resolution === "bundler" ? "esnext" : "nodenext",
        moduleResolution: resolution,
      };
      writeFileSync(
        join(folder, "tsconfig.json"),
        JSON.stringify({
          compilerOptions: { ...options, target: "es2022", strict: true, noEmit: true, types: [] },
          files: ["use.ts"],
        }),
      );
      const told = spawnSync(
        process.execPath,
        [join(root, "node_modules/typescript/bin/tsc"), "-p", folder],
        {
          encoding: "utf8",
        },
      );
      expect(told.stdout).toBe("");
      expect(told.status).toBe(0);
    },
  );

  it("is installed and started by the commands of the Containerfile", () => {
    const image = mkdtempSync(join(home, "image-"));
    const repository = testRepository();
    onTestFinished(repository.remove);
    mkdirSync(join(image, "bin"));
    writeFileSync(join(image, "bin/apt-get"), `#!/bin/sh\necho "$@" >> ${image}/apt.log\n`, { mode: 0o755 });
    const env = cleanEnv({
      PATH: `${join(image, "bin")}:${join(image, "npm/bin")}:${process.env["PATH"]}`,
      HOME: image,
      npm_config_prefix: join(image, "npm"),
      npm_config_prefer_offline: "true",
      // Git replaces the file that it writes: with the usual `/dev/null`, root would lose the device.
      GIT_CONFIG_GLOBAL: join(image, ".gitconfig"),
    });
    // What the image has at its root lies in a folder here.
    const here = (text: string) => text.replaceAll(/(?<=\s)\/(?:tmp|var)\//g, (path) => `${image}${path}`);
    for (const folder of ["tmp", "var/lib/apt/lists/old"])
      mkdirSync(join(image, folder), { recursive: true });
    for (const line of readFileSync(join(root, "Containerfile"), "utf8").replaceAll("\\\n", "").split("\n")) {
      const [, word, rest = ""] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
      if (word === "COPY") {
        const [from, to] = rest.split(" ") as [string, string];
        expect(from).toBe("${TARBALL}");
        copyFileSync(join(home, packed.filename), `${image}${to}`);
      }
      if (word === "RUN") execFileSync("sh", ["-ec", here(rest)], { cwd: image, env, stdio: "pipe" });
      if (word === "ENTRYPOINT") {
        const [program, ...args] = JSON.parse(rest) as [string, ...string[]];
        const start = (...more: readonly string[]) =>
          execFileSync(program, [...args, ...more], { cwd: repository.path, env, encoding: "utf8" });
        expect(start("--version")).toBe(`pawl ${version}\n`);
        expect(start("init", "--yes")).toContain("Made the database");
      }
    }
    expect(readFileSync(join(image, "apt.log"), "utf8")).toMatch(/^update\ninstall .*\bgit\b.*\n$/);
    expect(readdirSync(join(image, "var/lib/apt/lists"))).toEqual([]);
    expect(readdirSync(join(image, "tmp"))).toEqual([]);
    expect(readFileSync(join(image, ".gitconfig"), "utf8")).toContain("name = Pawl");
  });

  it("runs a plan through the script of the action, with its answer and a summary for people", () => {
    const repository = testRepository();
    onTestFinished(repository.remove);
    repository.write("plan.md", planText([{ number: "1", tasks: ["dig"] }]));
    repository.git("add", "-A");
    repository.git("commit", "-qm", "The plan");
    const place = mkdtempSync(join(home, "action-"));
    symlinkSync(bin, join(place, "pawl"));
    symlinkSync(SCRIPTED_AGENT, join(place, "claude"));
    const env = cleanEnv({
      PATH: `${place}:${process.env["PATH"]}`,
      GITHUB_OUTPUT: join(place, "output"),
      GITHUB_STEP_SUMMARY: join(place, "summary"),
      PAWL_ACTION_PLAN: "plan.md",
      PAWL_ACTION_AGENT: "claude",
    });
    const run = spawnSync("bash", [join(root, "scripts/action.sh")], {
      cwd: repository.path,
      env,
      encoding: "utf8",
    });
    expect(run.status, run.stdout + run.stderr).toBe(0);
    const [code, answer = ""] = readFileSync(join(place, "output"), "utf8").split("\n");
    expect(code).toBe("exit-code=0");
    expect(JSON.parse(answer.replace(/^answer=/, ""))).toMatchObject({
      status: "ok",
      data: { ended: "all_completed" },
    });
    expect(readFileSync(join(place, "summary"), "utf8")).toContain("plan.md");
  });

  it("takes a plan through a run, a kill and a resume", async () => {
    expect(await wholeTrip(process.execPath, bin)).toBe(4);
  });
});
