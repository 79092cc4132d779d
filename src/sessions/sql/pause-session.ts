import { statement } from "../../platform/index.ts";
import { IS_ITS_PROCESS, type SessionProcess } from "./session-process.ts";

/** Until when a session waits for what is not its fault; null when it continues. */
export const pauseSession = statement<SessionProcess & { paused_until: string | null }>(`
  update sessions
     set paused_until = :paused_until
   where ${IS_ITS_PROCESS}
`);
