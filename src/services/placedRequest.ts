import { Effect } from "effect"
import type { PermissionProtocol } from "../domain/cli/provider/PermissionProtocol.ts"
import type { ToolRequest } from "../domain/rules/policy/ToolRequest.ts"
import { readLine } from "../domain/words/text/ByteLines.ts"

/** How often, and how long after one another, the records are looked at: a hook waits for two seconds in all. */
const looks = 20
const pause = "25 millis"

/**
 * The request with the directory in which its command runs, where only the CLI's records say it (`read`: their end).
 * Where they do not say it in time, a part of the request could not be read.
 */
export const placedRequest = Effect.fnUntraced(function* (
  { place }: Pick<PermissionProtocol, "place">,
  { event, payload }: { readonly event: string; readonly payload: unknown },
  request: ToolRequest,
  read: (file: string) => Effect.Effect<string | null>
): Effect.fn.Return<ToolRequest> {
  const recorded = place?.(event, payload) ?? null
  if (recorded === null) return request
  for (let look = 0; look < looks; look++) {
    const lines = ((yield* read(recorded.file)) ?? "").split("\n")
    const cwd = recorded.directoryIn(lines.filter((line) => line.includes(recorded.mark)).map((line) => readLine(line)))
    if (cwd !== null) return { ...request, cwd }
    if (!recorded.sure) return request
    yield* Effect.sleep(pause)
  }
  return { ...request, unread: [...(request.unread ?? []), "the directory in which it runs"] }
})
