import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import {
  accepted,
  admitted,
  browserName,
  deviceOf,
  type Devices,
  devicesBytes,
  invitationMost,
  invited,
  noDevices,
  readDevices,
  revoked,
  withSeen,
  without
} from "../../../../src/domain/surfaces/webAccess/Devices.ts"

const day = 86_400_000
const device = (name: string) => ({ name, cookie: `cookie of ${name}`, key: `key of ${name}` })
const withNames = (...names: ReadonlyArray<string>): Devices =>
  names.reduce(
    (all: Devices, name, n) => admitted(all, { ...device(`${name}${n}`), name, rights: ["read"] }, n),
    noDevices
  )
const namesOf = ({ devices }: Devices) => devices.map(({ name }) => name)

describe("the browsers that may come in", () => {
  const invitation = { name: "phone", rights: ["read", "answer"] as const, token: "t", until: 1000 }

  it("are let in by an invitation once, in time, with its rights and its name", () => {
    const all = invited(noDevices, invitation, 0)
    const next = accepted(all, "t", device("Chrome"), 999)!
    assert.deepStrictEqual(next.devices, [
      {
        name: "phone",
        rights: ["read", "answer"],
        cookie: "cookie of Chrome",
        key: "key of Chrome",
        since: 999,
        seen: 999
      }
    ])
    assert.isNull(accepted(next, "t", device("Chrome"), 999))
    assert.isNull(accepted(all, "t", device("Chrome"), 1000))
    assert.isNull(accepted(all, "other", device("Chrome"), 0))
    assert.strictEqual(
      namesOf(accepted(invited(all, { ...invitation, name: null, token: "u" }, 0), "u", device("Safari"), 0)!)[0],
      "Safari"
    )
  })

  it("are known by their cookie until they were away for ninety days, or are revoked", () => {
    const all = withNames("a", "b")
    assert.strictEqual(deviceOf(all, "cookie of a0", 90 * day - 1)?.name, "a")
    assert.isNull(deviceOf(all, "cookie of a0", 90 * day))
    assert.isNull(deviceOf(all, "key of a0", 0))
    assert.deepStrictEqual(namesOf(revoked(all, ["a"])), ["b"])
    assert.deepStrictEqual(namesOf(without(all, "cookie of b1")), ["a"])
    assert.deepStrictEqual(without(all, undefined), all)
    assert.deepStrictEqual(revoked(invited(all, invitation, 0), null), noDevices)
    assert.deepStrictEqual(revoked(invited(all, invitation, 0), ["phone"]).invitations, [])
    const seen = withSeen(all, "cookie of a0", 80 * day)!
    assert.isNotNull(deviceOf(seen, "cookie of a0", 100 * day))
    assert.isNull(withSeen(seen, "cookie of a0", 80 * day + 1000), "it is not written at each look")
    assert.isNull(withSeen(all, "unknown", 80 * day))
  })

  it("have a name each, and are not more than there may be", () => {
    assert.deepStrictEqual(namesOf(withNames("a", "a", "a")).sort(), ["a", "a 2", "a 3"])
    const many = withNames(...Array.from({ length: 70 }, () => "b"))
    assert.lengthOf(many.devices, 64)
    assert.isNull(deviceOf(many, "cookie of b0", 100), "who was longest away goes")
    const asked = Array.from({ length: 20 }, (_, n) => `t${n}`).reduce(
      (all: Devices, token) => invited(all, { ...invitation, token }, 0),
      noDevices
    )
    assert.lengthOf(asked.invitations, 16)
    assert.isAtMost(invitationMost, 600_000)
  })

  it("are read as they were written; what is no list of them lets nobody in", () => {
    const all = invited(withNames("a"), invitation, 0)
    assert.deepStrictEqual(Result.getOrThrow(readDevices(devicesBytes(all))), all)
    assert.deepStrictEqual(Result.getOrThrow(readDevices(null)), noDevices)
    for (const text of ["", "{}", '{"schema":2}', '{"schema":1,"devices":[{"name":"x"}],"invitations":[]}']) {
      assert.isTrue(Result.isFailure(readDevices(new TextEncoder().encode(text))), text)
    }
  })

  it.each([
    ["Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0", "Firefox on Linux"],
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/150.0 Safari/537.36 Edg/150.0",
      "Edge on Windows"
    ],
    ["Mozilla/5.0 (Linux; Android 16; K) AppleWebKit/537.36 Chrome/150.0 Mobile Safari/537.36", "Chrome on Android"],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 20_0 like Mac OS X) AppleWebKit/605 Version/20 Safari/604",
      "Safari on iPhone"
    ],
    ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605 Version/20 Safari/605", "Safari on Mac"],
    ["", "browser"],
    ["\u001b]0;x\u0007", "browser"]
  ])("are named after what they call themselves: %s", (userAgent, name) => {
    assert.strictEqual(browserName(userAgent), name)
  })
})
