import { statement } from "../statement.ts";

/** Until when a session waits for what is not its fault; null when it goes on. */
export const pauseSession = statement<{ id: string; paused_until: string | null }>(`
  update sessions
     set paused_until = :paused_until
   where id = :id
`);
