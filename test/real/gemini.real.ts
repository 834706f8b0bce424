import { assert, it } from "@effect/vitest"
import { gemini } from "./cli/gemini.ts"
import { hosted } from "./hosted.ts"
import { mainJob } from "./mainJob.ts"
import { say } from "./model/FakeModel.ts"
import { each } from "../support/data/fields.ts"

mainJob(gemini)

it("gemini's question about a loop is the user's to answer, and what is queued waits behind it", () =>
  hosted(gemini, "gemini-loop", async ({ api, leap, tag, until }) => {
    // the CLI asks the model a second time on its own before it asks the user
    api.script(say(`It goes on: ${"the same line of words ".repeat(12)}`), say("Again."))
    await leap(["send", tag, "Say something."])
    const { queue } = await until("it asks", ({ state }) => state === "needs_input")
    assert.deepStrictEqual(each(queue, "status"), ["started"])
    assert.include(await leap(["answer", tag]), "2  Disable loop detection for this session")
    api.script(say("The next."))
    await leap(["send", tag, "Go on."])
    await leap(["answer", tag, "keep"])
    await until("at rest", (now) => now.state === "idle" && now.ready && now.lastMessage === "Go on.")
  }))
