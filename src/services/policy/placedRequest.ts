import { Effect } from "effect"
import type { PermissionProtocol } from "../../domain/cli/provider/PermissionProtocol.ts"
import type { ToolRequest } from "../../domain/policy/ToolRequest.ts"
import { readLine } from "../../domain/words/text/ByteLines.ts"
import type { FileTail } from "../FileTail.ts"

/** How often, and at which interval, the records are read. A hook waits for two seconds in all. */
const looks = 20
const pause = "25 millis"
/** The number of last bytes of the records to read; the call is among the last entries. */
const mostRecords = 1 << 19

/**
 * Adds the directory in which the request's command runs, if only the end of the CLI's records has it. If it does not
 * appear there in time, the request is marked as partly unreadable.
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
