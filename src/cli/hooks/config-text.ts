/** What a file becomes. `null`: it need not be there. `undefined`: it is not what it should be, and stays as it is. */
export type Edited = string | null | undefined;

/**
 * One kind of settings file. Both are exact: taking out what was put in gives the bytes that were there before, and a
 * file that was not there is gone again.
 */
export interface ConfigText {
  /** Puts ours in; `null` stands for a file that is not there. Done twice it is as if done once. */
  readonly put: (text: string | null) => Edited;
  /** Takes ours out, wherever it stands and however it is written by now. `undefined`: it is in, but in no form known. */
  readonly takeOut: (text: string | null) => Edited;
  /** What stands for nothing in a file that must stay, because a link leads to it. */
  readonly nothing: string;
}

/** Whether ours is in it. */
export const isIn = (kind: ConfigText, text: string | null): boolean =>
  text !== null && kind.takeOut(text) !== text;
