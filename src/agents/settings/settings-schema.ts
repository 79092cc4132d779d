import { SETTINGS, type SettingType, type TableName } from "../../domain/index.ts";
import {
  AGENT_FIELDS,
  COMMAND_FIELDS,
  type Fields,
  type JsonSchema,
  LANDING_FIELDS,
  LIMIT_FIELDS,
  NOTIFY_FIELDS,
  SCHEMA_ADDRESS,
  VERIFY_FIELDS,
  WORKFLOW_FIELDS,
  WORKTREE_FIELDS,
} from "../../platform/config/index.ts";

/** `pawl.toml` as JSON Schema, so that an editor completes and checks it. Printed from the same tables that read the file. */
export function settingsSchema(): string {
  const settings = Object.entries(SETTINGS).map(([name, setting]) => [
    name,
    {
      description: setting.about,
      ...TYPES[setting.type],
      ...("choices" in setting ? { enum: setting.choices } : {}),
      examples: [setting.example],
    },
  ]);
  const schema = {
    $schema: "http://json-schema.org/draft-07/schema#",
    $id: SCHEMA_ADDRESS,
    title: "pawl.toml",
    type: "object",
    properties: {
      ...Object.fromEntries(settings),
      ...tables(),
    },
    additionalProperties: false,
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

/** By name, so that a table without a schema does not compile. */
const tables = (): Readonly<Record<TableName, JsonSchema>> => ({
  agents: {
    description: "Agents by name, or the names of the agents in the order in which they are tried",
    anyOf: [{ type: "object", additionalProperties: tableSchema(AGENT_FIELDS) }, TYPES.list],
  },
  workflows: { type: "object", additionalProperties: workflowSchema() },
  verify: tableSchema(VERIFY_FIELDS),
  landing: tableSchema(LANDING_FIELDS),
  limits: tableSchema(LIMIT_FIELDS),
  worktree: tableSchema(WORKTREE_FIELDS),
  notify: {
    description: "Who is notified of what, or a program that is started when a run has ended",
    anyOf: [tableSchema(NOTIFY_FIELDS), TYPES.list],
  },
});

const TYPES: Readonly<Record<SettingType, JsonSchema>> = {
  text: { type: "string", minLength: 1 },
  list: { type: "array", items: { type: "string" }, minItems: 1 },
  flag: { type: "boolean" },
  count: { type: "integer", minimum: 1 },
};

const tableSchema = (fields: Fields) => ({
  type: "object",
  properties: Object.fromEntries(
    Object.entries(fields).map(([name, { about, schema }]) => [name, { description: about, ...schema }]),
  ) as Record<string, JsonSchema>,
  additionalProperties: false,
});

function workflowSchema(): JsonSchema {
  const { properties, ...table } = tableSchema(WORKFLOW_FIELDS);
  const commands = { ...properties["commands"], items: tableSchema(COMMAND_FIELDS) };
  return { ...table, properties: { ...properties, commands } };
}
