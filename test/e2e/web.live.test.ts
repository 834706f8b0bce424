import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import * as net from "node:net"
import { join } from "node:path"
import { type Call, callNames } from "../../src/domain/surfaces/operations/calls.ts"
import { rightOf } from "../../src/domain/surfaces/operations/operations.ts"
import { eventually, kill, makeRoom, type Room, startDemo } from "../support/processes/Room.ts"
import { frameHeader, openSocket, type RawSocket, request } from "../support/processes/WebClient.ts"
import { comeIn, devices, exchange, isSocket, type Known, serveOn, type Web } from "../support/processes/webRoom.ts"
import { isThorough } from "../support/run/thorough.ts"
import { lookingAgain } from "../support/run/patience.ts"
import { live } from "../support/run/effects.ts"
import { each } from "../support/data/fields.ts"
import { makePlace } from "../support/processes/pastSessions.ts"
import type { ServerFrame, Wish } from "../../src/domain/surfaces/web/Frames.ts"

/** `leap web` in a room, until the scope ends. */
const serve = (room: Room, ...flags: ReadonlyArray<string>) => serveOn(room, 0, ...flags)
/** A page as the real one begins. */
const begin = async (web: Web): Promise<RawSocket> => {
  const known = await exchange(web)
  const [cookie = ""] = known.headers["set-cookie"]?.[0]?.split(";") ?? []
  const opened = await openSocket(web.port, { cookie, origin: web.origin })
  if (!isSocket(opened)) throw new Error(`refused: ${opened.status}`)
  opened.send(JSON.stringify({ _tag: "Begin", ...(JSON.parse(known.text) as { key: string }) }))
  return opened
}
const told = (page: RawSocket, text: string) =>
  eventually(() => page.texts.some((one) => one.includes(text)), `the page is told ${text}`)

/** A frame that asks for an operation. */
const asking = (id: number, tag: string, call: Call): string => JSON.stringify({ _tag: "Call", id, tag, call })
const sending = (id: number, tag: string, text: string, more: object = {}): string =>
  asking(id, tag, { _tag: "Send", text, images: [], front: false, force: false, ...more })

describe("leap web", () => {
  live("does with a session what commands do, in their words", function* () {
    const room = yield* makeRoom("0.1")
    yield* startDemo(room, "one")
    const web = yield* serve(room)
    const page = yield* Effect.promise(() => begin(web))
    let id = 0
    const does = Effect.fnUntraced(function* (call: Call, ...said: ReadonlyArray<string>) {
      page.send(asking(++id, "one", call))
      const start = `{"_tag":"Answered","id":${id},`
      yield* told(page, start)
      const answer = page.texts.find((text) => text.includes(start)) ?? ""
      for (const part of said) assert.include(answer, part)
    })
    const send: Call = { _tag: "Send", text: "tool 600", images: [], front: false, force: false }
    yield* does(send, '"isDone":true,"said":"queued as ')
    yield* room.until("one", ({ state }) => state === "running", "a turn")
    for (const text of ["first", "second"]) yield* does({ ...send, text }, '"said":"queued as ')
    yield* does({ _tag: "QueueHold", id: null }, "2 messages held: ", "“first”, ", "“second”")
    const [first, second] = (yield* room.until("one", ({ queue }) => queue.length === 3, "both wait")).queue.slice(1)
    yield* does({ _tag: "QueueMove", id: second!.id, position: 1 }, "moved to position 1: ", "“second”")
    yield* does({ _tag: "QueueEdit", id: first!.id, text: "changed" }, "“first” is now “changed”")
    yield* does({ _tag: "QueueRelease", id: first!.id }, "1 message released: ", "“changed”")
    yield* does({ _tag: "QueueRemove", id: second!.id }, "removed: ", "“second”")
    yield* does({ _tag: "QueueRemove", id: second!.id }, '"isDone":false')
    yield* does({ _tag: "SetModes", modes: { autoSend: "always" } }, "auto-send always")
    yield* does({ _tag: "Why" }, '"text":"running')
    // what is not in the box cannot be taken out of it, and is nobody's text then
    yield* does({ _tag: "TakeDraft", text: "not there" }, "the text stays in the CLI's box", '"text":null')
    yield* does({ _tag: "Interrupt" }, "the turn was interrupted")
    yield* does({ _tag: "QueueClear" }, '"isDone":true')
    yield* does({ _tag: "Stop", force: false }, "it has ended; what is queued is kept")
    yield* does({ _tag: "Interrupt" }, '"isDone":false')
    const { stdout } = yield* room.leap(["status", "one", "--json"])
    assert.match(stdout, /"state":"exited".*"autoSend":"always"/)
  })
})

