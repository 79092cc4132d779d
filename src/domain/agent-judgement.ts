/**
 * What a verifying agent decided: its last line `Verdict: pass` or `Verdict: fail`, as its prompt asks for.
 *
 * Only these words count. An agent that ends otherwise has decided nothing, whatever its text sounds like.
 */
export function judgementIn(answer: string): "pass" | "fail" | undefined {
  const last = [
    ...answer.matchAll(
      /^[ \t>*#-]{0,8}verdict[ \t]{0,4}(?:\*\*)?:(?:\*\*)?[ \t]{0,4}[`*]{0,3}(pass|fail)[`*. \t\r]{0,5}$/gim,
    ),
  ].at(-1);
  return last?.[1]?.toLowerCase() as "pass" | "fail" | undefined;
}
