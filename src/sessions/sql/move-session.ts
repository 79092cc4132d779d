import { statement } from "../../platform/index.ts";

/** Where a session is, for people who look at it; the checkpoints say more. */
export const moveSession = statement<{
  id: string;
  iteration: number;
  position: number;
  spec_id: string | null;
}>(`
  update sessions
     set iteration = :iteration,
         position = :position,
         spec_id = :spec_id
   where id = :id
`);
