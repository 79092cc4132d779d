// The door of this room: other rooms import from here alone.
export {
  type Splice,
  addItem,
  addMember,
  newlineOf,
  removeItems,
  replaceValue,
  splice,
} from "./edit-json.ts";
export { type JsonDraft, jsonDraft } from "./json-draft.ts";
export { arrayNode, firstMember, member, nodeId, nodeText, nodeValue, objectNode } from "./json-members.ts";
export {
  BadJson,
  type JsonArray,
  type JsonNode,
  type JsonObject,
  parseJson,
  parseJsonLines,
} from "./parse-json.ts";
export { type SourcePosition, positionsIn } from "./positions.ts";
export {
  type JsonPath,
  JsonPositions,
  type PlainObject,
  type QuickJson,
  type RootOf,
  isPlainObject,
  lastRoot,
  own,
  plainList,
  plainText,
  quickJson,
} from "./quick-json.ts";
