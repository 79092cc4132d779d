import { statement } from "../../platform/index.ts";

/** Nothing of the command runs any more, so no later command has to look for it. */
export const forgetProcess = statement<{ session_id: string; number: number; process: string }>(`
  update checkpoints
     set process = null
   where session_id = :session_id
     and number = :number
     and process = :process
`);
