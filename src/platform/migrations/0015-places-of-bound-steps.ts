import type { Migration } from "./migration.ts";

const text = `
  alter table steps add column stands_as text;
`;

/**
 * A step that keeps an earlier text is followed from one edit of its plan to the next.
 *
 * `stands_as` is the name that the step has in the text that was read last. A step that is rewritten, then renumbered,
 * has nothing in common with the words it was claimed with, and its new text would count as other work.
 */
export const placesOfBoundSteps: Migration = {
  version: 15,
  name: "places of bound steps",
  sqlite: text,
  postgres: text.replace(" text;", ' text collate "C";'),
};
