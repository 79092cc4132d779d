import { Failure, type PermissionProfile } from "../domain/index.ts";
import type { Blanks, Grant, Terms } from "./agent-preset.ts";
import { type AgentChoice, argvOf, type Invocation } from "./argv-of.ts";
import { type Json, jsonObject } from "./json-line.ts";

/** Everything that one start of an agent takes: its command line, its variables, and a file that must be there first. */
export interface AgentStart extends Invocation {
  readonly env: Readonly<Record<string, string>>;
  readonly file: { readonly path: string; readonly text: string } | undefined;
}

export interface AgentStartRequest {
  readonly choice: AgentChoice;
  readonly blanks: Blanks;
  /** `resume` takes a conversation up again where the agent can and `blanks.session` names it. */
  readonly mode: "start" | "resume";
  readonly profile: PermissionProfile;
  readonly grant: Grant;
  /** Where a file of that name goes that the agent reads at its start. */
  readonly pathOf: (name: string) => string;
  /** Reads settings that the user's arguments name, from the folder that the agent starts in. */
  readonly read: (path: string) => string | undefined;
}

/**
 * Puts one start together: what the preset says, what the profile adds, and what the user wants.
 *
 * Options that take a list are given beside the user's own, and settings are merged: Pawl's part of either is what lets
 * the agent tick its items, so it never falls out because of what a person adds.
 */
export function composeStart(request: AgentStartRequest): AgentStart {
  const { choice, blanks, mode, profile, grant, pathOf } = request;
  const { preset } = choice;
  const terms = preset.permissions[profile](grant);
  const { args, settings } = settingsIn(request, terms);
  const path = terms.file && pathOf(terms.file.name);
  const permissions = [
    ...(terms.args ?? []),
    ...(settings === undefined ? [] : [{ list: settings }]),
    ...(path === undefined ? [] : [{ list: [terms.file!.option, path] }]),
  ];
  return {
    ...argvOf({ ...choice, args }, blanks, mode, permissions),
    env: terms.env ?? {},
    file: path === undefined ? undefined : { path, text: terms.file!.text },
  };
}

/** The settings of Pawl and of the user as one option, and the user's arguments without theirs. */
function settingsIn(
  { choice: { preset, args }, read }: AgentStartRequest,
  { settings: own = {} }: Terms,
): { readonly args: readonly string[]; readonly settings: readonly string[] | undefined } {
  const option = preset.settingsOption;
  if (option === undefined) return { args, settings: undefined };
  const { rest, values } = takeOption(args, option);
  const merged = values.reduce<Json>((all, value) => mergeJson(all, userSettings(option, value, read)), own);
  return {
    args: rest,
    settings: Object.keys(merged).length === 0 ? undefined : [option, JSON.stringify(merged)],
  };
}

function takeOption(args: readonly string[], option: string) {
  const rest: string[] = [];
  const values: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index]!;
    if (word.startsWith(`${option}=`)) values.push(word.slice(option.length + 1));
    else if (word === option && index + 1 < args.length) values.push(args[(index += 1)]!);
    else rest.push(word);
  }
  return { rest, values };
}

function userSettings(option: string, value: string, read: AgentStartRequest["read"]): Json {
  const text = value.trimStart().startsWith("{") ? value : read(value);
  try {
    const found = text === undefined ? undefined : jsonObject(JSON.parse(text));
    if (found !== undefined) return found;
  } catch {
    // Said below.
  }
  throw new Failure(
    "agent/settings-unreadable",
    `${option} of the agent's args is neither JSON nor a file with a JSON object: ${value.slice(0, 200)}`,
    { option, value },
  );
}

/** Lists are joined, tables are merged, and of anything else the second one's word counts. */
export function mergeJson(a: Json, b: Json): Json {
  const merged: Record<string, unknown> = { ...a };
  for (const [name, value] of Object.entries(b)) {
    const before = Object.hasOwn(merged, name) ? merged[name] : undefined;
    const [table, other] = [jsonObject(before), jsonObject(value)];
    if (table && other) merged[name] = mergeJson(table, other);
    else if (Array.isArray(before) && Array.isArray(value))
      merged[name] = [...(before as unknown[]), ...(value as unknown[])];
    else merged[name] = value;
  }
  return merged;
}
