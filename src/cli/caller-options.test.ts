import { expect, it } from "vitest";
import { FORMATS } from "../plans/formats/formats.ts";
import { FORMAT_OPTION } from "./caller-options.ts";

it("offers every format that can be read, and no other", () => {
  // Written out there: reading the table of formats would load their readers for every command.
  expect(FORMAT_OPTION.format.choices.toSorted()).toEqual(FORMATS.map(({ name }) => name).toSorted());
});
