import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { newPushKeys } from "../../../src/layers/web/pushEncryption.ts"
import { isLocalAddress, post } from "../../../src/layers/web/WebPushNode.ts"
import { httpReceiver } from "../../support/processes/httpReceiver.ts"
import { makeBrowser } from "../../support/processes/PushedBrowser.ts"
import { live } from "../../support/run/effects.ts"

describe("a push service's address", () => {
  it.each([
    ["127.0.0.1", true],
    ["10.1.2.3", true],
    ["172.31.0.1", true],
    ["172.32.0.1", false],
    ["192.168.1.1", true],
    ["169.254.169.254", true],
    ["100.100.100.100", true],
    ["0.0.0.0", true],
    ["255.255.255.255", true],
    ["239.1.1.1", true],
    ["142.250.1.95", false],
    ["::1", true],
    ["::", true],
    ["::ffff:127.0.0.1", true],
    ["::ffff:10.0.0.1", true],
    ["64:ff9b::a00:1", true],
    ["fd00::1", true],
    ["fe80::1", true],
    ["2a00:1450:4001::200a", false]
  ])("is in the local network: %s, %s", (address, isLocal) => {
    assert.strictEqual(isLocalAddress(address), isLocal)
  })

  live("is not asked where its name leads into the local network, unless that is allowed", function* () {
    const { requests, url } = yield* httpReceiver(() => ({ status: 302, headers: { location: "/elsewhere" } }))
    const endpoint = url.replace("127.0.0.1", "localhost")
    const push = (isLocal: boolean, endpoint: string) =>
      post({
        address: { endpoint, ...makeBrowser().keys },
        keys: newPushKeys(),
        contact: "https://example.com",
        text: "x",
        ttl: 1,
        topic: "x",
        isUrgent: true,
        isLocal
      })
    const { why } = yield* Effect.flip(push(false, endpoint))
    assert.strictEqual(why, "its push service cannot be reached")
    assert.deepStrictEqual(requests, [])
    const { status } = yield* push(true, endpoint)
    assert.strictEqual(status, 302)
    assert.lengthOf(requests, 1, "it is not followed")
  })
})
