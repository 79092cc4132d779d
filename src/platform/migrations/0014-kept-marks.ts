import type { Migration } from "./migration.ts";

/** Marks are only set here: whether a session runs again, its own trigger knows better than a statement that began before. */
const marks = `
  update steps
     set session_over = 1
   where session_id is not null
     and session_over is null
     and not exists (select 1 from sessions l where l.id = steps.session_id and l.status = 'in_progress');
`;

/**
 * Two marks that a kill or an older process could lose.
 *
 * A commit that no check was to decide about says so in its intent, so that the command that finishes it after a kill
 * does not wait for a verdict. And a step that gets a session is marked by a trigger when that session is over: a process
 * of an earlier version does not know the mark.
 */
export const keptMarks: Migration = {
  version: 14,
  name: "kept marks",
  sqlite: `
  alter table commit_intents add column unverified text;
  create trigger steps_session after update of session_id on steps
  begin
    update steps
       set session_over = case when new.session_id is not null and not exists
             (select 1 from sessions l where l.id = new.session_id and l.status = 'in_progress') then 1 end
     where plan_path = new.plan_path and anchor = new.anchor
       and (session_over is not null or new.session_id is not null);
  end;
${marks}
`,
  // A session that ends at the same moment is waited for: its own trigger does not see the step yet.
  postgres: `
  alter table commit_intents add column unverified text collate "C";
  create function pawl_step_session() returns trigger language plpgsql as $$
  begin
    new.session_over := null;
    if new.session_id is not null then
      perform 1 from sessions l where l.id = new.session_id and l.status = 'in_progress' for share;
      if not found then new.session_over := 1; end if;
    end if;
    return new;
  end $$;
  create trigger steps_session before update of session_id on steps
   for each row execute function pawl_step_session();
${marks}
`,
};
