import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/commands/index.ts";
import { GLOBAL_FLAGS } from "../../src/cli/global-flags.ts";
import { ERRORS } from "../../src/domain/errors.ts";
import { DIAGNOSTICS } from "../../src/plans/formats/diagnostics.ts";
import { MIGRATIONS } from "../../src/platform/migrations/migrations.ts";
import { ACTIONS } from "../../src/web/actions/index.ts";
import { ROUTES } from "../../src/web/routes/index.ts";
import { ACTION_WORDS } from "../../ui/words.ts";
import { SCHEMA_VERSION } from "../../src/platform/schema-version.ts";

const filesOf = (folder: string) =>
  readdirSync(new URL(`../../src/${folder}`, import.meta.url)).filter(
    (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
  );

describe("the command registry", () => {
  it("has every file of the folder, and nothing else", () => {
    const expected = Object.keys(COMMANDS).map((name) => `${name.replace(" ", "-")}.ts`);
    expect(filesOf("cli/commands").toSorted()).toEqual([...expected, "index.ts"].toSorted());
  });

  it.each(Object.entries(COMMANDS))(
    "lists %s as the command itself says it",
    async (name, { about, load }) => {
      const command = await load();
      expect(command).toMatchObject({ name, about });
      const globals = new Set<string>(GLOBAL_FLAGS.map((flag) => flag.name));
      expect(Object.keys(command.options).filter((option) => globals.has(option))).toEqual([]);
      expect(command.examples.length).toBeGreaterThan(0);
      for (const example of command.examples) expect(example).toContain(`pawl ${name}`);
    },
  );
});

describe("the routes of the page", () => {
  it("are every file of the folder, each once", () => {
    const expected = ROUTES.map(({ path }) => `${path.replace("/api/", "")}.ts`);
    expect(filesOf("web/routes").toSorted()).toEqual([...expected, "index.ts"].toSorted());
  });

  it("change nothing by GET, and every action has words for its button", () => {
    expect(ROUTES.filter(({ method }) => method === "POST").map(({ path }) => path)).toEqual([
      "/api/act",
      "/api/ticket",
    ]);
    expect(new Set(ACTIONS.map(({ name }) => name)).size).toBe(ACTIONS.length);
    for (const { name, label } of ACTIONS) expect(ACTION_WORDS[name]).toBe(label);
  });
});

describe("the tables", () => {
  it("give every error and every diagnostic a code of its own", () => {
    const codes = [...Object.values(ERRORS), ...Object.values(DIAGNOSTICS)].map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
  });

  it("keep the codes of the format Pawl grew out of", () => {
    const inherited = Object.fromEntries(
      Object.entries(ERRORS)
        .filter(([, { code }]) => code >= "E046" && code <= "E053")
        .map(([name, { code }]) => [code, name]),
    );
    expect(inherited).toEqual({
      E046: "store/open-failed",
      E047: "store/query-failed",
      E048: "plan/changed",
      E049: "claim/not-owner",
      E050: "step/wrong-status",
      E051: "step/items-open",
      E052: "step/substeps-open",
      E053: "claim/nothing-ready",
    });
  });

  it("never hint at anything destructive", () => {
    const hints = [...Object.values(ERRORS), ...Object.values(DIAGNOSTICS)]
      .map(({ hint }) => hint)
      .join("\n");
    expect(hints).not.toMatch(/--force|--discard|reset|prune|\brm\b|delete|git clean|checkout|reopen/i);
  });

  it("number the migrations without a gap", () => {
    expect(MIGRATIONS.map(({ version }) => version)).toEqual(MIGRATIONS.map((_, index) => index + 1));
    expect(SCHEMA_VERSION).toBe(MIGRATIONS.length);
  });

  it("have SQL in each file of the statements, with its parameters by name", async () => {
    const files = SQL_FOLDERS.flatMap((folder) =>
      filesOf(folder)
        .filter((name) => !NO_STATEMENTS.has(name))
        .map((name) => ({ folder, name })),
    );
    expect(files.length).toBeGreaterThan(100);
    for (const { folder, name } of files) {
      expect(name).toMatch(/^[a-z]+(?:-[a-z]+)*\.ts$/);
      const exported: unknown[] = Object.values(await import(`../../src/${folder}/${name}`));
      const found = exported
        .flat()
        .map(statementText)
        .filter((text) => text !== undefined);
      expect(found.length, `${name} exports no statement`).toBeGreaterThan(0);
      for (const text of found) expect(text, `${name}: a blank of one engine`).not.toMatch(/\?(?!\|)|\$\d/);
    }
  });
});

/** The folders of statements, below the rooms that keep something in the database. */
const SQL_FOLDERS = readdirSync(new URL("../../src", import.meta.url), {
  recursive: true,
  encoding: "utf8",
}).filter((path) => path.endsWith("/sql"));

/** Parts that several statements are made of, and the one that is made anew for each table. */
const NO_STATEMENTS: ReadonlySet<string> = new Set([
  "copy-table.ts",
  "lane-of.ts",
  "open-work.ts",
  "owner.ts",
  "session-process.ts",
  "step-line.ts",
]);

/** The SQL of a statement; undefined for anything else. */
function statementText(exported: unknown): string | undefined {
  if (typeof exported === "object" && exported !== null && "text" in exported) return String(exported.text);
  return undefined;
}
