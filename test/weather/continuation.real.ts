import { assert, describe, it } from "@effect/vitest"
import { codex } from "../real/cli/codex.ts"
import { hosted } from "../real/hosted.ts"
import { say } from "../real/model/FakeModel.ts"
import { replyOf } from "./Fault.ts"
import { subscription } from "./kinds/anthropic.ts"
import { subscriber } from "./subscriber.ts"

describe("Claude Code, which goes on by itself after a subscription's limit", () => {
  it("is left to it, and told so; where the user stops that, the queue goes on at the limit's end", () =>
    hosted(subscriber, "claude-goes-on", async ({ api, leap, status, stays, tag, until }) => {
      await until("it rests", ({ ready }) => ready)
      api.otherwise = say("fine")
      await leap(["send", tag, "hello", "--wait", "--timeout", "60"])
      const reset = Math.ceil(Date.now() / 1000) + 45
      api.otherwise = replyOf({
        how: "status",
        status: 429,
        body: { type: "error", error: { type: "rate_limit_error", message: "This request would exceed your limit." } },
        headers: subscription("five_hour", "rejected", String(reset))
      })
      await leap(["send", tag, "the first"])
      await leap(["send", tag, "the second"])
      const told = await until("its own continuation is told", ({ night }) =>
        /goes on by itself/.test(night?.text ?? "")
      )
      assert.strictEqual(told.problem?.kind, "rate_limited")
      assert.match(told.night?.text ?? "", /neither mode nor stop hour governs that/)
      const sent = () => api.main.map(({ conversation }) => conversation.at(-1))
      const before = sent().length
      await stays("nothing is typed beside it", 3_000, () => sent().length === before)
      api.otherwise = say("fine")
      await leap(["keys", tag, "Esc"])
      await until("it goes on by itself no more", ({ night }) => !/goes on by itself/.test(night?.text ?? ""))
      // Claude Code tells the limit to the minute: it is over after that
      if ((await status()).pause?.until == null) await leap(["queue", "retry", tag, "all"])
      await api.until("both are answered", () => sent().slice(before).includes("the second"), 200_000)
      assert.deepStrictEqual(sent().slice(before), ["the first", "the second"])
      await until("all is done", ({ queue }) => queue.every(({ status }) => status === "done"))
    }))
})

describe("Codex, which suggests a cheaper model behind a usage limit", () => {
  it("has that closed at the limit's end with nobody there, and its queue goes on", () =>
    hosted(codex, "codex-suggests", async ({ api, leap, stays, tag, until }) => {
      await until("it rests", ({ ready }) => ready)
      api.otherwise = say("fine")
      await leap(["send", tag, "hello", "--wait", "--timeout", "60"])
      const reset = Math.ceil(Date.now() / 1000) + 20
      api.otherwise = replyOf({
        how: "status",
        status: 429,
        body: {
          error: {
            type: "usage_limit_reached",
            message: "The usage limit has been reached",
            plan_type: "plus",
            resets_at: reset,
            resets_in_seconds: 20
          }
        },
        headers: {
          "x-codex-primary-used-percent": "100.0",
          "x-codex-primary-window-minutes": "300",
          "x-codex-primary-reset-at": String(reset)
        }
      })
      await leap(["send", tag, "the first"])
      await leap(["send", tag, "the second"])
      await until(
        "it suggests another model, and the queue waits for the limit",
        ({ pause, problem, question }) =>
          /lower credit/.test(question?.title ?? "") && problem?.kind === "rate_limited" && pause?.until != null
      )
      const sent = () => api.main.map(({ conversation }) => conversation.at(-1))
      const before = sent().length
      api.otherwise = say("fine")
      await stays("its suggestion stands until the limit is over", 5_000, () => sent().length === before)
      await api.until("both are answered", () => sent().slice(before).includes("the second"), 200_000)
      assert.deepStrictEqual(sent().slice(before), ["the first", "the second"])
      await until("all is done", ({ queue }) => queue.every(({ status }) => status === "done"))
    }))
})
