/** Sends a message to a web address. */
export interface Post {
  /** One attempt; never throws. Undefined when it was taken, else what went wrong, without the address. */
  readonly send: (message: PostMessage) => Promise<PostProblem | undefined>;
}

export interface PostMessage {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The variable that holds the key of the signature; unsigned when left out. */
  readonly secretEnv?: string | undefined;
  readonly timeoutMs: number;
}

export interface PostProblem {
  readonly why: string;
  /** Whether another attempt may succeed. */
  readonly mayPass: boolean;
}
