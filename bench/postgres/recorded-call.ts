import type { Client } from "pg";

/** One message to the server, as Pawl sent it. */
export interface RecordedCall {
  readonly text: string;
  readonly values: readonly unknown[] | undefined;
  /** The name under which the connection remembers it, if Pawl gave it one. */
  readonly name: string | undefined;
  readonly rows: number;
}

/** The statement that answers which step it is going to be: whatever came with the recorded anchor follows it. */
export const choosesStep = ({ text }: RecordedCall): boolean =>
  text.includes("skip locked") && text.includes("status = 'pending'");

type Asked = string | { readonly text: string; readonly values?: readonly unknown[]; readonly name?: string };
type Query = (asked: Asked, values?: readonly unknown[]) => Promise<{ rowCount: number | null }>;

/** Writes down everything that clients are asked while `work` runs. */
export async function record(prototype: Client, work: () => Promise<void>): Promise<readonly RecordedCall[]> {
  const calls: RecordedCall[] = [];
  const { query } = prototype as unknown as { query: Query };
  const recording = async function (this: Client, asked: Asked, values?: readonly unknown[]) {
    const place = calls.length;
    const call =
      typeof asked === "string"
        ? { text: asked, values, name: undefined }
        : { values: undefined, name: undefined, ...asked };
    calls.push({ ...call, rows: 0 });
    const result = await query.call(this, asked, values);
    calls[place] = { ...call, rows: result.rowCount ?? 0 };
    return result;
  };
  Object.assign(prototype, { query: recording });
  try {
    await work();
  } finally {
    Object.assign(prototype, { query });
  }
  return calls;
}
