import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { SKILLS, skillText } from "../agents/index.ts";
import { oneLine } from "./foreign-text.ts";

export const listPrompts = () => ({
  prompts: SKILLS.map(({ name, about, argument }) => ({
    name,
    description: about,
    arguments: [{ name: argument, description: "The path of the plan", required: false }],
  })),
});

export function getPrompt({
  name,
  arguments: args = {},
}: {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, string>> | undefined;
}) {
  const skill = SKILLS.find((one) => one.name === name);
  if (!skill) throw new McpError(ErrorCode.InvalidParams, `There is no prompt "${oneLine(name)}".`);
  const text = skillText(skill, oneLine(args[skill.argument] ?? "") || "not named");
  return {
    description: skill.about,
    messages: [{ role: "user" as const, content: { type: "text" as const, text } }],
  };
}
