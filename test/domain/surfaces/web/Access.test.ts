import { assert, describe, it } from "@effect/vitest"
import { isLoopbackHost, isOwnOrigin } from "../../../../src/domain/surfaces/web/Access.ts"
import * as Rate from "../../../../src/domain/surfaces/web/Rate.ts"

describe("who may ask", () => {
  it.each(["127.0.0.1", "127.0.0.1:7420", "localhost:1", "LOCALHOST:7420", "[::1]:7420"])("by its name: %s", (host) => {
    assert.isTrue(isLoopbackHost(host))
    assert.isTrue(isOwnOrigin(`http://${host}`, host))
  })
  it.each(["", "evil.example", "localhost.evil.example", "evil.localhost", "127.0.0.1:", "127.0.0.1:1/", "127.0.0.2"])(
    "by no other: %s",
    (host) => assert.isFalse(isLoopbackHost(host))
  )
  it("no page of another origin, another port's included", () => {
    assert.isFalse(isLoopbackHost(undefined))
    for (const origin of [undefined, "null", "http://localhost:81", "https://localhost:80", "http://evil.example"])
      assert.isFalse(isOwnOrigin(origin, "localhost:80"), origin)
  })
})

describe("a rate", () => {
  const limit = { burst: 10, perSecond: 5 }
  it("allows a burst, and then what its time has freed", () => {
    const full = Rate.use(limit, Rate.unused, 10, 1000)
    assert.isNotNull(full)
    assert.isNull(Rate.use(limit, full, 1, 1100))
    const later = Rate.use(limit, full, 5, 2000)
    assert.deepStrictEqual(later, { used: 10, at: 2000 })
    assert.isNull(Rate.use(limit, later!, 1, 2000))
  })
  it("gives nothing for a clock that goes back, and saves nothing up", () => {
    const full = Rate.use(limit, Rate.unused, 10, 1000)!
    assert.isNull(Rate.use(limit, full, 1, 0))
    assert.isNull(Rate.use(limit, full, 11, 1_000_000))
  })
})
