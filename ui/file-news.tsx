import { useEffect, useState } from "preact/hooks";
import { onNews } from "./live.ts";
import { Ago } from "./parts/time.tsx";

/** When this window learned that a plan's file changed. */
const heard = new Map<string, string>();

/**
 * Says that a plan's file was written, as soon as it is known. What that means for its steps is found out afterwards; an
 * editor that has just saved must not look as if Pawl had not noticed.
 */
export function FileNews({ plan }: { readonly plan: string }) {
  const [at, setAt] = useState(heard.get(plan));
  useEffect(() => {
    setAt(heard.get(plan));
    return onNews((news) => {
      if (news.kind !== "file" || news.planPath !== plan) return;
      heard.set(plan, new Date().toISOString());
      setAt(heard.get(plan));
    });
  }, [plan]);
  return at === undefined ? null : (
    <span class="file-news">
      {" "}
      · file changed <Ago at={at} />
    </span>
  );
}
