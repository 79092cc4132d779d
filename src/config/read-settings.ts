import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../domain/errors.ts";
import { SETTINGS, type SettingName, type Settings } from "./settings.ts";

const SETTINGS_FILE = "pawl.toml";

/**
 * Where the settings of a repository are: in the main checkout, or in the state folder where there is none (a bare
 * repository), so that every worktree has the same.
 */
export const settingsPath = (mainTopLevel: string | undefined, stateDir: string): string =>
  join(mainTopLevel ?? stateDir, SETTINGS_FILE);

export async function readSettings(path: string): Promise<Settings> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw new Failure("settings/invalid", `${path} cannot be read.`, { path }, { cause: error });
  }
  // As `pawl init` wrote it, with everything in comments: no reason to load what reads TOML.
  if (!/^[ \t]*[^#\s]/m.test(text)) return {};
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
  for (const [name, value] of Object.entries(found)) {
    if (!isSetting(name)) {
      throw new Failure("settings/invalid", `${path}: there is no setting "${name}".`, {
        path,
        setting: name,
        known: Object.keys(SETTINGS),
      });
    }
    if (typeof value !== "string" || value === "") {
      throw new Failure("settings/invalid", `${path}: ${name} must be text.`, { path, setting: name });
    }
    settings[name] = value;
  }
  return settings;
}

const isSetting = (name: string): name is SettingName => Object.hasOwn(SETTINGS, name);
