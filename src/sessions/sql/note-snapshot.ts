import { statement } from "../../platform/index.ts";
import { IS_ITS_PROCESS, type SessionProcess } from "./session-process.ts";

/** Where the uncommitted work of a session is kept that was cut off or taken over from; what is known already stays. */
export const noteSnapshot = statement<SessionProcess & { snapshot_ref: string }>(`
  update sessions
     set snapshot_ref = :snapshot_ref
   where ${IS_ITS_PROCESS}
     and (status = 'interrupted' or (status = 'abandoned' and snapshot_ref is null))
`);
