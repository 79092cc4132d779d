import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const CHECK = join(ROOT, "scripts/check-rooms.mjs");

/** A source tree of a few files. */
function planted(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "pawl-rooms-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

/** What the check says about it. */
function checked(files: Readonly<Record<string, string>>) {
  const { status, stderr } = spawnSync(process.execPath, [CHECK, planted(files)], { encoding: "utf8" });
  return { status, stderr };
}

/** A room with a door and a file that is not at it. */
const RUNS = {
  "src/runs/index.ts": 'export { run } from "./run.ts";\n',
  "src/runs/run.ts": "export const run = 1;\nexport interface Run {}\n",
};

const USES_DOOR = { "src/recovery/a.ts": 'import { run } from "../runs/index.ts";\n' };

describe.each([
  ["an import", (path: string) => `import { run } from "${path}";\n`],
  ["an import of types", (path: string) => `import type { run } from "${path}";\n`],
  ["an export", (path: string) => `export { run } from "${path}";\n`],
  ["a lazy import", (path: string) => `const { run } = await import("${path}");\n`],
])("%s", (_, line) => {
  it("from a higher room is refused", () => {
    const { status, stderr } = checked({ ...RUNS, ...USES_DOOR, "src/steps/a.ts": line("../runs/index.ts") });
    expect(status).toBe(1);
    expect(stderr).toBe("src/steps/a.ts imports src/runs/index.ts: steps may not import runs.\n");
  });

  it("past the door of a lower room is refused", () => {
    const { status, stderr } = checked({
      ...RUNS,
      ...USES_DOOR,
      "src/recovery/b.ts": line("../runs/run.ts"),
    });
    expect(status).toBe(1);
    expect(stderr).toBe("src/recovery/b.ts imports src/runs/run.ts past the door src/runs/index.ts.\n");
  });
});

it("an import through the door of a lower room passes", () => {
  expect(checked({ ...RUNS, ...USES_DOOR })).toEqual({ status: 0, stderr: "" });
});

it("a room inside another has a door of its own", () => {
  const files = {
    "src/plans/formats/index.ts": 'export { read } from "./read.ts";\n',
    "src/plans/formats/read.ts": "export const read = 1;\n",
    "src/plans/a.ts": 'import { read } from "./formats/read.ts";\n',
    "src/plans/b.ts": 'import { read } from "./formats/index.ts";\n',
  };
  expect(checked(files).stderr).toBe(
    "src/plans/a.ts imports src/plans/formats/read.ts past the door src/plans/formats/index.ts.\n",
  );
});

it("a door exports nothing that no other room imports", () => {
  const { status, stderr } = checked(RUNS);
  expect(status).toBe(1);
  expect(stderr).toBe("src/runs/index.ts exports run, which no other room imports.\n");
});

it("interfaces do not import each other", () => {
  const files = {
    "src/cli/index.ts": 'export { a } from "./a.ts";\n',
    "src/cli/a.ts": "export const a = 1;\n",
    "src/web/b.ts": 'import { a } from "../cli/index.ts";\n',
    "src/mcp/b.ts": 'import { a } from "../cli/index.ts";\n',
  };
  const { stderr } = checked(files);
  expect(stderr).toContain("web may not import cli");
  expect(stderr).toContain("mcp may not import cli");
});

it("a folder that is not a room is refused", () => {
  expect(checked({ "src/helpers/a.ts": "" }).stderr).toContain("src/helpers is not a room");
});

it("the picture of docs/architecture.md is printed from the imports and has no cycle", () => {
  const page = readFileSync(join(ROOT, "docs/architecture.md"), "utf8");
  const edges = [...page.matchAll(/^ {2}(\w+) --> (\w+)$/gm)].map(([, from = "", to = ""]) => ({ from, to }));
  expect(edges.length).toBeGreaterThan(30);
  let left = edges;
  // A room from which no arrow leads anywhere is taken away with the arrows to it; a cycle keeps its own.
  for (;;) {
    const above = new Set(left.map(({ from }) => from));
    const rest = left.filter(({ to }) => above.has(to));
    if (rest.length === left.length) break;
    left = rest;
  }
  expect(left).toEqual([]);
});

/** As much of oxlint's settings as keeps rooms apart. */
interface LintConfig {
  readonly options: object;
  readonly overrides: readonly {
    readonly files: readonly string[];
    readonly rules: {
      readonly "no-restricted-imports"?:
        | "off"
        | readonly ["error", { readonly patterns: readonly { readonly message: string }[] }];
    };
  }[];
}

/** What oxlint says about planted files, by Pawl's own settings. Types are not needed for it, and take seconds. */
function linted(files: Readonly<Record<string, string>>) {
  const config = { ...CONFIG, options: { ...CONFIG.options, typeAware: false } };
  const root = planted({ ...files, ".oxlintrc.json": JSON.stringify(config) });
  const oxlint = join(ROOT, "node_modules/.bin/oxlint");
  const { stdout } = spawnSync(oxlint, ["--format", "json"], { cwd: root, encoding: "utf8" });
  const { diagnostics } = JSON.parse(stdout) as {
    readonly diagnostics: readonly {
      readonly code: string;
      readonly filename: string;
      readonly help: string;
    }[];
  };
  return diagnostics;
}

const CONFIG = JSON.parse(readFileSync(join(ROOT, ".oxlintrc.json"), "utf8")) as LintConfig;

describe("oxlint", () => {
  it("refuses in each room what the settings keep from it", () => {
    const kept = CONFIG.overrides.flatMap(({ files, rules: { "no-restricted-imports": rule } }) =>
      rule === undefined || rule === "off" || !files[0]!.startsWith("src/")
        ? []
        : [{ files, message: rule[1].patterns[0]!.message }],
    );
    expect(kept.length).toBeGreaterThan(10);
    const wrong = ["node:fs", "../postgres/index.ts", "../git/index.ts", "../compose.ts"];
    const text = wrong.map((path, index) => `import { a as a${index} } from "${path}";\n`).join("");
    const names = kept.flatMap(({ files }) =>
      files.map((glob) => glob.replace("src/*/", "src/steps/").replace(/\*\*?(?:\.ts)?$/, "planted.ts")),
    );
    const found = linted(Object.fromEntries(names.map((name) => [name, text]))).filter(({ code }) =>
      code.includes("no-restricted-imports"),
    );
    const refused = new Set(found.map(({ filename }) => filename));
    expect(names.filter((name) => !refused.has(name))).toEqual([]);
    const messages = new Set(found.map(({ help }) => help));
    expect(kept.map(({ message }) => message).filter((message) => !messages.has(message))).toEqual([]);
  });

  it("refuses a cycle inside a room", () => {
    const files = {
      "src/claims/a.ts": 'import { b } from "./b.ts";\nexport const a = () => b;\n',
      "src/claims/b.ts": 'import { a } from "./a.ts";\nexport const b = () => a;\n',
    };
    expect(linted(files).map(({ code }) => code)).toContain("import(no-cycle)");
  });
});
