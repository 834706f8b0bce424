import { assert, describe, it } from "@effect/vitest"
import { hostEnvironment, hostMemory, hostOnly } from "../../../../src/domain/words/environment/hostMemory.ts"

describe("a host's memory settings", () => {
  it("are the host's alone, and taken out again by it", () => {
    const env = hostEnvironment({ HOME: "/home/me" })
    assert.deepStrictEqual(env, { HOME: "/home/me", ...hostMemory })
    assert.deepStrictEqual(hostOnly(env), Object.keys(hostMemory))
  })

  it.each([{ MALLOC_ARENA_MAX: "1" }, { MALLOC_MMAP_THRESHOLD_: "65536" }, { GLIBC_TUNABLES: "glibc.malloc.check=3" }])(
    "stay away where the user has some: %j",
    (env) => {
      assert.deepStrictEqual(hostEnvironment(env), env)
      assert.deepStrictEqual(hostOnly(env), [])
    }
  )
})
