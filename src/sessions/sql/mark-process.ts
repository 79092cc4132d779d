import { statement } from "../../platform/index.ts";

/** The command runs: how to find it again should its runner die. */
export const markProcess = statement<{ session_id: string; number: number; process: string }>(`
  update checkpoints
     set process = :process
   where session_id = :session_id
     and number = :number
     and ended_at is null
`);
