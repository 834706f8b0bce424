import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import * as http from "node:http"
import type { Browser, Page, Worker } from "playwright-core"
import { afterAll, beforeAll } from "vitest"
import type { PushMessage } from "../../src/domain/surfaces/web/PushMessage.ts"
import { httpReceiver } from "../support/processes/httpReceiver.ts"
import { listening } from "../support/processes/listening.ts"
import { makeBrowser } from "../support/processes/PushedBrowser.ts"
import { makeRoom, startDemo } from "../support/processes/Room.ts"
import { request } from "../support/processes/WebClient.ts"
import { live } from "../support/run/effects.ts"
import { becomes, button, faults, launch, openPage, row, serve, shows, widerBy } from "./WebPage.ts"

let browser: Browser
beforeAll(async () => {
  browser = await launch()
})
afterAll(() => browser.close())

/** `leap web` on a port, until it is ended. */
const serving = (room: Parameters<typeof serve>[0], flags: ReadonlyArray<string> = [], port = 0) =>
  Effect.acquireRelease(
    Effect.promise(() => serve(room, flags, port)),
    ({ end }) => Effect.promise(end)
  )

/** The service worker of a page, once it serves it. */
const workerOf = async (page: Page): Promise<Worker> => {
  await becomes(page, "navigator.serviceWorker.controller !== null")
  const [worker] = page.context().serviceWorkers()
  return worker ?? assert.fail("there is no service worker")
}
const keptIn = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate(`(async () => {
    const all = []
    for (const name of await caches.keys()) for (const { url } of await (await caches.open(name)).keys()) all.push(url)
    return all.sort()
  })()`)
const scopesIn = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.map(({ scope }) => scope))")

/**
 * A proxy to a server, as one with a path of its own is: what it is asked below `path` it asks the server. `change`: what
 * it makes of an answer; null: it passes it on.
 */
const makeProxy = Effect.fnUntraced(function* (
  port: number,
  path: string,
  change: (path: string, body: string) => { readonly status: number; readonly body: string } | null
) {
  const server = http.createServer((asked, response) => {
    const { headers, method = "", url = "" } = asked
    const below = url.startsWith(path) ? `/${url.slice(path.length)}` : "/nothing"
    const further = http.request({ host: "127.0.0.1", port, path: below, method, headers }, (got) => {
      const parts: Array<Buffer> = []
      got.on("data", (part: Buffer) => parts.push(part))
      got.on("end", () => {
        const whole = Buffer.concat(parts)
        const { body = whole, status = got.statusCode ?? 0 } = change(below, whole.toString()) ?? {}
        const { "content-length": _, ...rest } = got.headers
        response.writeHead(status, rest).end(body)
      })
    })
    asked.pipe(further)
  })
  return yield* listening(server)
})

