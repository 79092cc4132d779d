import type { Migration } from "./migration.ts";

const text = `
  drop index commit_intents_open;
  create index commit_intents_open on commit_intents(plan_path, anchor, claim) where closed_at is null;
  create index events_interruptions on events(session_id, at) where event = 'session-interrupted';
`;

/**
 * Open intents and interruptions are found by their own indexes.
 *
 * The index of open intents lacked the last column that they are listed by, so SQLite walked through all closed ones
 * instead: half a second inside a claim's transaction after 200,000 commits. Counting a step's killed starts walked
 * through the whole journal.
 */
export const rareLooks: Migration = { version: 7, name: "rare-looks", sqlite: text, postgres: text };
