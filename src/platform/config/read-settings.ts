import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  closest,
  Failure,
  type SettingName,
  SETTINGS,
  type Settings,
  type SettingType,
  type TableName,
  TABLES,
} from "../../domain/index.ts";
import { nodeFiles } from "../os/index.ts";

export const SETTINGS_FILE = "pawl.toml";

/**
 * Where the settings of a repository are: in the main checkout, or in the state folder where there is none (a bare
 * repository), so that every worktree has the same.
 */
export const settingsPath = (mainTopLevel: string | undefined, stateDir: string): string =>
  join(mainTopLevel ?? stateDir, SETTINGS_FILE);

export async function readSettings(path: string): Promise<Settings> {
  const text = readText(path);
  if (text === undefined) return {};
  // As `pawl init` wrote it, with everything in comments: no reason to load what reads TOML.
  if (!/^[ \t]*[^#\s]/m.test(text)) return {};
  return checkSettings(await parse(text, path), path);
}

/** More than any configuration needs. */
const MOST_BYTES = 1024 * 1024;

function readText(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(nodeFiles.read(path, MOST_BYTES));
  } catch (error) {
    const why = error instanceof Failure ? error.message : "It is not UTF-8 text.";
    throw new Failure("settings/invalid", `${path} cannot be read. ${why}`, { path }, { cause: error });
  }
}

async function parse(text: string, path: string): Promise<Readonly<Record<string, unknown>>> {
  const { parse: parseToml, TomlError } = await import("smol-toml");
  try {
    return parseToml(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [what = "it is not TOML"] = error.message.split("\n");
    throw new Failure("settings/invalid", `${path}:${error.line}:${error.column}: ${what}`, {
      path,
      line: error.line,
    });
  }
}

function checkSettings(found: Readonly<Record<string, unknown>>, path: string): Settings {
  const settings: Record<string, unknown> = {};
  const tables: { [K in TableName]?: unknown } = {};
  for (const [name, value] of Object.entries(found)) {
    if (isTable(name)) {
      tables[name] = value;
      continue;
    }
    if (!isSetting(name)) throw unknown(name, path);
    const { expected, fits } = TYPES[SETTINGS[name].type];
    if (!fits(value)) {
      throw new Failure("settings/invalid", `${path}: ${name} must be ${expected}.`, { path, setting: name });
    }
    const choices = choicesOf(name);
    if (choices && !choices.includes(value)) {
      const message = `${path}: ${name} must be one of ${choices.join(", ")}.`;
      throw new Failure("settings/invalid", message, { path, setting: name, known: choices });
    }
    settings[name] = value;
  }
  return Object.keys(tables).length === 0 ? settings : { ...settings, tables };
}

const choicesOf = (name: SettingName): readonly unknown[] | undefined => {
  const setting = SETTINGS[name];
  return "choices" in setting ? setting.choices : undefined;
};

const isTable = (name: string): name is TableName => TABLES.some((known) => known === name);

const isSetting = (name: string): name is SettingName => Object.hasOwn(SETTINGS, name);

const isText = (value: unknown): boolean => typeof value === "string" && value !== "";

const isListOfText = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  isText(value[0]) &&
  value.every((one) => typeof one === "string");

const TYPES: Readonly<
  Record<SettingType, { readonly expected: string; readonly fits: (value: unknown) => boolean }>
> = {
  text: { expected: "text", fits: isText },
  list: { expected: "a list of text", fits: isListOfText },
  flag: { expected: "true or false", fits: (value) => typeof value === "boolean" },
  count: {
    expected: "a whole number above 0",
    fits: (value) => typeof value === "number" && Number.isSafeInteger(value) && value > 0,
  },
};

function unknown(name: string, path: string): Failure {
  const known = [...Object.keys(SETTINGS), ...TABLES];
  const near = closest(name, known);
  const question = near === undefined ? "" : ` Did you mean "${near}"?`;
  return new Failure("settings/invalid", `${path}: there is no setting "${name}".${question}`, {
    path,
    setting: name,
    known,
    ...(near === undefined ? {} : { suggestion: near }),
  });
}
