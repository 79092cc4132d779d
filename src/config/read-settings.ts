import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../domain/errors.ts";
import { SETTINGS, type SettingName, type Settings, type TableName, TABLES } from "./settings.ts";

export const SETTINGS_FILE = "pawl.toml";

/** The settings of a repository, from the main checkout, so that every worktree has the same. */
export async function readSettings(topLevel: string | undefined): Promise<Settings> {
  if (topLevel === undefined) return {};
  const path = join(topLevel, SETTINGS_FILE);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw new Failure("settings/invalid", `${path} cannot be read.`, { path }, { cause: error });
  }
  return checkSettings(await parse(text, path), path);
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
  const settings: { -readonly [K in SettingName]?: string } = {};
  const tables: { [K in TableName]?: unknown } = {};
  for (const [name, value] of Object.entries(found)) {
    if (isTable(name)) {
      tables[name] = value;
      continue;
    }
    if (!isSetting(name)) {
      throw new Failure("settings/invalid", `${path}: there is no setting "${name}".`, {
        path,
        setting: name,
        known: [...Object.keys(SETTINGS), ...TABLES],
      });
    }
    if (typeof value !== "string" || value === "") {
      throw new Failure("settings/invalid", `${path}: ${name} must be text.`, { path, setting: name });
    }
    settings[name] = value;
  }
  return Object.keys(tables).length === 0 ? settings : { ...settings, tables };
}

const isTable = (name: string): name is TableName => TABLES.some((known) => known === name);

const isSetting = (name: string): name is SettingName => Object.hasOwn(SETTINGS, name);
