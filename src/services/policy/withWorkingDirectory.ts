import { Effect } from "effect"
import type { PermissionProtocol } from "../../domain/cli/provider/PermissionProtocol.ts"
import type { ToolRequest } from "../../domain/policy/ToolRequest.ts"
import { readLine } from "../../domain/words/text/ByteLines.ts"
import type { FileTail } from "../FileTail.ts"

/** How often leap reads the transcript, and the pause between reads. The pauses take less than a hook's two seconds. */
const reads = 20
const pause = "25 millis"
/** leap reads at most this many bytes from the transcript's end. The call is among its last entries. */
const tailBytes = 1 << 19

/**
 * Adds the command's working directory to the request, where only the transcript's end contains it. If it must appear
 * there but does not in time, the request is marked as partly unreadable.
 */
export const withWorkingDirectory = Effect.fnUntraced(function* (
  { place }: Pick<PermissionProtocol, "place">,
  { event, payload }: { readonly event: string; readonly payload: unknown },
  request: ToolRequest,
  { document, last }: Pick<FileTail["Service"], "document" | "last">
): Effect.fn.Return<ToolRequest> {
  const recorded = place?.(event, payload) ?? null
  if (recorded === null) return request
  for (let read = 0; read < reads; read++) {
    const whole = yield* document(recorded.file, tailBytes)
    const lines = whole?.split("\n") ?? (yield* last(recorded.file, tailBytes))
    const cwd = recorded.directoryIn(lines.filter((line) => line.includes(recorded.mark)).map((line) => readLine(line)))
    if (cwd !== null) return { ...request, cwd }
    if (!recorded.sure) return request
    yield* Effect.sleep(pause)
  }
  return { ...request, unread: [...(request.unread ?? []), "the directory in which it runs"] }
})
