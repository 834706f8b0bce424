import { assert } from "@effect/vitest"
import type { Session } from "./hosted.ts"

/** Whoever brings the session back when its host was killed lets what was held go. */
export const killed = async ({ leap, status, tag, until }: Session) => {
  process.kill((await status()).hostPid ?? assert.fail("no host"), "SIGKILL")
  await until("its host is gone", ({ state }) => state === "exited")
  await leap(["resume", "--tag", tag, "--last", "--detach"])
  await until("it is back", ({ ready, state }) => state === "idle" && ready)
  await leap(["queue", "retry", tag, "all"])
}
