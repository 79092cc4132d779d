/** A step that a worker holds, under the number of its claim. */
export interface ClaimedStep {
  readonly plan: string;
  readonly anchor: string;
  readonly title: string;
  readonly claim: number;
}
