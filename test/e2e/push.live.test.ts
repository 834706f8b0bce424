import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { PushMessage } from "../../src/domain/surfaces/web/PushMessage.ts"
import type { Devices } from "../../src/domain/surfaces/webAccess/Devices.ts"
import { httpReceiver } from "../support/processes/httpReceiver.ts"
import { makeBrowser, signatureOf } from "../support/processes/PushedBrowser.ts"
import { eventually, makeRoom, type Room, startDemo } from "../support/processes/Room.ts"
import { openSocket, request } from "../support/processes/WebClient.ts"
import { comeIn, devices as runDevices, isSocket, type Known, serveOn, type Web } from "../support/processes/webRoom.ts"
import { live } from "../support/run/effects.ts"

/** `leap web` in a room, whose pushes may go to this service; until the scope ends. */
const serve = (room: Room, service: string, port = 0, ...flags: ReadonlyArray<string>) =>
  serveOn(room, port, "--push-origin", service, ...flags)

const openPage = Effect.fnUntraced(function* (web: Web, { cookie, key }: Known) {
  const opened = yield* Effect.promise(() => openSocket(web.port, { cookie, origin: web.origin }))
  if (!isSocket(opened)) throw new Error(`refused: ${opened.status}`)
  opened.send(JSON.stringify({ _tag: "Begin", key }))
  const told = (text: string) =>
    eventually(() => opened.texts.some((one) => one.includes(text)), `the page is told ${text}`)
  yield* told('"_tag":"Pushes"')
  let id = 0
  const ask = Effect.fnUntraced(function* (frame: object) {
    opened.send(JSON.stringify({ ...frame, id: ++id }))
    yield* told(`{"_tag":"Answered","id":${id},`)
    const answer = opened.texts.find((text) => text.includes(`"Answered","id":${id},`)) ?? ""
    return JSON.parse(answer) as { readonly isDone: boolean; readonly said: string }
  })
  const state = () => JSON.parse(opened.texts.findLast((text) => text.includes('"_tag":"Pushes"')) ?? "") as PagePushes
  return { socket: opened, ask, state }
})
interface PagePushes {
  readonly key: string | null
  readonly since: number | null
  readonly failure: string | null
}

/** A push service on this machine, with the browsers that it pushes to. */
const makeService = Effect.fnUntraced(function* (statusOf: (count: number) => number | null = () => 201) {
  const { requests, url } = yield* httpReceiver((count) => {
    const status = statusOf(count)
    return status === null ? null : { status }
  })
  const browserAt = (path: string) => {
    const { keys, read } = makeBrowser()
    const address = { endpoint: `${url}/${path}`, ...keys }
    const pushes = (): ReadonlyArray<PushMessage> =>
      requests.filter((one) => one.url === `/${path}`).map(({ bytes }) => JSON.parse(read(bytes)) as PushMessage)
    return { address, pushes }
  }
  return { requests, url, browserAt }
})
type Browser = ReturnType<Effect.Success<ReturnType<typeof makeService>>["browserAt"]>

/** Pushes to a browser come on, by its page. */
const subscribe = Effect.fnUntraced(function* (web: Web, known: Known, { address }: Browser) {
  const page = yield* openPage(web, known)
  const { isDone, said } = yield* page.ask({ _tag: "Subscribe", address })
  assert.isTrue(isDone, said)
  return page
})

/** What is posted for the action of a notification. */
const pressed = (web: Web, { cookie }: Known, body: object | string, origin = web.origin) =>
  Effect.promise(async () => {
    const { status, text } = await request(web.port, "/push", {
      method: "POST",
      headers: { cookie, origin, "content-type": "application/json" },
      body: typeof body === "string" ? body : JSON.stringify(body)
    })
    return status === 200
      ? (JSON.parse(text) as { readonly isDone: boolean; readonly said: string })
      : `${status} ${text}`
  })
type Pressed = { readonly isDone: boolean; readonly said: string } | string
const refusal = (answer: Pressed): string => (typeof answer === "string" ? answer : `done: ${answer.said}`)

