import { Failure } from "../../domain/index.ts";
import { type PartName, PARTS, partText } from "./parts.ts";
import type { PromptContext } from "./prompt-context.ts";

const BLANK = /\{\{\s*([\w.-]+)\s*\}\}/g;

/** The names in a template that mean nothing. */
export const unknownBlanks = (template: string): readonly string[] =>
  [...template.matchAll(BLANK)].map(([, name]) => name!).filter((name) => !isPart(name));

/**
 * Fills a user's template. What is filled in is not filled again, so a plan whose text holds `{{…}}` stays as it is.
 * A part that has nothing to say leaves nothing behind.
 */
export function fillTemplate(template: string, context: PromptContext, path: string): string {
  const unknown = unknownBlanks(template);
  if (unknown.length > 0)
    throw new Failure("prompt/invalid", `${path}: there is no {{${unknown[0]}}}.`, {
      path,
      unknown,
      known: Object.keys(PARTS),
    });
  return template.replace(BLANK, (_blank, name: PartName) => partText(name, context) ?? "");
}

const isPart = (name: string): name is PartName => Object.hasOwn(PARTS, name);
