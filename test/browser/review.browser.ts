import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { join } from "node:path"
import { chmodSync, existsSync, writeFileSync } from "node:fs"
import type { Locator, Page } from "playwright-core"
import { aRepository, type Repository } from "../support/processes/Repository.ts"
import { makeRoom } from "../support/processes/Room.ts"
import { live, liveOfEach, onceForAll } from "../support/run/effects.ts"
import { becomes, button, faults, type Open, opener, remarkOn, serve, shows, widerBy } from "./WebPage.ts"

/** `leap web` over one session in a repository, whose work tree `change` changes. */
const stage = Effect.fnUntraced(function* (change: (repository: Repository) => void) {
  const room = yield* makeRoom("0.2")
  const repository = yield* aRepository
  change(repository)
  const started = yield* room.leap(["one", "--cli", "demo", "--cwd", repository.main, "--detach"])
  assert.strictEqual(started.code, 0, started.stderr)
  const { address } = yield* Effect.acquireRelease(
    Effect.promise(() => serve(room)),
    (web) => Effect.promise(web.end)
  )
  return { address, repository, room }
})

const openReview = async (open: Open, address: string, width: number, dark = false) => {
  const opened = await open(address, width, { dark })
  await opened.page.getByRole("button", { name: "one", exact: true }).waitFor()
  await opened.page.evaluate("location.hash = '#one/changes'")
  await opened.page.getByRole("heading", { name: "Changes of one" }).waitFor()
  await opened.page.locator(".diffs .file").first().waitFor()
  return opened
}

const isFaultless = async (page: Page): Promise<void> => {
  assert.deepStrictEqual(await faults(page), [])
  assert.isAtMost(await widerBy(page), 0)
}

const fileOf = (page: Page, name: string) => page.getByRole("region", { name, exact: true })

/** A page that has no colours after two seconds does without them, on a busy machine too; it asks again when reloaded. */
const untilColoured = async (page: Page, coloured: Locator): Promise<void> => {
  for (let time = 0; time < 10; time++) {
    if (
      await coloured.waitFor({ timeout: 5_000 }).then(
        () => true,
        () => false
      )
    )
      return
    await page.reload()
  }
  await coloured.waitFor()
}

const source = (port: number) =>
  ["// the server", `const port = ${port}`, "", "export const start = () => listen(port)", ""].join("\n")

const ofAllKinds = ({ git, main, write }: Repository): void => {
  const at = (name: string) => join(main, name)
  write(at("src/server.ts"), source(80))
  write(at("src/old name.ts"), "the same line\n".repeat(10))
  write(at("gone.txt"), "away\n")
  git(main, "add", ".")
  git(main, "commit", "-qm", "second")
  write(at("src/server.ts"), source(8080) + "// more\n")
  git(main, "mv", "src/old name.ts", "src/new name.ts")
  git(main, "rm", "-q", "gone.txt")
  write(at("wörter.txt"), "one\n")
  write(at("picture.bin"), "\0\x01")
  write(at("lock.json"), "{}\n".repeat(10_001))
  write(at("middle.txt"), "x\n".repeat(1_001))
  write(at("wide.txt"), `${"y".repeat(5_000)}\n`)
}

/** The same for tests that change nothing but the session's queue. */
const withAllKinds = onceForAll(stage(ofAllKinds))

