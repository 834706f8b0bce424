import { assert, describe, it } from "@effect/vitest"
import { colourless, endless, hosted, inOrder, type RealCli, type Session } from "./hosted.ts"
import type { Status } from "./leap.ts"
import { say } from "./model/FakeModel.ts"
import { each, rowsOf } from "../support/data/fields.ts"

/** Prompts that are hard to type: quotes, several lines, wide characters, more than a line. */
const hard = [
  "Make the folder:\n  \"out\" with 'one' file — ünïcödé 日本語 🎉\n\nand `list` it; keep $HOME, %d, \\n and 100% as they are.",
  '第二 message: is it there? 🎉 — "good"',
  `The last one is long. ${"It says the same thing again, so that it does not fit a line. ".repeat(30)}End.`
] as const

/** What leap is for, with one real CLI; `more` looks at what this CLI alone leaves behind. */
export const mainJob = (cli: RealCli, more: { readonly afterQueue?: (session: Session) => Promise<void> } = {}) => {
  const arrives = cli.arrives ?? ((text: string) => text)
  const texts = (list: ReadonlyArray<string>) => list.map(arrives)

  describe(`${cli.id} under leap`, () => {
    it("three messages queued while a turn streams go out one by one, whole, in order, after each turn, and none into a dialog", () =>
      hosted(cli, `${cli.id}-queue`, async (session) => {
        const { api, leap, stays, status, tag, until } = session
        const first = "Begin, please."
        const turn = endless("Working")
        api.script(
          turn.reply,
          cli.shell("mkdir -p out && touch out/one && ls out"),
          say("The folder is there."),
          say("Yes."),
          say("Done with all.")
        )

        await leap(["send", tag, first])
        await api.until("the first turn streams", (main) => main[0]?.startedAt != null)
        await leap(["wait", tag, "--until", "running", "--timeout", "30"])
        const ids = [
          await leap(["send", tag, "-"], hard[0]),
          await leap(["send", tag, hard[1]]),
          await leap(["send", tag, "-"], hard[2])
        ].map((id) => id.trim())

        const waiting = ({ queue }: Status, from: number) => {
          const queued = queue.filter(({ status }) => status === "queued")
          assert.deepStrictEqual(
            rowsOf(queued, "id", "text"),
            ids.slice(from).map((id, at) => [id, hard[from + at] ?? ""])
          )
          return true
        }
        await stays(
          "all three wait while the first turn streams",
          3000,
          (now) => now.state === "running" && !now.ready && waiting(now, 0)
        )
        assert.notInclude(await leap(["screen", tag]), "第二", "nothing was typed ahead")
        assert.strictEqual(api.main.length, 1)
        turn.end()

        assert.strictEqual(
          (await leap(["wait", tag, "--until", "needs_permission", "--timeout", "90"])).trim(),
          "needs_permission"
        )
        const dialogSince = Date.now()
        await stays(
          "two wait while the dialog is up",
          5000,
          (now) => now.state === "needs_permission" && !now.ready && waiting(now, 1)
        )
        assert.strictEqual(api.main.length, 2, "no request while the dialog was up")
        const dialogUntil = Date.now()
        await leap(["answer", tag, "1"])

        await api.until(
          "all five requests are answered",
          (main) => main.length === 5 && main.every(({ endedAt }) => endedAt !== null),
          120_000
        )
        await until(
          "the session is at rest, its queue empty",
          ({ queue, ready, state }) => state === "idle" && ready && queue.every((message) => message.status === "done")
        )

        const [a, b, c] = hard
        const expected = [[first], [first, a], [first, a], [first, a, b], [first, a, b, c]]
        assert.deepStrictEqual(each(api.main, "conversation"), expected.map(texts))
        inOrder(api.main)
        assert.deepStrictEqual(each(api.main, "aborted"), [false, false, false, false, false])
        assert.include(api.main[2]?.toolResults.join("\n") ?? "", "one", "the answer let the tool run")
        for (const { arrivedAt, number } of api.main) {
          assert.isFalse(
            arrivedAt >= dialogSince && arrivedAt <= dialogUntil,
            `request ${number} came while the dialog was up`
          )
        }
        assert.strictEqual((await status()).lastMessage, c)
        await more.afterQueue?.(session)
      }))

    it("send --wait, last, interrupt, a question answered, stop, where no colours are drawn", () =>
      hosted(
        colourless(cli),
        `${cli.id}-talk`,
        async ({ api, leap, screenShows, stays, status, tag, tryLeap, until }) => {
          const answer = "The answer is 42 — größer als 日本 🎉."
          api.script(say(answer))
          assert.strictEqual(
            (await leap(["send", tag, "What is the answer?", "--wait", "--timeout", "90"]))
              .trimEnd()
              .split("\n")
              .at(-1),
            answer
          )
          assert.strictEqual((await leap(["last", tag])).trimEnd(), answer)
          assert.include(await leap(["screen", tag]), "What is the answer?")
          // the endpoint says that it was sent 1,200 tokens; some CLIs count what is not in the request too
          const { context, cost } = await until(
            "what it uses is known",
            (now) => (now.context?.usedTokens ?? 0) >= 1200 && (!cli.usage.priced || (now.cost?.usd ?? 0) > 0)
          )
          assert.strictEqual(context?.window, cli.usage.window)
          assert.isAtMost(context?.usedTokens ?? Infinity, 30_000)
          if (!cli.usage.priced) assert.isNull(cost)
          else assert.isAtMost(cost?.usd ?? Infinity, 0.05)
          assert.deepStrictEqual(JSON.parse(await leap(["history", tag, "--json"])), {
            schema: 1,
            tag,
            prompts: ["What is the answer?"]
          })

          const turn = endless("This takes long")
          api.script(turn.reply, say("I go on."), say("And that too."))
          await leap(["send", tag, "Do something long."])
          await api.until("the long turn streams", (main) => main.length === 2 && main[1]?.startedAt != null)
          await leap(["wait", tag, "--until", "running", "--timeout", "30"])
          // Let some of the reply arrive: an interrupt before the first word is another case.
          await screenShows("This takes long (")
          await leap(["interrupt", tag])
          await leap(["wait", tag, "--until", "interrupted", "--timeout", "30"])
          await api.until("the CLI hung up", (main) => main[1]?.aborted === true)
          turn.end()
          await leap(["send", tag, "Later."])
          await stays(
            "nothing goes out by itself after an interrupt",
            3000,
            ({ ready, state }) => state === "interrupted" && !ready
          )
          assert.strictEqual(api.main.length, 2)
          await leap(["send", tag, "--force", "Go on."])
          await api.until(
            "the forced message and the waiting one",
            (main) => main.length === 4 && main[3]?.endedAt != null
          )
          assert.deepStrictEqual(
            api.main[3]?.conversation,
            texts([
              "What is the answer?",
              ...(cli.forgetsInterrupted === true ? [] : ["Do something long."]),
              "Go on.",
              "Later."
            ])
          )
          await until("at rest", ({ ready, state }) => state === "idle" && ready)

          if (cli.ask !== null) {
            api.script(cli.ask("Which library?", ["alpha", "beta"]), say("Then beta."))
            await leap(["send", tag, "Choose a library."])
            assert.strictEqual(
              (await leap(["wait", tag, "--until", "needs_input", "--timeout", "90"])).trim(),
              "needs_input"
            )
            await leap(["send", tag, "After the question."])
            await stays(
              "nothing is typed into the question",
              2000,
              ({ ready, state }) => state === "needs_input" && !ready
            )
            api.script(say("Good."))
            await leap(["answer", tag, "beta"])
            await api.until(
              "the answer and the message behind it",
              (main) => main.length === 7 && main[6]?.endedAt != null
            )
            assert.match(api.main[5]?.toolResults.join() ?? "", /beta/)
            assert.strictEqual(api.main[6]?.conversation.at(-1), "After the question.")
            await until("at rest", ({ ready, state }) => state === "idle" && ready)
          }
          inOrder(api.main)

          const { exit } = JSON.parse(await leap(["stop", tag, "--json"])) as Pick<Status, "exit">
          const end = await status()
          assert.strictEqual(end.state, "exited")
          assert.isNotNull(exit)
          assert.deepStrictEqual(end.exit, exit)
          assert.strictEqual((await tryLeap(["send", tag, "Too late."])).code, 3)
        }
      ))
  })
}
