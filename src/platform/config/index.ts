// The door of this room: other rooms import from here alone.
export {
  AGENT_FIELDS,
  COMMAND_FIELDS,
  type FieldValues,
  type Fields,
  type JsonSchema,
  LANDING_FIELDS,
  LIMIT_FIELDS,
  NOTIFY_FIELDS,
  VERIFY_FIELDS,
  WORKFLOW_FIELDS,
  WORKTREE_FIELDS,
} from "./fields.ts";
export { readDuration } from "./read-duration.ts";
export { SETTINGS_FILE, readSettings, settingsPath } from "./read-settings.ts";
export { type Complain, asTable, isName, readSettingsTable } from "./read-table.ts";
export { readShared } from "./read-shared.ts";
export { serverUrl } from "./server-url.ts";
export { type ChosenSettings, SCHEMA_ADDRESS, settingsTemplate } from "./settings-template.ts";
