import type { StepLine } from "../types.ts";
import { shortHash } from "../words.ts";

const PLACES = { clean: "clean checkout", "in-place": "in place" } as const;

/** What a completed step landed as, and what verified exactly that. */
export function Landing({ step }: { readonly step: StepLine }) {
  const { verification } = step;
  if (verification === null) return null;
  const { outcome, checks, where, tree, commit, because } = verification;
  return (
    <section class="panel landing" aria-label="Landing">
      <h2>{outcome === "passed" ? "Landed, verified" : "Not verified"}</h2>
      {commit && (
        <p>
          commit <code>{shortHash(commit)}</code>
          {tree && (
            <>
              , tree <code>{shortHash(tree)}</code>
            </>
          )}
        </p>
      )}
      {outcome === "passed" ? (
        <p>
          passed <code>{checks.join(", ")}</code>
          {where && <span class="muted"> ({PLACES[where]})</span>}
        </p>
      ) : (
        <p class="warn">{because}</p>
      )}
    </section>
  );
}
