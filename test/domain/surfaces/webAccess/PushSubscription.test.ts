import { assert, describe, it } from "@effect/vitest"
import { endpointProblem, pushContact } from "../../../../src/domain/surfaces/webAccess/PushSubscription.ts"

describe("a browser's address for pushes", () => {
  it("is at a service of the Internet that speaks https", () => {
    for (const endpoint of [
      "https://fcm.googleapis.com/fcm/send/x:y",
      "https://updates.push.services.mozilla.com/wpush/v2/x",
      "https://web.push.apple.com/x",
      "https://wns2-par02p.notify.windows.com/w/?token=x",
      "https://push.example.net:8443/x"
    ])
      assert.isNull(endpointProblem(endpoint, []), endpoint)
  })

  it.each([
    ["http://push.example.net/x", /https/],
    ["ftp://push.example.net/x", /https/],
    ["file:///etc/passwd", /https/],
    ["no address", /cannot be used/],
    ["", /cannot be used/],
    ["https://user@push.example.net/x", /cannot be used/],
    ["https://user:word@push.example.net/x", /cannot be used/],
    ["https://localhost/x", /local network/],
    ["https://a.localhost/x", /local network/],
    ["https://localhost./x", /local network/],
    ["https://router/x", /local network/],
    ["https://nas.local/x", /local network/],
    ["https://nas.home.arpa/x", /local network/],
    ["https://127.0.0.1/x", /local network/],
    ["https://0x7f.1/x", /local network/],
    ["https://2130706433/x", /local network/],
    ["https://169.254.169.254/latest/meta-data", /local network/],
    ["https://10.0.0.1:6379/x", /local network/],
    ["https://8.8.8.8/x", /local network/],
    ["https://[::1]/x", /local network/],
    ["https://[::ffff:7f00:1]/x", /local network/]
  ] as const)("is not %s", (endpoint, why) => {
    assert.match(endpointProblem(endpoint, []) ?? "", why)
  })

  it("is in the local network where the user allows that very origin", () => {
    const allowed = ["http://127.0.0.1:9000", "https://push.home.lan"]
    assert.isNull(endpointProblem("http://127.0.0.1:9000/x", allowed))
    assert.isNull(endpointProblem("https://push.home.lan/x", allowed))
    for (const endpoint of ["http://127.0.0.1:9001/x", "https://127.0.0.1:9000/x", "http://push.home.lan/x"])
      assert.isNotNull(endpointProblem(endpoint, allowed), endpoint)
    assert.isNotNull(endpointProblem("http://x@127.0.0.1:9000/x", allowed))
  })

  it("is sent to in the name of the page's own address, where that is one", () => {
    assert.strictEqual(pushContact("https://box.example.ts.net"), "https://box.example.ts.net")
    assert.strictEqual(pushContact("http://127.0.0.1:7420"), "https://example.com")
  })
})