describe("the changes of a session, in Chromium", { concurrent: true }, () => {
  live("name each file with its kind and counts, and say of what is not shown why", function* () {
    const open = yield* opener
    const { address } = yield* withAllKinds
    yield* Effect.promise(async () => {
      for (const dark of [false, true]) {
        const { complaints, page } = await openReview(open, address, 1280, dark)
        const names = await page.locator(".filelist li").allInnerTexts()
        assert.deepStrictEqual(
          names.map((name) => name.replaceAll(/\s+/g, " ")),
          [
            "D removed gone.txt +0 −1",
            "A added lock.json +10001 −0",
            "A added middle.txt +1001 −0",
            "A added picture.bin",
            "R renamed src/new name.ts ← src/old name.ts +0 −0",
            "M changed src/server.ts +2 −1",
            "A added wide.txt +1 −0",
            "A added wörter.txt +1 −0"
          ]
        )
        assert.match(await fileOf(page, "picture.bin").innerText(), /no text: its content is not shown/)
        assert.match(await fileOf(page, "src/new name.ts").innerText(), /similarity index 100%/)
        assert.match(await fileOf(page, "wide.txt").innerText(), /… 3000 more characters/)
        // a long one is read by who wants it, and one that is too long by nobody
        assert.strictEqual(await fileOf(page, "middle.txt").locator("li").count(), 0)
        await fileOf(page, "middle.txt").getByRole("button").click()
        await fileOf(page, "middle.txt").locator("li.added").first().waitFor()
        await fileOf(page, "lock.json").getByRole("button").click()
        await shows(page, ".file .hint", /too long to be shown here/)
        await isFaultless(page)
        assert.deepStrictEqual(complaints, [])
        await page.close()
      }
    })
  })

  live(
    "are shown side by side where there is room, and so the next time; a narrow window has one column",
    function* () {
      const open = yield* opener
      const { address } = yield* withAllKinds
      yield* Effect.promise(async () => {
        const { complaints, page } = await openReview(open, address, 1280)
        const server = fileOf(page, "src/server.ts")
        assert.strictEqual(await server.locator(".pair").count(), 0)
        await button(page, "Side by side").click()
        const changed = server.locator(".pair", { hasText: "8080" })
        const halves = await changed.locator(".half code").allInnerTexts()
        assert.deepStrictEqual(halves, ["const port = 80", "const port = 8080"])
        assert.deepStrictEqual(await changed.locator("mark").allInnerTexts(), ["80"])
        await untilColoured(page, server.locator(".is-keyword", { hasText: "const" }).first())
        await isFaultless(page)
        await page.reload()
        await server.locator(".pair").first().waitFor()
        await page.setViewportSize({ width: 800, height: 844 })
        await server.locator("li.added").first().waitFor()
        assert.strictEqual(await server.locator(".pair").count(), 0)
        assert.isFalse(await button(page, "Side by side").isVisible())
        await isFaultless(page)
        assert.deepStrictEqual(complaints, [])
      })
    }
  )

  liveOfEach([false, true])("are gone through by keys alone, side by side: %s", function* (isSplit) {
    const open = yield* opener
    const { address } = yield* withAllKinds
    yield* Effect.promise(async () => {
      const { page } = await openReview(open, address, 1280)
      const press = async (...keys: ReadonlyArray<string>) => {
        for (const key of keys) await page.keyboard.press(key)
      }
      const leadsTo = (name: string) =>
        becomes(page, `(document.activeElement.getAttribute("aria-label") ?? "") === ${JSON.stringify(name)}`)
      if (isSplit) await press("u")
      await press("n")
      await leadsTo("remark on removed line 1 of gone.txt")
      // what is closed is opened by who goes there
      await press("n")
      await leadsTo("remark on line 1 of middle.txt")
      await press("n")
      await leadsTo(`remark on ${isSplit ? "line 2" : "removed line 2"} of src/server.ts`)
      await press("n")
      await leadsTo("remark on line 5 of src/server.ts")
      await press("k")
      await leadsTo("remark on line 4 of src/server.ts")
      await press("j", "p")
      await leadsTo(`remark on ${isSplit ? "line 2" : "removed line 2"} of src/server.ts`)
      await press("]")
      await becomes(page, `document.activeElement.innerText.includes("wide.txt")`)
      await press("[", "[")
      await becomes(page, `document.activeElement.innerText.includes("new name.ts")`)
      await press("n", "n", "c")
      await leadsTo("your remark on line 5 of src/server.ts")
      // keys are letters where something is written
      await page.keyboard.type("no cnjp[]u please")
      await press("Control+Enter")
      await leadsTo("remark on line 5 of src/server.ts")
      await shows(page, ".remark", /no cnjp\[\]u please/)
      await isFaultless(page)
      // it is kept while the session is looked at
      await press("Escape")
      await page.getByRole("heading", { name: "one", exact: true }).waitFor()
      await page.goBack()
      await shows(page, ".remark", /no cnjp/)
      await page.getByRole("button", { name: "Change the remark on line 5 of src/server.ts" }).click()
      await leadsTo("your remark on line 5 of src/server.ts")
      // who thinks better of a change has the remark as it was
      await page.keyboard.type(" never")
      await press("Escape")
      await shows(page, ".remark .whole", /no cnjp\[\]u please$/)
      await page.getByRole("button", { name: "Change the remark on line 5 of src/server.ts" }).click()
      await leadsTo("your remark on line 5 of src/server.ts")
      await page.keyboard.type(" not")
      await press("Control+Enter")
      await button(page, "Queue the remark").click()
      await shows(page, "[role=status]", /^one: queued as/)
      assert.strictEqual(await page.locator(".remark").count(), 0)
    })
  })

  live("take a remark by touch on the line itself, and lead from change to change by a bar", function* () {
    const open = yield* opener
    const { address } = yield* withAllKinds
    yield* Effect.promise(async () => {
      const { complaints, page } = await openReview(open, address, 390)
      await button(page, "Next Change").tap()
      await becomes(
        page,
        `document.activeElement.getAttribute("aria-label") === "remark on removed line 1 of gone.txt"`
      )
      await button(page, "Remark").tap()
      await page.getByLabel("your remark on removed line 1 of gone.txt").fill("why?")
      await button(page, "Keep").tap()
      await remarkOn(page, "touch", "line 1 of wörter.txt")
      await page.getByLabel("your remark on line 1 of wörter.txt").fill("which?")
      await button(page, "Keep").tap()
      await shows(
        page,
        "[aria-label='Your remarks'] pre",
        /gone\.txt:1 \(removed\)\s+> away\s+why\?\s+wörter\.txt:1\s+> one\s+which\?/
      )
      // what is pressed is as large as a thumb
      const small = await page
        .locator("button:visible:not(.at)")
        .evaluateAll((all) =>
          all.filter((one) => one.getBoundingClientRect().height < 43).map((one) => one.textContent)
        )
      assert.deepStrictEqual(small, [])
      await isFaultless(page)
      await button(page, "Queue 2 remarks").tap()
      await shows(page, "[role=status]", /^one: queued as/)
      assert.deepStrictEqual(complaints, [])
    })
  })

  live("are text and nothing else, and run nothing that their repository names", function* () {
    const text = '<img src=x onerror="document.title=1"></code><script>document.title=1</script>'
    const open = yield* opener
    const { address, repository } = yield* stage(({ git, main, root, write }) => {
      const program = join(root, "evil.sh")
      writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> "${join(root, "ran")}"\ncat\n`)
      chmodSync(program, 0o755)
      write(join(main, ".gitattributes"), "*.html diff=evil filter=evil\n")
      write(join(main, "page.html"), `${text}\n\u202egnp.exe\u001b[2J\n`)
      write(join(main, `${text.replaceAll("/", "")}.html`), "x\n")
      write(join(main, 'diff --git "a.html" b/b\nc.html'), "+++ b/other\n")
      for (const name of ["core.fsmonitor", "diff.external", "diff.evil.command", "diff.evil.textconv"])
        git(main, "config", name, program)
      for (const name of ["filter.evil.clean", "filter.evil.process", "core.pager", "core.sshCommand"])
        git(main, "config", name, program)
    })
    yield* Effect.promise(async () => {
      const { complaints, page } = await openReview(open, address, 1280)
      for (const name of ["Side by side", "Unified"]) {
        await button(page, name).click()
        await shows(page, ".file code", /<img src=x onerror="document\.title=1"><\/code><script>/)
      }
      assert.strictEqual(await page.locator(".review :is(img, script, iframe, a[href*='evil'])").count(), 0)
      assert.match(await page.title(), /^(\(\d\) )?leap$/)
      assert.notMatch(await page.locator("body").innerText(), /[\u202a-\u202e\u2066-\u2069\u001b]/)
      await fileOf(page, 'diff --git \\"a.html\\" b/b\\nc.html').locator("li.added").first().waitFor()
      assert.deepStrictEqual(complaints, [])
    })
    assert.isFalse(existsSync(join(repository.root, "ran")))
  })

  live("of many files are drawn as far as they are in sight, to the last line", function* () {
    const open = yield* opener
    const { address } = yield* stage(({ main, write }) => {
      for (let n = 0; n < 200; n++)
        write(join(main, `many/${String(n).padStart(3, "0")}.txt`), `line of ${n}\n`.repeat(50))
    })
    yield* Effect.promise(async () => {
      const { complaints, page } = await openReview(open, address, 1280)
      assert.strictEqual(await page.locator(".filelist li").count(), 200)
      assert.strictEqual(await page.locator(".file").count(), 200)
      // whatever was seen before is not kept
      for (const at of [0.25, 0.5, 0.75, 1]) {
        await page.evaluate(`scrollTo(0, document.body.scrollHeight * ${at})`)
        await becomes(page, `document.elementFromPoint(innerWidth - 200, 300).closest("[data-row], .head") !== null`)
      }
      await shows(page, ".file code", /line of 199/)
      await becomes(page, `document.querySelectorAll("[data-row]").length < 600`)
      await page.locator(".filelist button", { hasText: "100.txt" }).click()
      await becomes(page, `document.activeElement.innerText.includes("100.txt")`)
      await shows(page, ".file code", /line of 100/)
      assert.deepStrictEqual(complaints, [])
    })
  })
})
