import { Effect } from "effect"
import type { PermissionProtocol } from "../domain/cli/provider/PermissionProtocol.ts"
import type { ToolRequest } from "../domain/rules/policy/ToolRequest.ts"
import { readLine } from "../domain/words/text/ByteLines.ts"
import type { FileTail } from "./FileTail.ts"

/** How often, and how long after one another, the records are looked at: a hook waits for two seconds in all. */
const looks = 20
const pause = "25 millis"
/** The call that is asked about is the last or one of the last in them. */
const mostRecords = 1 << 19

/**
 * The request with the directory in which its command runs, where only the CLI's records say it (their end is read).
 * Where they do not say it in time, a part of the request could not be read.
 */
export const placedRequest = Effect.fnUntraced(function* (
  { place }: Pick<PermissionProtocol, "place">,
  { event, payload }: { readonly event: string; readonly payload: unknown },
  request: ToolRequest,
  { document, last }: Pick<FileTail["Service"], "document" | "last">
): Effect.fn.Return<ToolRequest> {
  const recorded = place?.(event, payload) ?? null
  if (recorded === null) return request
  for (let look = 0; look < looks; look++) {
    const whole = yield* document(recorded.file, mostRecords)
    const lines = whole?.split("\n") ?? (yield* last(recorded.file, mostRecords))
    const cwd = recorded.directoryIn(lines.filter((line) => line.includes(recorded.mark)).map((line) => readLine(line)))
    if (cwd !== null) return { ...request, cwd }
    if (!recorded.sure) return request
    yield* Effect.sleep(pause)
  }
  return { ...request, unread: [...(request.unread ?? []), "the directory in which it runs"] }
})