/** The notice about a session's dialog, once it has come. */
const notice = Effect.fnUntraced(function* ({ pushes }: Browser, count = 1) {
  const all = () => pushes().filter((one) => one._tag === "Notice" && one.tag !== "")
  yield* eventually(() => all().length >= count, `${count} notices are pushed`)
  const last = all()[count - 1]
  if (last?._tag !== "Notice") throw new Error("no notice")
  return last
})
const send = (room: Room, text: string) => room.leap(["send", "one", text])
const files = (room: Room) => {
  const at = (name: string) => join(room.env["LEAP_HOME"]!, name)
  return {
    devices: () => JSON.parse(readFileSync(at("web-devices.json"), "utf8")) as Devices,
    write: (devices: Devices) => writeFileSync(at("web-devices.json"), JSON.stringify(devices)),
    keys: at("web-push.json")
  }
}

describe("pushes", () => {
  live("tell a device what nobody looks at, take its answer to that very dialog, and are withdrawn", function* () {
    const room = yield* makeRoom("0.1")
    yield* startDemo(room, "one")
    const service = yield* makeService()
    const web = yield* serve(room, service.url)
    const [phone, desk] = [service.browserAt("phone"), service.browserAt("desk")]
    const its = yield* comeIn(web)
    const page = yield* subscribe(web, its, phone)
    yield* subscribe(web, yield* comeIn(web), desk)

    // ---- a test, which only its browser can read, from a sender who is always the same
    assert.strictEqual((yield* page.ask({ _tag: "TestPush" })).said, "sent: its push service has taken it")
    const [{ bytes, headers } = assert.fail("no push")] = service.requests
    assert.deepInclude(headers, { "content-encoding": "aes128gcm", ttl: "43200", urgency: "high" })
    assert.match(String(headers["topic"]), /^[\w-]{32}$/)
    const { claims, isGenuine, key } = signatureOf(String(headers["authorization"]))
    assert.isTrue(isGenuine)
    assert.strictEqual(key, page.state().key)
    assert.deepInclude(claims, { aud: service.url, sub: "https://example.com" })
    assert.notInclude(bytes.toString("latin1"), "push")
    assert.strictEqual(phone.pushes()[0]?._tag, "Notice")
    assert.strictEqual(statSync(files(room).keys).mode & 0o777, 0o600)

    // ---- a need, in a notice's words, with the plain answers
    yield* send(room, "write a file")
    const asked = yield* notice(phone)
    assert.deepInclude(asked, { tag: "one", title: "one needs you", answers: ["allow", "deny"], standing: ["one"] })
    assert.match(asked.body, /^Write notes\.md\?.*\n1\. Yes\n/s)
    yield* notice(desk)

    // ---- what presses its action must be that browser, on that page, and mean that dialog
    const answer = { auth: phone.address.auth, tag: "one", digest: asked.digest, answer: "allow" }
    assert.match(refusal(yield* pressed(web, its, answer, "http://evil.example")), /^403 another site asks/)
    assert.match(refusal(yield* pressed(web, { ...its, cookie: "x=1" }, answer)), /^401 /)
    assert.match(refusal(yield* pressed(web, its, { ...answer, tag: "x".repeat(2000) })), /^400 /)
    const refusals = [
      [{ ...answer, auth: desk.address.auth }, /of a subscription that is over/],
      [{ ...answer, digest: "0".repeat(64) }, /the dialog has changed since you saw it/],
      [{ ...answer, digest: "" }, /the dialog has changed/],
      [{ ...answer, answer: "1" }, /no answer of a notification/],
      [{ ...answer, tag: "../../etc" }, /no answer of a notification/],
      [{ ...answer, tag: "nobody" }, /nobody/],
      ["{", /no answer of a notification/]
    ] as const
    for (const [body, said] of refusals) {
      const refused = yield* pressed(web, its, body)
      assert.isTrue(typeof refused === "object" && !refused.isDone, JSON.stringify(body))
      assert.match(typeof refused === "object" ? refused.said : "", said)
    }
    yield* room.until("one", ({ state }) => state === "needs_permission", "nothing was answered")
    const done = yield* pressed(web, its, answer)
    assert.deepInclude(done, { isDone: true })
    yield* room.until("one", ({ state }) => state === "idle", "it goes on")
    const again = yield* pressed(web, its, answer)
    assert.match(typeof again === "object" ? again.said : again, /there is no dialog any more: 'one' goes on/)

    // ---- it is withdrawn elsewhere, and where it was answered its answer stays
    yield* eventually(() => desk.pushes().some(({ _tag }) => _tag === "Over"), "it is withdrawn")
    assert.deepStrictEqual(desk.pushes().at(-1), { _tag: "Over", tag: "one", standing: [] })
    assert.deepStrictEqual(
      phone.pushes().map(({ _tag }) => _tag),
      ["Notice", "Notice"]
    )

    // ---- another dialog, by whose notice the first one is over for as long as the same one would still count as it
    yield* send(room, "ask me")
    assert.deepStrictEqual((yield* notice(phone, 2)).answers, [])
    assert.strictEqual((yield* room.leap(["answer", "one", "1"])).code, 0)
    yield* room.until("one", ({ state }) => state === "idle", "it goes on")

    // ---- the same dialog again is another one
    yield* send(room, "write a file")
    const next = yield* notice(phone, 3)
    assert.strictEqual(next.body, asked.body)
    assert.notStrictEqual(next.digest, asked.digest)
    const old = yield* pressed(web, its, answer)
    assert.match(typeof old === "object" ? old.said : old, /the dialog has changed since you saw it/)
    assert.deepInclude(yield* pressed(web, its, { ...answer, digest: next.digest, answer: "deny" }), { isDone: true })
    yield* room.until("one", ({ state }) => state === "idle", "it goes on")

    // ---- a session that is muted tells nobody
    assert.strictEqual((yield* room.leap(["mute", "one"])).code, 0)
    yield* send(room, "write a file")
    yield* room.until("one", ({ state }) => state === "needs_permission", "it asks")
    const answered = yield* room.leap(["answer", "one", "1"])
    assert.strictEqual(answered.code, 0, answered.stderr)
    yield* room.until("one", ({ state }) => state === "idle", "it goes on")
    assert.lengthOf(
      phone.pushes().filter(({ _tag, tag }) => _tag === "Notice" && tag === "one"),
      3
    )
  })

  live("go by a device's right, and by what is kept of it, also by the next leap web", function* () {
    const room = yield* makeRoom("0.1")
    yield* startDemo(room, "one")
    const service = yield* makeService()
    const { devices } = files(room)
    const first = yield* serve(room, service.url)
    const leap = (...args: ReadonlyArray<string>) => runDevices(room, ...args)
    const added = (yield* leap("add", "tablet", "--rights", "read")).split("#token=")[1]!
    const [phone, tablet] = [service.browserAt("phone"), service.browserAt("tablet")]
    const own = yield* comeIn(first)
    yield* subscribe(first, own, phone)
    const looking = yield* comeIn(first, added)
    yield* subscribe(first, looking, tablet)
    const key = (yield* openPage(first, own)).state().key
    yield* Effect.promise(first.end)

    // ---- after a restart they are there still, under the same key
    const web = yield* serve(room, service.url, first.port)
    const page = yield* openPage(web, own)
    assert.strictEqual(page.state().key, key)
    assert.isNumber(page.state().since)
    yield* send(room, "write a file")
    assert.deepStrictEqual((yield* notice(phone)).answers, ["allow", "deny"])
    const seen = yield* notice(tablet)
    assert.deepStrictEqual(seen.answers, [])
    const answer = { tag: "one", digest: seen.digest, answer: "allow" }
    const refused = yield* pressed(web, looking, { ...answer, auth: tablet.address.auth })
    assert.deepStrictEqual(refused, {
      isDone: false,
      said: "this browser may not do that: it lacks the right 'answer'"
    })
    yield* room.until("one", ({ state }) => state === "needs_permission", "nothing was answered")

    // ---- what is told of it, and what is gone with a device
    assert.match(yield* leap(), /DEVICE +MAY +SINCE +LAST SEEN +PUSHES\n.*tablet +read .* since /s)
    yield* leap("revoke", "tablet")
    assert.match(refusal(yield* pressed(web, looking, { ...answer, auth: tablet.address.auth })), /^401 /)
    const count = tablet.pushes().length
    assert.deepInclude(yield* pressed(web, own, { ...answer, auth: phone.address.auth }), { isDone: true })
    assert.deepInclude(yield* page.ask({ _tag: "Unsubscribe" }), { isDone: true })
    assert.notProperty(devices().devices[0], "push")
    assert.match((yield* page.ask({ _tag: "TestPush" })).said, /gets no pushes/)
    assert.strictEqual(tablet.pushes().length, count)

    // ---- a server that only looks takes no answers from anybody, and keeps nothing of its guests
    yield* subscribe(web, own, phone)
    yield* Effect.promise(web.end)
    const readOnly = yield* serve(room, service.url, first.port, "--read-only")
    yield* room.until("one", ({ state }) => state === "idle", "it rests")
    yield* send(room, "ask me")
    const last = yield* notice(phone, 2)
    assert.deepStrictEqual(last.answers, [])
    const no = yield* pressed(readOnly, own, { ...answer, digest: last.digest, auth: phone.address.auth })
    assert.deepInclude(no, { isDone: false })
    const guest = yield* openPage(readOnly, yield* comeIn(readOnly))
    assert.isNull(guest.state().key)
    assert.isFalse((yield* guest.ask({ _tag: "Subscribe", address: tablet.address })).isDone)
  })

  live("go to no address that a browser makes up, and end where the service knows the browser no more", function* () {
    const room = yield* makeRoom()
    let status = 201
    const service = yield* makeService(() => status)
    const elsewhere = yield* makeService()
    const { devices, keys, write } = files(room)
    const web = yield* serve(room, service.url)
    const its = yield* comeIn(web)
    const phone = service.browserAt("phone")
    const page = yield* openPage(web, its)

    // ---- addresses of this machine and of its network, and what is none
    for (const endpoint of [
      elsewhere.browserAt("x").address.endpoint,
      "https://127.0.0.1:1/x",
      "https://[::ffff:7f00:1]/x",
      "https://169.254.169.254/latest/meta-data",
      "file:///etc/passwd",
      "not an address"
    ]) {
      const { isDone, said } = yield* page.ask({ _tag: "Subscribe", address: { ...phone.address, endpoint } })
      assert.isFalse(isDone, endpoint)
      assert.match(said, /push service/)
    }
    assert.notProperty(devices().devices[0], "push")
    // a name of the Internet may lead here
    for (const wrong of [
      { endpoint: `${service.url}/${"x".repeat(1100)}` },
      { p256dh: "x" },
      { auth: `${phone.address.auth}x` }
    ]) {
      const other = yield* openPage(web, its)
      other.socket.send(JSON.stringify({ _tag: "Subscribe", id: 1, address: { ...phone.address, ...wrong } }))
      assert.strictEqual(yield* Effect.promise(() => other.socket.closed), 1008, JSON.stringify(wrong))
    }

    // ---- what is kept may be somebody else's by now: it is looked at before each push
    yield* subscribe(web, its, phone)
    const kept = devices()
    const { push } = kept.devices[0]!
    const inside = { ...push!, endpoint: elsewhere.browserAt("x").address.endpoint }
    write({ ...kept, devices: [{ ...kept.devices[0]!, push: inside }] })
    assert.match((yield* page.ask({ _tag: "TestPush" })).said, /does not speak https/)
    assert.deepStrictEqual(elsewhere.requests, [])
    const broken = { ...push!, p256dh: `B${"A".repeat(86)}` }
    write({ ...kept, devices: [{ ...kept.devices[0]!, push: broken }] })
    assert.match((yield* page.ask({ _tag: "TestPush" })).said, /its keys cannot be used/)
    write(kept)

    // ---- a failure is told, until one arrives; nothing is followed elsewhere
    status = 302
    assert.strictEqual((yield* page.ask({ _tag: "TestPush" })).said, "its push service answered 302")
    status = 403
    assert.strictEqual((yield* page.ask({ _tag: "TestPush" })).said, "its push service answered 403")
    assert.strictEqual(page.state().failure, "its push service answered 403")
    const listed = (yield* room.leap(["web", "devices"])).stdout
    assert.match(listed, /since .*; failed .*: its push service answered 403/)
    assert.notInclude(listed, service.url)
    status = 201
    assert.isTrue((yield* page.ask({ _tag: "TestPush" })).isDone)
    assert.isNull(page.state().failure)

    // ---- the browser is gone
    status = 410
    assert.match((yield* page.ask({ _tag: "TestPush" })).said, /answered 410.*not known there any more/)
    assert.isNull(page.state().since)
    assert.notProperty(devices().devices[0], "push")
    assert.match(web.errors(), /gets no pushes any more/)
    assert.notInclude(web.errors(), phone.address.auth)

    // ---- keys that cannot be read are said, and left as they are
    writeFileSync(keys, "{}")
    const without = yield* openPage(web, its)
    assert.isNull(without.state().key)
    assert.include(without.state().failure, "delete it to make new ones")
    assert.strictEqual(readFileSync(keys, "utf8"), "{}")
  })
})
