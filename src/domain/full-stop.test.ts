import { expect, it } from "vitest";
import { fullStop } from "./full-stop.ts";

it.each([
  ["It failed", "It failed."],
  ["It failed.", "It failed."],
  ["Why?", "Why?"],
  ["Its commit 12ab is kept.)", "Its commit 12ab is kept.)"],
  ["still going…", "still going…"],
])("ends %j once", (text, ended) => expect(fullStop(text)).toBe(ended));
