import { assert, describe, it } from "@effect/vitest"
import { createECDH } from "node:crypto"
import { readPushKeys, pushKeysBytes } from "../../../src/domain/surfaces/webAccess/PushKeys.ts"
import { encrypted, newPushKeys, vapid } from "../../../src/layers/web/pushEncryption.ts"
import { makeBrowser, signatureOf } from "../../support/processes/PushedBrowser.ts"

const bytes = (text: string) => Buffer.from(text, "base64url")

/** The example of RFC 8291, appendix A. */
const example = {
  text: "When I grow up, I want to be a watermelon",
  sender: "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw",
  receiver: "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94",
  p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  auth: "BTBZMqHH6r4Tts7J_aSIgg",
  salt: "DGv6ra1nlYgDCS1FRnbzlw",
  body:
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A" +
    "_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
}

describe("a push", () => {
  it("is encrypted as RFC 8291 shows it", () => {
    const sender = createECDH("prime256v1")
    sender.setPrivateKey(bytes(example.sender))
    const body = encrypted(example.text, example, sender, bytes(example.salt))
    assert.strictEqual(Buffer.from(body).toString("base64url"), example.body)
    const browser = makeBrowser(bytes(example.receiver), bytes(example.auth))
    assert.strictEqual(browser.keys.p256dh, example.p256dh)
    assert.strictEqual(browser.read(bytes(example.body)), example.text)
  })

  it("is new each time, and read by nobody but its browser", () => {
    const [its, other] = [makeBrowser(), makeBrowser()]
    const [once, again] = [encrypted("a word \u2026", its.keys), encrypted("a word \u2026", its.keys)]
    assert.notDeepEqual(once, again)
    assert.strictEqual(its.read(Buffer.from(once)), "a word \u2026")
    assert.throws(() => other.read(Buffer.from(once)))
    assert.throws(() => encrypted("x", { ...its.keys, p256dh: `B${"A".repeat(86)}` }), /./)
  })

  it("is signed for its service by keys that are kept, as RFC 8292 has it", () => {
    const keys = newPushKeys()
    const read = readPushKeys(pushKeysBytes(keys))
    assert.deepStrictEqual(read._tag === "Success" ? read.success : null, keys)
    const claims = { service: "https://push.example.net", contact: "https://box.example", expires: 1_800_000_000 }
    const { head, isGenuine, key, ...signed } = signatureOf(vapid(keys, claims))
    assert.deepStrictEqual(head, { typ: "JWT", alg: "ES256" })
    assert.deepStrictEqual(signed.claims, { aud: claims.service, exp: claims.expires, sub: claims.contact })
    assert.strictEqual(key, keys.publicKey)
    assert.isTrue(isGenuine)
    assert.isFalse(signatureOf(vapid(keys, claims).replace(/k=.*/, `k=${newPushKeys().publicKey}`)).isGenuine)
    for (const wrong of ["", "{}", '{"schema":1,"publicKey":"x","privateKey":"y"}'])
      assert.strictEqual(readPushKeys(Buffer.from(wrong))._tag, "Failure", wrong)
  })
})
