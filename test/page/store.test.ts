import { afterAll, assert, beforeAll, beforeEach, describe, it, vi } from "@effect/vitest"
import { webSession } from "../../src/domain/surfaces/web/webSession.ts"
import type { SessionStatus } from "../../src/domain/words/session/Session.ts"
import { announcement, clashes, sessions, take, timeline } from "../../src/page/store.ts"
import { sessionStatus } from "../support/data/sessionStatus.ts"

const session = (tag: string, status: Partial<SessionStatus> = {}) =>
  webSession({ link: "live", status: sessionStatus({ ...status, tag }) })
const changed = (tag: string, status: Partial<SessionStatus> = {}) =>
  take({ _tag: "Changed", session: session(tag, status) })

describe("what a page keeps of its sessions", () => {
  // one clock for all of them, as the page has
  beforeAll(() => void vi.useFakeTimers())
  afterAll(() => void vi.useRealTimers())
  beforeEach(() => {
    take({ _tag: "Sessions", sessions: [session("a"), session("b")], timeline: [], figures: [] })
    vi.advanceTimersByTime(1000)
  })

  it("takes hundreds of changes in at once, of each session the last one", () => {
    let seen = 0
    const stop = sessions.subscribe(() => seen++)
    seen = 0
    for (let step = 0; step < 500; step++) changed(step % 2 === 0 ? "a" : "b", { reason: `step ${step}` })
    vi.advanceTimersByTime(1000)
    stop()
    assert.isAtMost(seen, 2)
    assert.deepStrictEqual(
      ["a", "b"].map((tag) => sessions.value.get(tag)?.reason),
      ["step 498", "step 499"]
    )
  })

  it("shows one change at once", () => {
    changed("a", { reason: "new" })
    vi.advanceTimersByTime(0)
    assert.strictEqual(sessions.value.get("a")?.reason, "new")
  })

  it("keeps the order of a change and of what follows it", () => {
    changed("a", { reason: "last" })
    take({ _tag: "Gone", tag: "a" })
    changed("b", { reason: "old" })
    take({ _tag: "Sessions", sessions: [session("b")], timeline: [], figures: [] })
    vi.advanceTimersByTime(1000)
    assert.deepStrictEqual([...sessions.value.keys()], ["b"])
    assert.strictEqual(sessions.value.get("b")?.reason, "test")
    assert.isFalse(timeline.value.has("a"))
  })

  it("knows who writes the same file, says it once, and forgets who has ended", () => {
    const writes = [{ path: "/p/main.ts", at: new Date().toISOString() }]
    changed("a", { state: "running", writes })
    changed("b", { state: "running", writes })
    vi.advanceTimersByTime(100)
    assert.deepStrictEqual(clashes.value.get("a")?.[0]?.others, ["b"])
    assert.strictEqual(announcement.value, "a and b write the same file: /p/main.ts")
    announcement.value = ""
    changed("a", { state: "running", writes, reason: "more" })
    vi.advanceTimersByTime(100)
    assert.strictEqual(announcement.value, "")
    // what is said next does not take it away
    changed("b", { state: "needs_permission", message: "approve", writes })
    vi.advanceTimersByTime(100)
    assert.strictEqual(announcement.value, "b asks for permission: approve; ≠ a writes main.ts too")
    changed("b", { state: "exited", writes })
    vi.advanceTimersByTime(100)
    assert.strictEqual(clashes.value.size, 0)
  })

  it.each([6, -6])("counts the minutes since a write by the server's clock, which is %i minutes ahead", (ahead) => {
    const server = Date.now() + ahead * 60_000
    take({ _tag: "Hello", version: "x", may: [], now: server })
    for (const [minutes, size] of [
      [9, 2],
      [11, 0]
    ] as const) {
      const writes = [{ path: "/p/main.ts", at: new Date(server - minutes * 60_000).toISOString() }]
      changed("a", { state: "running", writes })
      changed("b", { state: "running", writes })
      vi.advanceTimersByTime(100)
      assert.strictEqual(clashes.value.size, size, `${minutes} minutes ago`)
    }
  })
})