/** What a page wishes for, one wish after another; the answer to each. */
const wishing = (page: RawSocket) => {
  let id = 1000
  return Effect.fnUntraced(function* ({ tag = "x", ...call }: WishOf) {
    page.send(JSON.stringify({ _tag: "Call", id: ++id, tag, call }))
    const start = `{"_tag":"Answered","id":${id},`
    yield* told(page, start)
    return JSON.parse(page.texts.find((text) => text.startsWith(start)) ?? "") as Extract<
      ServerFrame,
      { readonly _tag: "Answered" }
    >
  })
}
type WishOf = Wish & { readonly tag?: string }
const starting = (tag: string, more: Partial<Extract<Wish, { readonly _tag: "Start" }>> = {}): WishOf => ({
  _tag: "Start",
  tag,
  cli: "claude",
  directory: "~/a",
  worktree: false,
  args: "",
  first: "",
  ...more
})

describe("whole sessions from the page", () => {
  live("are started, gone on with, moved and forgotten as commands do it, in their words", function* () {
    const place = yield* makePlace()
    const { at, leap, log, past, room } = place
    yield* past("old", "b", "bbbb-1")
    const web = yield* serve({ ...room, env: place.env })
    const page = yield* Effect.promise(() => begin(web))
    const wish = wishing(page)
    yield* told(page, '"_tag":"Hello"')
    const offered = page.texts.find((text) => text.includes('"_tag":"Hello"')) ?? ""
    for (const name of ["Start", "GoOn", "Folders"]) assert.include(offered, `"${name}"`)
    assert.notInclude(offered, '"Edit"', "there are no windows here")

    // ---- what it can be started with, and where
    const choices = yield* wish({ _tag: "Choices" })
    assert.deepNestedInclude(choices, { "found.directory": "~", "found.clis[0].id": "claude" })
    const folders = yield* wish({ _tag: "Folders", path: "~/c " })
    assert.deepStrictEqual(folders.found, { _tag: "Folders", paths: ["~/c d"], branch: null })

    // ---- what is refused is refused in the command's words, and nothing is started
    const refused = [
      [starting("new", { directory: "~/nowhere" }), ["new", "--cli", "claude", "--cwd", at("nowhere"), "--detach"]],
      [starting("new", { cli: "codex" }), ["new", "--cli", "codex", "--detach"]],
      [starting("new", { cli: "--json" }), ["new", "--cli=--json", "--detach"]],
      [starting("new", { worktree: true }), ["new", "--cli", "claude", "--cwd", at("a"), "--worktree=", "--detach"]]
    ] as const
    for (const [wanted, args] of refused) {
      const { stderr } = yield* leap(...args)
      const answer = yield* wish(wanted)
      assert.isFalse(answer.isDone)
      assert.strictEqual(`leap: ${answer.said}`, stderr.trim())
    }
    assert.match((yield* wish(starting("new", { args: "'" }))).said, /arguments cannot be read: a ' is never closed/)
    assert.match((yield* wish(starting("status"))).said, /status/)
    assert.strictEqual((yield* leap("status", "new")).code, 3)

    // ---- with arguments and a first message; the name is taken then
    writeFileSync(at("next-id"), "aaaa-1")
    const started = yield* wish(starting("new", { directory: "~/c d", args: "--model 'a b'", first: "hello" }))
    assert.isTrue(started.isDone, started.said)
    yield* eventually(() => log().at(-1) === "startup in /c d with --model a b", "its CLI is there")
    assert.include((yield* leap("queue", "list", "new")).stdout, "hello")
    const taken = yield* leap("new", "--cli", "claude", "--detach")
    assert.strictEqual(`leap: ${(yield* wish(starting("new"))).said}`, taken.stderr.trim())
    assert.match((yield* wish({ _tag: "Forget", tag: "new", force: false })).said, /runs; 'leap stop new' ends it/)

    // ---- in the editor, where there are windows
    writeFileSync(at("bin/code"), '#!/bin/sh\nprintf %s "$*" >"$HOME/opened"\n', { mode: 0o755 })
    const desktop = yield* serve({ ...room, env: { ...place.env, DISPLAY: ":9", VISUAL: "code -n" } })
    const there = yield* Effect.promise(() => begin(desktop))
    yield* told(there, '"Edit"')
    assert.strictEqual((yield* wishing(there)({ _tag: "Edit", tag: "new" })).said, "opened in code")
    assert.strictEqual(readFileSync(at("opened"), "utf8"), `-n ${at("c d")}`)
    assert.match((yield* wish({ _tag: "Edit", tag: "new" })).said, /cannot be done here/)

    // ---- what takes long keeps nobody from a session
    writeFileSync(at("bin/code"), "#!/bin/sh\nexec sleep 2\n")
    const edit = { _tag: "Edit" }
    for (let id = 1; id <= 40; id++) there.send(JSON.stringify({ _tag: "Call", id, tag: "new", call: edit }))
    there.send(asking(99, "new", { _tag: "Why" }))
    yield* told(there, '"Answered","id":99,')
    const opened = there.texts.filter((text) => /"Answered","id":[1-4]?\d,/.test(text))
    assert.isBelow(opened.length, 24, "the editors are opened after one another")

    // ---- what a page that leaves has asked for is done, also where it waits behind what takes long
    writeFileSync(at("next-id"), "cccc-1")
    const { tag, ...call } = starting("left")
    there.send(JSON.stringify({ _tag: "Call", id: 100, tag, call }))
    there.socket.end()
    yield* eventually(() => log().at(-1) === "startup in /a", "it has started")
    yield* room.until("left", ({ state }) => state === "idle", "it goes on")

    // ---- an earlier conversation, under another name
    const { found } = yield* wish({ _tag: "Earlier" })
    const rows = found?._tag === "Earlier" ? found.rows : []
    assert.containsSubset(rows, [{ tag: "old", cli: "claude", sessionId: "bbbb-1", place: "~/b", liveAs: null }])
    const exchange = yield* wish({ _tag: "Exchange", cli: "claude", sessionId: "bbbb-1" })
    assert.match(exchange.text ?? "", /startup in .*\/b/)
    const goesOn = yield* wish({ _tag: "GoOn", cli: "claude", sessionId: "bbbb-1", tag: "again" })
    assert.isTrue(goesOn.isDone, goesOn.said)
    yield* eventually(() => log().at(-1) === "resume in /b", "its CLI is there")
    const twice = yield* wish({ _tag: "GoOn", cli: "claude", sessionId: "bbbb-1", tag: "more" })
    assert.match(twice.said, /runs already as session 'again'/)

    // ---- in another CLI, in a session of its own
    const handed = yield* wish({ _tag: "Hand", tag: "again", cli: "demo", as: "handed" })
    assert.match(handed.said, /^'again' goes on as 'handed' in leap demo, which is told .*; not carried over: [^;]*/)
    assert.isFalse((yield* wish({ _tag: "Hand", tag: "again", cli: "demo", as: "a b" })).isDone)
    yield* leap("stop", "handed", "--force")

    // ---- an ended session: goes on, lives elsewhere, is forgotten
    yield* leap("stop", "again", "--force")
    const back = yield* wish({ _tag: "Resume", tag: "again" })
    assert.match(back.said, /again goes on$/)
    assert.notInclude(back.said, "leap: ")
    yield* leap("stop", "again", "--force")
    const moved = yield* wish({ _tag: "Move", tag: "again", directory: "~/a", restart: false })
    assert.match(moved.said, /lives in .*\/a now/)
    assert.isTrue((yield* wish({ _tag: "Forget", tag: "again", force: false })).isDone)
    assert.strictEqual((yield* leap("status", "again")).code, 3)
  })

  live("are for who may manage, and for nobody who only looks", function* () {
    const { at, leap, room } = yield* makePlace()
    const web = yield* serve(room)
    const added = yield* leap("web", "devices", "add", "phone", "--rights", "send,answer,type")
    const phone = yield* comeIn(web, added.stdout.trim().split("#token=")[1], "x")
    const looking = yield* serve(room, "--read-only")
    const pages = [
      [yield* openAs(web, phone), /lacks the right 'manage'/],
      [yield* openAs(looking, yield* comeIn(looking, looking.token, "x")), /may only look/]
    ] as const
    writeFileSync(at("next-id"), "aaaa-1")
    for (const [page, why] of pages) {
      assert.notInclude(page.texts[0], '"Start"')
      const wish = wishing(page)
      const wishes: ReadonlyArray<WishOf> = [
        { _tag: "Choices" },
        { _tag: "Folders", path: "/" },
        starting("new"),
        { _tag: "Earlier" },
        { _tag: "Hand", tag: "new", cli: "demo", as: "other" },
        { _tag: "Move", tag: "new", directory: "/", restart: true },
        { _tag: "Edit", tag: "new" }
      ]
      for (const one of wishes) {
        const answer = yield* wish(one)
        assert.isFalse(answer.isDone, one._tag)
        assert.match(answer.said, why)
        assert.notProperty(answer, "found")
      }
    }
    assert.strictEqual((yield* leap("status", "new")).code, 3)
  })
})

/** Its page; null where it is not known. */
const pageOf = (web: Web, { cookie, key }: Known) =>
  Effect.promise(async () => {
    const opened = await openSocket(web.port, { cookie, origin: web.origin })
    if (!isSocket(opened)) return null
    opened.send(JSON.stringify({ _tag: "Begin", key }))
    return opened
  })
const openAs = Effect.fnUntraced(function* (web: Web, known: Known) {
  const page = yield* pageOf(web, known)
  if (page === null) throw new Error("it is not known")
  yield* told(page, '"_tag":"Hello"')
  return page
})

describe("the browsers that leap web knows", () => {
  live("have secrets of their own, which outlive it, and each its rights until it is revoked", function* () {
    const room = yield* makeRoom()
    const leap = (...args: ReadonlyArray<string>) => devices(room, ...args)
    const first = yield* serve(room)
    const own = yield* comeIn(first, first.token, "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/150.0")
    const invitation = (yield* leap("add", "phone", "--rights", "answer")).split("#token=")[1]!
    const phone = yield* comeIn(first, invitation, "Mozilla/5.0 (Linux; Android 16) Chrome/150.0 Mobile Safari/537.36")
    assert.strictEqual((yield* Effect.promise(() => exchange(first, {}, invitation))).status, 403, "it works once")
    const kept = JSON.parse(yield* leap("--json")) as { readonly devices: ReadonlyArray<unknown> }
    assert.containsSubset(kept, {
      devices: [
        { name: "Firefox on Linux", rights: ["read", "send", "answer", "type", "manage"] },
        { name: "phone", rights: ["read", "answer"] }
      ],
      invitations: []
    })
    yield* Effect.sync(() => void first.child.kill("SIGKILL"))

    // ---- another run of leap web, on the port that browsers know
    const second = yield* serveOn(room, first.port)
    assert.strictEqual((yield* Effect.promise(() => exchange(second, {}, first.token))).status, 403)
    yield* openAs(second, own)
    const page = yield* openAs(second, phone)
    assert.include(page.texts[0], '"Answer"')
    page.send(sending(1, "one", "a message"))
    yield* told(page, '"said":"this browser may not do that: it lacks the right \'send\'')
    page.send('{"_tag":"Type","data":"x"}')
    assert.strictEqual(yield* Effect.promise(() => page.closed), 1008)
    // one's cookie is worth nothing with another's key
    const mixed = yield* pageOf(second, { cookie: own.cookie, key: phone.key })
    assert.strictEqual(yield* Effect.promise(() => mixed!.closed), 1008)
    assert.deepStrictEqual(mixed!.texts, [])

    const again = yield* openAs(second, phone)
    assert.strictEqual(yield* leap("revoke", "phone"), "revoked: phone")
    assert.isNull(yield* pageOf(second, phone))
    // an open page is asked about with the server's next word to it
    if (isThorough) {
      assert.strictEqual(yield* Effect.promise(() => again.closed), 1008)
      assert.strictEqual(again.why(), "its browser was revoked")
    }
    yield* openAs(second, own)

    // ---- who only looks is known as long as that server runs
    const looking = yield* serve(room, "--read-only")
    const guest = yield* comeIn(looking, looking.token, "x")
    const sees = yield* openAs(looking, guest)
    assert.notInclude(sees.texts[0], '"Send"')
    assert.notInclude(yield* leap("list"), "browser")
    yield* Effect.sync(() => void looking.child.kill("SIGKILL"))
    assert.isNull(yield* pageOf(yield* serveOn(room, looking.port), guest))
  })

  live("are let in until it ends where their list cannot be read, which is said and left as it is", function* () {
    const room = yield* makeRoom()
    const list = join(room.env["LEAP_HOME"] ?? "", "web-devices.json")
    writeFileSync(list, "{}")
    const web = yield* serve(room)
    yield* openAs(web, yield* comeIn(web, web.token, "x"))
    const told = yield* room.leap(["web", "devices", "add"])
    assert.strictEqual(told.code, 1)
    assert.include(told.stderr, `${list}: it is no list of devices; delete it to begin anew`)
    assert.strictEqual(readFileSync(list, "utf8"), "{}")
  })
})

describe.runIf(isThorough)("leap web under attack", () => {
  live("lets nobody in without its token, its own names, its own origin and its key", function* () {
    const room = yield* makeRoom()
    const web = yield* serve(room)
    yield* Effect.promise(async () => {
      // ---- the token
      assert.strictEqual((await exchange(web, {}, "x".repeat(web.token.length))).status, 403)
      assert.strictEqual((await exchange(web, {}, "")).status, 403)
      assert.strictEqual((await exchange(web, { "content-type": "text/plain" })).status, 415)
      assert.strictEqual((await exchange(web, {}, web.token.padEnd(2000, "x"))).status, 400)
      const known = await exchange(web)
      assert.strictEqual(known.status, 200)
      assert.match(String(known.headers["set-cookie"]), /; HttpOnly; SameSite=Strict$/)
      const [cookie = ""] = known.headers["set-cookie"]![0]!.split(";")
      const { key } = JSON.parse(known.text) as { readonly key: string }
      assert.notInclude([cookie, key], web.token)

      // ---- another site
      for (const origin of ["http://evil.example", "http://127.0.0.1:1", `https://${web.host}`, "null"]) {
        assert.strictEqual((await exchange(web, { origin })).status, 403, origin)
        const opened = await openSocket(web.port, { cookie, origin })
        assert.isTrue(!isSocket(opened) && opened.status === 403, origin)
      }
      const noOrigin = await openSocket(web.port, { cookie })
      assert.isTrue(!isSocket(noOrigin) && noOrigin.status === 403)

      // ---- a name that somebody else's server gives this address
      for (const host of ["evil.example", `evil.example:${web.port}`, `127.0.0.1.evil.example`, `127.0.0.1:1@evil`]) {
        const headers = { host, origin: `http://${host}`, cookie }
        for (const path of ["/", "/page.js", "/session"]) {
          assert.strictEqual((await request(web.port, path, { headers })).status, 421, `${host} ${path}`)
        }
        const opened = await openSocket(web.port, headers)
        assert.isTrue(!isSocket(opened) && opened.status === 421, host)
      }

      // ---- the socket: no cookie, a wrong one, a wrong key, no key
      for (const wrong of ["", "leap-web=1", cookie.slice(0, -1), `${cookie}x`]) {
        const opened = await openSocket(web.port, { cookie: wrong, origin: web.origin })
        assert.isTrue(!isSocket(opened) && opened.status === 401, wrong)
      }
      for (const first of [`{"_tag":"Begin","key":"${key}x"}`, '{"_tag":"Hide"}', "what", `"${key}"`]) {
        const opened = await openSocket(web.port, { cookie, origin: web.origin })
        if (!isSocket(opened)) throw new Error(`refused: ${opened.status}`)
        opened.send(first)
        assert.strictEqual(await opened.closed, 1008, first)
        assert.deepStrictEqual(opened.texts, [], first)
      }
      const silent = await openSocket(web.port, { cookie, origin: web.origin })
      assert.isTrue(isSocket(silent) && (await silent.closed) === 1008, "who never begins is not waited for")
    })
  })

  live("is reached under a name that its user gave, and under no other", function* () {
    const web = yield* serve(yield* makeRoom(), "--host", "box.example")
    const pages: Array<RawSocket> = []
    yield* Effect.promise(async () => {
      for (const scheme of ["http", "https"]) {
        const headers = { host: "box.example:8443", origin: `${scheme}://box.example:8443` }
        const known = await exchange(web, headers)
        assert.strictEqual(known.status, 200, scheme)
        const [cookie = ""] = known.headers["set-cookie"]![0]!.split(";")
        const opened = await openSocket(web.port, { ...headers, cookie })
        if (!isSocket(opened)) throw new Error(`refused: ${opened.status}`)
        opened.send(JSON.stringify({ _tag: "Begin", ...(JSON.parse(known.text) as { key: string }) }))
        opened.send('{"_tag":"Ping"}')
        pages.push(opened)
        // a page of this name has no business under another one
        assert.strictEqual((await exchange(web, { ...headers, origin: `${headers.origin}0` })).status, 403)
      }
      const other = await request(web.port, "/", { headers: { host: "x.box.example" } })
      assert.strictEqual(other.status, 421)
      assert.include(other.text, "'leap web --host NAME'")
    })
    for (const page of pages) for (const frame of ["Hello", "Pong"]) yield* told(page, `"_tag":"${frame}"`)
  })

  live("keeps its places for pages that know the key", function* () {
    const room = yield* makeRoom()
    const web = yield* serve(room)
    yield* Effect.promise(async () => {
      const [cookie = ""] = (await exchange(web)).headers["set-cookie"]![0]!.split(";")
      for (let n = 0; n < 40; n++) await openSocket(web.port, { cookie, origin: web.origin })
    })
    const pages: Array<RawSocket> = []
    for (let n = 0; n < 32; n++) pages.push(yield* Effect.promise(() => begin(web)))
    for (const page of pages) yield* told(page, '"_tag":"Hello"')
    const more = yield* Effect.promise(() => begin(web))
    assert.strictEqual(yield* Effect.promise(() => more.closed), 1008)
    assert.deepStrictEqual(more.texts, [])
    pages[0]!.socket.destroy()
    yield* Effect.tryPromise(() => begin(web)).pipe(
      Effect.flatMap((page) => told(page, '"_tag":"Hello"')),
      Effect.retry(lookingAgain(50))
    )
  })

  live("serves its few files and no path of the disk, with a policy that runs nothing else", function* () {
    const web = yield* serve(yield* makeRoom())
    yield* Effect.promise(async () => {
      for (const path of ["/", "/page.js", "/Review.js", "/page.css", "/icon.svg"]) {
        const { headers, status, text } = await request(web.port, path)
        assert.strictEqual(status, 200, path)
        assert.isAbove(text.length, 100, path)
        const policy = String(headers["content-security-policy"])
        assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/)
        assert.notInclude(policy, "unsafe")
        assert.strictEqual(headers["x-content-type-options"], "nosniff")
        assert.isUndefined(headers["set-cookie"])
      }
      assert.notMatch((await request(web.port, "/")).text, /https?:|<script>|style=/)
      for (const path of [
        "/../../../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/..%2f..%2fetc%2fpasswd",
        "//etc/passwd",
        "/page.js/../../package.json",
        "/page.js%00",
        "/__proto__",
        "/constructor",
        "http://127.0.0.1/etc/passwd",
        `/${"a/../".repeat(1000)}etc/passwd`
      ]) {
        const { headers, status } = await request(web.port, path)
        assert.strictEqual(status, 404, path)
        assert.include(String(headers["content-security-policy"]), "default-src 'none'")
      }
      assert.strictEqual((await request(web.port, "/", { method: "POST" })).status, 405)
    })
  })

  live("gives up who sends too much, in one frame or many, and serves the others", function* () {
    const room = yield* makeRoom("0.1")
    yield* startDemo(room, "one")
    const web = yield* serve(room)
    const good = yield* Effect.promise(() => begin(web))
    yield* told(good, '"tag":"one"')

    const attack = async (how: (page: RawSocket) => void, code: number) => {
      const page = await begin(web)
      how(page)
      assert.strictEqual(await page.closed, code)
    }
    yield* Effect.promise(async () => {
      await attack((page) => page.send(`"${"x".repeat(300_000)}"`), 1009)
      // a frame that only says how long it is
      await attack((page) => void page.socket.write(frameHeader(2 ** 40, Buffer.alloc(4))), 1009)
      await attack((page) => page.send("no frame at all"), 1008)
      await attack((page) => page.send('{"_tag":"Fit","cols":1000000,"rows":1}'), 1008)
      await attack((page) => page.send('{"_tag":"Show","tag":"../../etc","typing":true}'), 1008)
      await attack((page) => page.send('{"_tag":"Ack","taken":1000000}'), 1008)
      await attack((page) => {
        for (let n = 0; n < 3000; n++) page.send('{"_tag":"Hide"}')
      }, 1008)
    })
    good.send(sending(1, "one", "tool 5"))
    yield* told(good, '{"_tag":"Answered","id":1,"isDone":true,"said":"queued as ')

    const question = '{"title":"Write notes.md?","options":[{"number":1,"label":"Yes"}]}'
    good.send(`{"_tag":"Call","id":9,"tag":"one","call":{"_tag":"Answer","question":${question},"answer":"1"}}`)
    yield* told(good, '{"_tag":"Answered","id":9,"isDone":false,"said":"there is no dialog any more')

    // ---- a thousand connections: those beyond the bound are refused, and who is there goes on
    const crowd = Array.from({ length: 1000 }, () => net.connect({ host: "127.0.0.1", port: web.port }))
    let open = 0
    let over = 0
    for (const socket of crowd) {
      socket.on("error", () => {})
      socket.once("connect", () => open++)
      socket.once("close", () => over++)
    }
    yield* eventually(() => open === 1000 && over >= 800, "most of a thousand connections are closed again")
    // an answer may be lost with its connection: sent again under its id it is no second message
    for (const id of [2, 3]) {
      good.send(sending(id, "one", "once more", { id: "01M89HDST4GHNBDCFNC7CJ3611" }))
      yield* told(good, `{"_tag":"Answered","id":${id},"isDone":true`)
    }
    yield* room.until("one", ({ lastMessage }) => lastMessage === "once more", "it is sent")
    const queued = Effect.flatMap(room.connect("one"), (client) => client.Queue())
    const { queue, recent } = yield* queued
    assert.lengthOf(
      [...queue, ...recent].filter(({ text }) => text === "once more"),
      1
    )
    for (const socket of crowd) socket.destroy()
    const again = yield* Effect.tryPromise(() => begin(web)).pipe(Effect.retry(lookingAgain(50)))
    yield* told(again, '"tag":"one"')

    // ---- it ends by one signal, whoever is connected
    web.child.kill("SIGINT")
    assert.strictEqual(yield* Effect.promise(() => web.ended), 130)
    assert.include([1000, 1001, 1006, 1012], yield* Effect.promise(() => good.closed))
  })

  live("changes nothing with --read-only, whatever a page asks for", function* () {
    const room = yield* makeRoom("0.1")
    yield* startDemo(room, "one")
    const web = yield* serve(room, "--read-only")
    const page = yield* Effect.promise(() => begin(web))
    yield* told(page, '"_tag":"Hello"')
    assert.notInclude(page.texts[0], '"Send"')
    const all: ReadonlyArray<Call> = [
      { _tag: "Send", text: "hello", images: [], front: false, force: false },
      { _tag: "Interrupt" },
      { _tag: "QueueRemove", id: "x" },
      { _tag: "QueueRelease", id: "x" },
      { _tag: "QueueRetry", id: null },
      { _tag: "QueueHold", id: null },
      { _tag: "QueueForce", id: "x" },
      { _tag: "QueueClear" },
      { _tag: "QueueEdit", id: "x", text: "y" },
      { _tag: "QueueMove", id: "x", position: 1 },
      { _tag: "Answer", question: { title: "", options: [] }, answer: "1" },
      { _tag: "Keys", keys: ["Enter"], force: true },
      { _tag: "PutDraft", text: "x" },
      { _tag: "TakeDraft", text: "x" },
      { _tag: "Recall", viewer: "x", data: "", older: true },
      { _tag: "Input", viewer: "x", data: "eA==" },
      { _tag: "Resize", viewer: "x", cols: 20, rows: 20 },
      { _tag: "Post", to: "two" },
      { _tag: "Dismiss", needs: null },
      { _tag: "SetModes", modes: { autoSend: "always" } },
      { _tag: "Stop", force: true }
    ]
    assert.sameMembers(
      each(all, "_tag"),
      callNames.filter((name) => rightOf(name) !== "read")
    )
    for (const [id, call] of all.entries()) {
      page.send(JSON.stringify({ _tag: "Call", id, tag: "one", call }))
      yield* told(page, `{"_tag":"Answered","id":${id},"isDone":false,"said":"this page may only look`)
    }
    page.send(JSON.stringify({ _tag: "Call", id: 99, tag: "one", call: { _tag: "Why" } }))
    yield* told(page, '{"_tag":"Answered","id":99,"isDone":true,"said":"","text":"idle')
    // even a page that says that it types gets a screen to look at
    page.send('{"_tag":"Show","tag":"one","typing":true}')
    yield* told(page, '"tag":"one","typing":false')
    yield* told(page, '"_tag":"Repaint"')
    page.send('{"_tag":"Type","data":"typed all the same\\r"}')
    assert.strictEqual(yield* Effect.promise(() => page.closed), 1008)
    assert.deepStrictEqual(
      room.log().filter(({ event }) => event === "prompt"),
      []
    )
    const { queue, state } = yield* room.until("one", () => true, "its status")
    assert.deepStrictEqual([queue, state], [[], "idle"])
  })

  live("goes on with the others when a host hangs, and says so of its screen", function* () {
    const room = yield* makeRoom("0.1", { hosts: "apart" })
    const { hostPid } = yield* startDemo(room, "one")
    yield* startDemo(room, "two")
    const web = yield* serve(room)
    const page = yield* Effect.promise(() => begin(web))
    page.send('{"_tag":"Show","tag":"one","typing":true}')
    yield* told(page, '"_tag":"Repaint"')
    yield* Effect.acquireRelease(
      Effect.sync(() => kill(hostPid!, "SIGSTOP")),
      () => Effect.sync(() => kill(hostPid!, "SIGCONT"))
    )
    page.send('{"_tag":"Type","data":"x"}')
    page.send(sending(1, "two", "hello"))
    yield* told(page, '{"_tag":"Answered","id":1,"isDone":true')
    yield* told(page, '{"_tag":"Unshown","tag":"one","why":"its host does not answer"}')
    page.send('{"_tag":"Show","tag":"two","typing":false}')
    yield* told(page, '{"_tag":"Shown","tag":"two"')
    assert.isFalse(page.socket.destroyed)
  })

  live("tells what --port is for when the port is taken", function* () {
    const room = yield* makeRoom()
    const web = yield* serve(room)
    const second = yield* room.program(["web", "--port", String(web.port)])
    assert.strictEqual(second.code, 1)
    assert.match(second.stderr, /^leap: port \d+ is taken: --port names another one/)
  })
})
