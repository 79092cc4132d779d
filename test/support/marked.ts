/**
 * A text with its changes marked in place: `⟦before→after⟧`, where either side may be empty.
 *
 * So a fixture shows at a glance which bytes a write-back touches, and everything outside the marks is what must stay.
 */
export function readMarked(marked: string): { readonly before: string; readonly after: string } {
  return { before: marked.replaceAll(MARK, "$<before>"), after: marked.replaceAll(MARK, "$<after>") };
}

const MARK = /⟦(?<before>[^→⟧]*)→(?<after>[^⟧]*)⟧/g;