describe("the page as an app, in Chromium", { concurrent: true }, () => {
  live("can be installed, and shows itself without a connection: its shell and nothing else is kept", function* () {
    const room = yield* makeRoom("0.2", { hosts: "apart" })
    yield* startDemo(room, "one")
    const web = yield* serving(room)
    const { port } = new URL(web.address)
    yield* Effect.promise(async () => {
      const { complaints, page } = await openPage(browser, web.address, 390)
      await row(page, "one").filter({ hasText: "idle" }).waitFor()
      await workerOf(page)
      // ---- what a browser wants of an app
      const devtools = await page.context().newCDPSession(page)
      const { data, errors } = (await devtools.send("Page.getAppManifest")) as { data?: string; errors: Array<object> }
      assert.deepStrictEqual(errors, [])
      const manifest = JSON.parse(data ?? "") as { start_url: string; display: string; icons: Array<{ src: string }> }
      assert.deepInclude(manifest, { start_url: "./", display: "standalone" })
      const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors")
      assert.deepStrictEqual(
        installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito"),
        []
      )
      for (const { src } of manifest.icons) {
        const icon = await request(Number(port), `/${src}`)
        assert.strictEqual(icon.status, 200, src)
      }
      const size = await page.evaluate(
        "fetch('icon.png').then((its) => its.blob()).then(createImageBitmap).then(({ height, width }) => [width, height])"
      )
      assert.deepStrictEqual(size, [512, 512])

      // ---- what is kept: no state, no token, no key
      const origin = `http://127.0.0.1:${port}`
      const kept = await keptIn(page)
      const files = [
        "",
        "ProposedFiles.js",
        "Review.js",
        "ReviewFiles.js",
        "colours.js",
        "icon.png",
        "icon.svg",
        "manifest.webmanifest",
        "page.css",
        "page.js"
      ]
      assert.deepStrictEqual(
        kept,
        files.map((file) => `${origin}/${file}`)
      )
      assert.deepStrictEqual(complaints, [])

      // ---- without a server, also in a new tab and with a session's address
      await web.end()
      await page.reload()
      await shows(page, "[role=alert]", /no connection to leap web/)
      await page.goto(`${origin}/#one`)
      await shows(page, "h1", /leap/)
      assert.notInclude(await page.locator("body").innerText(), "idle")
      const others = await page.evaluate(
        `Promise.all(["session", "push", "page.js?x", "sw.js"].map((path) => fetch(path).then(({ status }) => status, () => null)))`
      )
      assert.deepStrictEqual(others, [null, null, null, null])
    })
    // ---- it comes back by itself
    const again = yield* serving(room, [], Number(port))
    yield* Effect.promise(async () => {
      const page = browser
        .contexts()
        .flatMap((context) => context.pages())
        .find((page) => page.url().includes(port))
      if (page === undefined) return assert.fail("no page")
      await shows(page, ".session > p", /idle/)
      assert.include(again.address, port)
    })
  })

  live("is replaced at once by a newer one, below a path too, and goes where its address is another's", function* () {
    const room = yield* makeRoom("0.2", { hosts: "apart" })
    const web = yield* serving(room)
    const { hash, port } = new URL(web.address)
    let how: "old" | "new" | "away" | "gone" = "old"
    const proxy = yield* makeProxy(Number(port), "/leap/", (path, body) => {
      if (how === "away") return { status: 502, body: "bad gateway" }
      if (how === "gone") return { status: 404, body: "there is nothing here" }
      if (how === "new" && path === "/") return { status: 200, body: body.replace('content="leap"', 'content="newer"') }
      return how === "new" && path === "/sw.js" ? { status: 200, body: `${body}\n// newer` } : null
    })
    yield* Effect.promise(async () => {
      const address = `http://127.0.0.1:${proxy}/leap/`
      const { close, page } = await openPage(browser, `${address}${hash}`, 1280)
      // this proxy carries no sockets, and the page starts its service worker by one
      await page.evaluate(`void navigator.serviceWorker.register("sw.js", { updateViaCache: "none" })`)
      await workerOf(page)
      assert.deepStrictEqual(await scopesIn(page), [address])
      for (const url of await keptIn(page)) assert.isTrue(url.startsWith(address), url)

      // ---- a server with another shell: shown at once, and kept in place of the old one
      const shellNow = async () => {
        await page.goto(address)
        return page.getAttribute("meta[name=apple-mobile-web-app-title]", "content")
      }
      how = "new"
      assert.strictEqual(await shellNow(), "newer")
      await page.evaluate("navigator.serviceWorker.getRegistration().then((its) => void its.update())")
      await becomes(
        page,
        `(async () => (await caches.keys()).length === 1 && (await (await caches.match(location.pathname)).text()).includes("newer"))()`
      )
      // ---- a proxy whose server is away: the kept one, which is the new one
      how = "away"
      assert.strictEqual(await shellNow(), "newer")
      // ---- nothing there any more: it goes, with what it kept
      how = "gone"
      await page.goto(address)
      await shows(page, "body", /there is nothing here/)
      assert.deepStrictEqual(await scopesIn(page), [])
      assert.deepStrictEqual(await keptIn(page), [])
      await close()
    })
  })

  live("shows pushes with the answers to their dialogs, and what became of them", function* () {
    const room = yield* makeRoom("0.1", { hosts: "apart" })
    yield* startDemo(room, "one")
    const service = yield* httpReceiver(() => ({ status: 201 }))
    const web = yield* serving(room, ["--push-origin", service.url])
    const its = makeBrowser()
    const pushed = (): ReadonlyArray<PushMessage> =>
      service.requests.map(({ bytes }) => JSON.parse(its.read(bytes)) as PushMessage)
    yield* Effect.promise(async () => {
      const origin = new URL(web.address).origin
      const { page } = await openPage(browser, web.address, 390)
      await row(page, "one").filter({ hasText: "idle" }).waitFor()
      const worker = await workerOf(page)

      // ---- permission is asked for by a click alone; without it nothing is sent anywhere
      const details = page.getByText("Pushes to this device: off")
      await details.click()
      assert.deepStrictEqual(await faults(page), [])
      assert.isAtMost(await widerBy(page), 0)
      // this browser has no push service: the test is one
      const subscription = { endpoint: `${service.url}/phone`, keys: its.keys }
      const stub = `{
        const made = { toJSON: () => (${JSON.stringify(subscription)}), unsubscribe: async () => true }
        PushManager.prototype.getSubscription = async () => made
        PushManager.prototype.subscribe = async () => made
      }`
      await page.evaluate(stub)
      await worker.evaluate(stub)
      const permits = (answer: string) =>
        page.evaluate(`void (Notification.requestPermission = async () => "${answer}")`)
      await permits("denied")
      await button(page, "Turn pushes on").click()
      await shows(page, "[role=status]", /not done: notifications were not allowed/)
      assert.deepStrictEqual(pushed(), [])
      await permits("granted")
      await button(page, "Turn pushes on").click()
      await shows(page, "[role=status]", /this device is told when a session needs you/)
      await page.getByText("Pushes to this device: on").waitFor()
      await button(page, "Send a test").click()
      await shows(page, "[role=status]", /sent: its push service has taken it/)
      assert.deepStrictEqual(await faults(page), [])

      // ---- the push of a dialog, as the service worker gets it
      await page.context().grantPermissions(["notifications"], { origin })
      assert.strictEqual((await Effect.runPromise(room.leap(["send", "one", "write a file"]))).code, 0)
      for (let n = 0; n < 400 && pushed().length < 2; n++) await page.waitForTimeout(50)
      const message = pushed()[1] ?? assert.fail("no push came")
      const devtools = await page.context().newCDPSession(page)
      let registrationId = ""
      devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
        registrationId = registrations[0]?.registrationId ?? registrationId
      })
      await devtools.send("ServiceWorker.enable")
      const deliver = (data: unknown) =>
        devtools.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data: JSON.stringify(data) })
      type Shown = ReadonlyArray<readonly [title: string, body: string, answers: string]>
      const shown = (): Promise<Shown> =>
        worker.evaluate(`registration.getNotifications().then((all) =>
          all.map(({ actions, body, title }) => [title, body, actions.map(({ action }) => action).join()]))`)
      // a look at what is shown makes Chromium forget what it is about to show: one comes behind each that was shown
      await worker.evaluate(`{
        globalThis.shownCount = 0
        const show = registration.showNotification.bind(registration)
        registration.showNotification = (...its) => show(...its).finally(() => shownCount++)
      }`)
      let looks = 0
      const until = async (passes: (all: Shown) => boolean, what: string) => {
        looks += 1
        for (let n = 0; n < 400 && (await worker.evaluate<number>("shownCount")) < looks; n++)
          await page.waitForTimeout(50)
        for (let n = 0; n < 200; n++) {
          if (passes(await shown())) return
          await page.waitForTimeout(50)
        }
        assert.fail(`${what}: ${JSON.stringify(await shown())}`)
      }
      for (let n = 0; n < 100 && registrationId === ""; n++) await page.waitForTimeout(50)
      await deliver(message)
      await until(
        ([one, ...more]) => one?.[0] === "one needs you" && one[2] === "allow,deny" && more.length === 0,
        "it is shown"
      )

      // ---- its action answers that dialog, and says so
      const press = (action: string) =>
        worker.evaluate(`registration.getNotifications().then((all) => {
          const notification = all.find(({ actions }) => actions.length > 0)
          dispatchEvent(new NotificationEvent("notificationclick", { notification, action: "${action}" }))
        })`)
      await press("allow")
      await until((all) => all.some(([, body]) => /Yes/.test(body)), "what became of it")
      await shows(page, "td", /idle/)

      // ---- an old notification answers nothing new; one that is met goes with the next push
      await deliver(message)
      await until((all) => all.some(([, , actions]) => actions === "allow,deny"), "the old one again")
      await press("allow")
      await until((all) => all.some(([, body]) => /not answered: there is no dialog/.test(body)), "it is refused")
      await deliver({ _tag: "Over", tag: "one", standing: [] })
      await until((all) => all.length === 1 && all[0]?.[1] === "nothing needs you any more", "it is withdrawn")
      await deliver("no message")
      await until((all) => all.some(([, body]) => body === "a session has news"), "a push always shows something")

      // ---- off again
      await button(page, "Turn pushes off").click()
      await page.getByText("Pushes to this device: off").waitFor()

      // ---- a browser that is revoked is forgotten here, too
      const [, ...name] =
        /^(\S.*?) {2,}/m.exec((await Effect.runPromise(room.leap(["web", "devices"]))).stdout.split("\n")[1] ?? "") ??
        []
      assert.strictEqual((await Effect.runPromise(room.leap(["web", "devices", "revoke", name[0] ?? ""]))).code, 0)
      await page.reload()
      await shows(page, "[role=alert]", /not signed in.*paste it here/)
      assert.deepStrictEqual(await faults(page), [])
      await becomes(page, `(async () => (await navigator.serviceWorker.getRegistrations()).length === 0)()`)
      await page.getByLabel("paste it here").fill(web.address)
      await row(page, "one").waitFor()
    })
  })
})
