import { assert, describe, it } from "@effect/vitest"
import { parseMarker } from "../../../src/domain/terminal/recording/Cast.ts"
import { builtin } from "../../support/providers.ts"
import { isRecorded, list, read } from "../../support/recordings/recordings.ts"
import { each } from "../../support/data/fields.ts"

const recordedClis = builtin.filter(({ id, permissions }) => permissions.decisions.length > 0 && isRecorded(id))

/** The events with payloads that were recorded of a CLI. */
const recorded = (set: string): ReadonlyArray<readonly [event: string, payload: unknown]> =>
  list(set).flatMap((name) =>
    read(name).lines.flatMap(([, code, data]) => {
      const marker = code === "m" && data.startsWith("hook:") ? parseMarker(data) : null
      return marker?._tag === "Hook" ? [[marker.event, marker.payload] as const] : []
    })
  )

describe("permissions that real CLIs asked for", () => {
  it("are recorded of the CLIs that leap was checked with", () =>
    assert.includeMembers(each(recordedClis, "id"), ["claude", "codex", "gemini", "copilot", "opencode"]))

  it.each(recordedClis.map((provider) => [provider.id, provider] as const))(
    "%s: are known, with what they are for",
    (id, { permissions }) => {
      const events = new Set(permissions.decisions.map(({ event }) => event))
      const asked = recorded(id).filter(([event]) => events.has(event))
      assert.isAbove(asked.length, 10)
      for (const [event, payload] of asked) {
        const request = permissions.request(event, payload)?.request
        assert.isDefined(request, `${event} ${JSON.stringify(payload)}`)
        if (request?.kind === "command") assert.isNotNull(request.command)
        if (request?.kind === "edit") assert.isNotEmpty(request.paths)
        // An OpenCode before leap's additions said nothing of where it works.
        if (id !== "opencode") assert.strictEqual(request?.cwd, "/home/dev/project")
      }
    }
  )
})
