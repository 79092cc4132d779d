import {
  isPlainObject,
  type JsonPath,
  type JsonPositions,
  type SourcePosition,
} from "../../../platform/json/index.ts";
import { jsonPathTo, firstId, idOf, TASK_IDS } from "./task-ids.ts";
import { type TaskReading, within } from "./task-reading.ts";

/** A dependency as it is written. Where that is costs a second reading of the file, so it is asked for only to tell of it. */
export interface Mention {
  readonly text: string;
  readonly at: SourcePosition;
}

const NONE: readonly never[] = [];

export function mentionsOf(value: unknown, reading: TaskReading, path: JsonPath): readonly Mention[] {
  if (value === undefined || value === null) return NONE;
  const isList = Array.isArray(value);
  if (isList && value.length === 0) return NONE;
  const items = within(isList ? value : [value], "mentions", reading, path);
  if (items.length === 1) {
    const mention = mentionOf(items[0], reading, path, isList ? 0 : undefined);
    return mention ? [mention] : NONE;
  }
  const mentions: Mention[] = [];
  for (let index = 0; index < items.length; index += 1) {
    const mention = mentionOf(items[index], reading, path, index);
    if (mention) mentions.push(mention);
  }
  return mentions;
}

function mentionOf(item: unknown, reading: TaskReading, path: JsonPath, index?: number): Mention | undefined {
  const text =
    idOf(item, reading, path, "dependencies", index) ??
    (isPlainObject(item)
      ? firstId(item, TASK_IDS, reading, jsonPathTo(path, "dependencies", index))
      : undefined);
  if (text !== undefined) return new MentionAt(text, reading.places, path, index);
  if (item !== null && typeof item !== "string")
    reading.report(
      "plan/wrong-type",
      reading.places.of(jsonPathTo(path, "dependencies", index)),
      () => "A dependency is neither text nor a number.",
    );
  return undefined;
}

class MentionAt implements Mention {
  readonly text: string;
  // Not the whole reading: that would keep all values of the file.
  private readonly places: JsonPositions;
  private readonly path: JsonPath;
  private readonly index: number | undefined;

  constructor(text: string, places: JsonPositions, path: JsonPath, index: number | undefined) {
    this.text = text;
    this.places = places;
    this.path = path;
    this.index = index;
  }

  get at(): SourcePosition {
    return this.places.of(jsonPathTo(this.path, "dependencies", this.index));
  }
}
