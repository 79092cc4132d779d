import { statement } from "../../platform/index.ts";

/**
 * What a command has used so far. Written while it runs and at its end: a runner that is killed loses only the last
 * moments of it.
 *
 * Work belongs to the attempt that its verification will be, a judging agent to the one that is verified now.
 */
export const noteUsage = statement<{
  session_id: string;
  number: number;
  plan_path: string | null;
  anchor: string | null;
  claim: number | null;
  position: number;
  agent: string | null;
  input_tokens: number;
  output_tokens: number;
  cost_micros: number | null;
  now: string;
}>(`
  insert into usage (session_id, number, plan_path, anchor, claim, attempt, agent,
                     input_tokens, output_tokens, cost_micros, recorded_at)
  values (:session_id, :number, :plan_path, :anchor, :claim,
          (select coalesce(max(a.number), 0) + case when :position >= 0 then 1 else 0 end
             from attempts a
            where a.plan_path = :plan_path
              and a.anchor = :anchor),
          :agent, :input_tokens, :output_tokens, :cost_micros, :now)
  on conflict (session_id, number) do update
     set input_tokens = excluded.input_tokens,
         output_tokens = excluded.output_tokens,
         cost_micros = excluded.cost_micros,
         recorded_at = excluded.recorded_at
`);
