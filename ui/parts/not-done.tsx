import type { Refused } from "../api.ts";
import { Trouble } from "./small.tsx";

/** What a person sees whose subject moved below their hands. */
export const Changed = () => (
  <p class="stale" role="status">
    It changed while you were looking. This is how it stands now.
  </p>
);

export const NotDone = ({ refused }: { readonly refused: Refused }) =>
  refused.issue?.name === "action/stale" ? (
    <p class="stale" role="alert">
      Nothing was done: it changed while you were looking. This is how it stands now.
    </p>
  ) : (
    <Trouble error={refused} />
  );
