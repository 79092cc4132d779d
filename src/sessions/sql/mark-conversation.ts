import { statement } from "../../platform/index.ts";

/** The agent has reported its own name for the conversation: by it the conversation is taken up should its runner die. */
export const markConversation = statement<{ session_id: string; number: number; agent_session: string }>(`
  update checkpoints
     set agent_session = :agent_session
   where session_id = :session_id
     and number = :number
     and ended_at is null
`);
