import { statement, type VerdictRow } from "../../platform/index.ts";

/** What is on record about how a completed step was verified. */
export interface VerificationRow {
  readonly anchor: string;
  readonly commit_hash: string | null;
  readonly complete_reason: string | null;
  /** Of the last verdict on it under the claim that completed it. */
  readonly outcome: VerdictRow["outcome"] | null;
  readonly because: string | null;
  readonly tree: string | null;
  /**
   * Where checks ran, and what they were, as `checksKey` writes it; null where only the checklist was checked, and for
   * verdicts of older versions.
   */
  readonly checked: string | null;
  /** JSON: why a person had it committed without checks. */
  readonly unverified: string | null;
}

/**
 * How the completed steps of a plan were verified, substeps left out: those are verified with their step.
 *
 * A step that a commit proves may have been verified under an earlier claim than its last one. The tree is the one that
 * landed, where a merge made it another one than the agent's; verdicts about trees are found by it.
 * What passed and landed from the train was committed by its run, so the journal is not asked about that.
 */
const verificationsOf = (chosen: string): string => `
  select f.anchor, f.commit_hash, f.complete_reason, f.outcome, f.because, f.tree,
         (select max(t.place || ' ' || t.checks)
            from tree_verdicts t
           where t.tree = f.tree
             and t.plan_path = f.plan_path
             and t.anchor = f.anchor
             and t.outcome = 'passed') as checked,
         case when f.outcome = 'passed' and f.landing is not null then null
              else (select e.detail
                      from events e
                     where e.plan_path = f.plan_path
                       and e.anchor = f.anchor
                       and e.event = 'unverified'
                       and e.claim = f.claim_seq
                     order by e.id desc
                     limit 1) end as unverified
    from (select s.plan_path, s.anchor, s.step_index, s.claim_seq, s.commit_hash, s.complete_reason,
                 v.outcome, v.because, l.tree as landing, coalesce(l.tree, v.tree) as tree
            from steps s
            left join landings l
              on l.plan_path = s.plan_path and l.anchor = s.anchor and l.claim = s.claim_seq
            left join verdicts v
              on v.plan_path = s.plan_path
             and v.anchor = s.anchor
             and v.attempt = (select max(w.attempt)
                                from verdicts w
                               where w.plan_path = s.plan_path
                                 and w.anchor = s.anchor
                                 and (w.claim = s.claim_seq or s.last_event = 'proved'))
           where s.plan_path = :plan_path
             and s.parent_anchor is null
             and s.status = 'completed'${chosen}) f
   order by f.step_index
`;

export const listVerifications = statement<{ plan_path: string }, VerificationRow>(verificationsOf(""));

/** The same of some steps: those at or behind a place in the plan, up to another. */
export const pageVerifications = statement<
  { plan_path: string; after: number; until: number },
  VerificationRow
>(
  verificationsOf(`
             and s.step_index > :after
             and s.step_index <= :until`),
);

/** The same of one step. */
export const findVerification = statement<{ plan_path: string; anchor: string }, VerificationRow>(
  verificationsOf(`
             and s.anchor = :anchor`),
);
