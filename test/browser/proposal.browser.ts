import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { makeRoom, startDemo } from "../support/processes/Room.ts"
import { live } from "../support/run/effects.ts"
import { button, faults, opener, sendMessage, serve, shows, widerBy } from "./WebPage.ts"

const stage = Effect.gen(function* () {
  const room = yield* makeRoom("0.2")
  yield* startDemo(room, "one")
  const { address } = yield* Effect.acquireRelease(
    Effect.promise(() => serve(room)),
    (web) => Effect.promise(web.end)
  )
  const opens = yield* opener
  const open = async (width: number, dark = false) => {
    const opened = await opens(address, width, { dark })
    await button(opened.page, "one").click()
    return opened
  }
  return { open, room }
})

describe("a dialog about an edit, in Chromium", { concurrent: true }, () => {
  live("shows what it would change before it is answered, and never the edit before it", function* () {
    const { open, room } = yield* stage
    yield* Effect.promise(async () => {
      const { complaints, page } = await open(1280)
      await sendMessage(page, "edit a file 2 times")
      await shows(page, ".proposed .added", /^const port = 8080$/)
      await shows(page, ".proposed .removed", /^const port = 80$/)
      await shows(page, ".proposed .head", /server\.ts\s*\+1 −1/)
      assert.deepStrictEqual(await faults(page), [])
      // What a dialog shows changes at once with the dialog: each state of the page is looked at.
      await page.evaluate(`new MutationObserver(() => {
        globalThis.seen = [...(globalThis.seen ?? []), document.querySelector(".dialog .added")?.innerText ?? ""]
      }).observe(document.body, { childList: true, subtree: true, characterData: true })`)
      await page.getByRole("button", { name: /^1\. Yes/ }).click()
      await shows(page, ".proposed .added", /^const port = 8081$/)
      const seen = await page.evaluate<ReadonlyArray<string>>("globalThis.seen")
      const states = seen.filter((text, n) => text !== seen[n - 1])
      assert.deepStrictEqual(
        states.filter((text) => text !== ""),
        [...(states[0] === "" ? [] : ["const port = 8080"]), "const port = 8081"]
      )
      await page.getByRole("button", { name: /^1\. Yes/ }).click()
      await shows(page, ".session > p", /idle/)
      assert.strictEqual(await page.locator(".proposed").count(), 0)
      assert.deepStrictEqual(complaints, [])
    })
    yield* room.leap(["send", "one", "edit a file"])
    yield* room.until("one", ({ proposal = null }) => proposal !== null, "asks again")
    const listed = yield* room.leap(["answer", "one"])
    assert.match(listed.stdout, /Edit server\.ts\?\nserver\.ts \+1 −1\n-const port = 80\n\+const port = 8080\n \n/)
    const { proposal } = JSON.parse((yield* room.leap(["answer", "one", "--json"])).stdout)
    assert.deepStrictEqual(proposal.edit.files[0].lines.slice(0, 2), ["-const port = 80", "+const port = 8080"])
  })

  live("is text, whatever is in it, and fits a phone", function* () {
    const { open } = yield* stage
    yield* Effect.promise(async () => {
      const evil = `<img src=x onerror=alert(1)>\u202e</span> ${"w".repeat(3_000)}`
      for (const dark of [false, true]) {
        const { close, complaints, page } = await open(390, dark)
        if (!dark) await sendMessage(page, `edit a file: ${evil}`)
        await shows(page, ".proposed .added", /<img src=x onerror=alert\(1\)><\/span> w+/)
        assert.strictEqual(await page.locator(".proposed img").count(), 0)
        assert.isAtMost(await widerBy(page), 0)
        assert.deepStrictEqual(await faults(page), [])
        assert.deepStrictEqual(complaints, [])
        await close()
      }
    })
  })
})
