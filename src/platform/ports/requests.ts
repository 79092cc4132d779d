/** Pull and merge requests of the service that hosts a remote, by the program that people have for it. */
export interface Requests {
  /** The program that is used, by its name. */
  readonly program: "gh" | "glab";
  /** Every request for a branch, closed ones too. */
  readonly list: (branch: string) => Promise<readonly HostedRequest[]>;
  /** Opens a draft. Fails where the service has one for the branch already. */
  readonly open: (request: NewRequest) => Promise<void>;
  readonly write: (number: number, body: string) => Promise<void>;
  /** A draft no longer. */
  readonly ready: (number: number) => Promise<void>;
  /** What the service's own checks say about a request. */
  readonly checks: (number: number, branch: string) => Promise<readonly HostedCheck[]>;
}

export interface HostedRequest {
  readonly number: number;
  readonly url: string;
  readonly body: string;
  readonly isDraft: boolean;
  readonly isOpen: boolean;
}

export interface NewRequest {
  readonly branch: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
}

export interface HostedCheck {
  readonly name: string;
  readonly outcome: "passed" | "failed" | "pending";
}
