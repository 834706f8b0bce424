import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { MessageStatus } from "../../../src/domain/words/session/Message.ts"
import { forceNext, nextOf } from "../../../src/programs/attach/attachedActions.ts"
import { effect } from "../../support/run/effects.ts"

const message = (id: string, status: MessageStatus) => ({
  id,
  text: id,
  images: ["/a picture.png"],
  queuedAt: "",
  status,
  force: false,
  why: null
})

describe("what is chosen over the screen", () => {
  effect("forces the first message that waits where it stands, and takes none out of the queue for it", function* () {
    const forced: Array<string> = []
    const client = { QueueForce: ({ id }: { readonly id: string }) => Effect.sync(() => void forced.push(id)) }
    const queue = [message("a", "done"), message("b", "typed"), message("c", "held"), message("d", "queued")]
    assert.isTrue(yield* forceNext(client, { queue }))
    assert.isFalse(yield* forceNext(client, { queue: queue.slice(0, 2) }))
    assert.isFalse(yield* forceNext(client, null))
    assert.deepStrictEqual(forced, ["c"])
  })

  it("goes on to the next session in the order of lists, round and round", () => {
    const sessions = ["s-10", "s-2", "S-1"].map((tag) => ({ tag, state: "idle" as const }))
    assert.deepStrictEqual(
      ["S-1", "s-2", "s-10"].map((tag) => nextOf(sessions, tag, undefined)),
      ["s-2", "s-10", "S-1"]
    )
    assert.isNull(nextOf([{ tag: "s", state: "exited" }], "x", undefined))
  })
})
