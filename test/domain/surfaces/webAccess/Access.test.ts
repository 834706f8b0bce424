import { assert, describe, it } from "@effect/vitest"
import { isHostName, isOwnHost, isOwnOrigin } from "../../../../src/domain/surfaces/webAccess/Access.ts"
import * as Rate from "../../../../src/domain/surfaces/webAccess/Rate.ts"

describe("who may ask", () => {
  it.each(["127.0.0.1", "127.0.0.1:7420", "localhost:1", "LOCALHOST:7420", "[::1]:7420"])("by its name: %s", (host) => {
    assert.isTrue(isOwnHost(host, []))
    assert.isTrue(isOwnOrigin(`http://${host}`, host, []))
  })
  it.each(["", "evil.example", "localhost.evil.example", "evil.localhost", "127.0.0.1:", "127.0.0.1:1/", "127.0.0.2"])(
    "by no other: %s",
    (host) => assert.isFalse(isOwnHost(host, ["box.example"]))
  )
  it("no page of another origin, another port's included", () => {
    assert.isFalse(isOwnHost(undefined, []))
    for (const origin of [undefined, "null", "http://localhost:81", "https://localhost:80", "http://evil.example"])
      assert.isFalse(isOwnOrigin(origin, "localhost:80", ["localhost"]), String(origin))
  })
  it("by a name that its user gave, exactly that, with and without TLS", () => {
    const names = ["box.example", "[fd00::1]"]
    for (const host of ["box.example", "BOX.example:8443", "[fd00::1]:7420", "127.0.0.1:7420"]) {
      assert.isTrue(isOwnHost(host, names), host)
    }
    for (const host of ["x.box.example", "box.example.evil", "boxxexample", "box.example:1:2", "u@box.example"]) {
      assert.isFalse(isOwnHost(host, names), host)
    }
    for (const scheme of ["http", "https"]) {
      assert.isTrue(isOwnOrigin(`${scheme}://box.example:8443`, "box.example:8443", names))
      assert.isFalse(isOwnOrigin(`${scheme}://box.example`, "box.example:8443", names))
      assert.isFalse(isOwnOrigin(`${scheme}://evil.example`, "box.example", names))
    }
  })
  it.each(["https://box", "box:80", "box/x", "box example", "", ".box", "box-", "a@b", "*"])("no name: %s", (name) => {
    assert.isFalse(isHostName(name))
  })
})

describe("a rate", () => {
  const limit = { burst: 10, perSecond: 5 }
  it("allows a burst, and then what its time has freed", () => {
    const full = Rate.use(limit, Rate.noUse, 10, 1000)
    assert.isNotNull(full)
    assert.isNull(Rate.use(limit, full, 1, 1100))
    const later = Rate.use(limit, full, 5, 2000)
    assert.deepStrictEqual(later, { used: 10, at: 2000 })
    assert.isNull(Rate.use(limit, later!, 1, 2000))
  })
})
