import { assert } from "@effect/vitest"
import { eventsOf, Life, live, Mode, modesOf, tellsOf } from "../support/session/lives.ts"
import { runsOf } from "../support/recordings/scenes.ts"
import { law, type Law } from "./registry.ts"

/*
 * Leap's form: every arrow reaches the CLI; `dialog` says whose it is, for clients that would recall a prompt with it.
 * Nothing blanks a screen, so what is shown and what is said of it cannot part. Over real frames:
 * dialogsOnScreen.ts.
 */
const all = runsOf(400)

export const arrows: ReadonlyArray<Law> = [
  law(
    ["V37"],
    "they are the CLI's while it asks, and in its dialogs, pickers and other views",
    { life: Life, mode: Mode },
    ({ life, mode }) => {
      for (const {
        facts: { screen },
        view
      } of live(eventsOf(life), modesOf(mode), tellsOf(mode)).seen) {
        if (view.state === "needs_permission" || view.state === "needs_input")
          assert.isTrue(view.dialog, view.reason._tag)
        else if (screen.box !== null && screen.dialog === null && !screen.picker)
          assert.isFalse(view.dialog, view.reason._tag)
      }
    },
    all
  ),

  law(
    ["V38"],
    "a dialog or picker on screen has them in every state, and nothing types over it",
    { life: Life, mode: Mode },
    ({ life, mode }) => {
      let boxSeen = false
      for (const {
        facts: { screen },
        view
      } of live(eventsOf(life), modesOf(mode), tellsOf(mode)).seen) {
        boxSeen ||= screen.box !== null
        if (screen.dialog !== null || screen.picker || (boxSeen && screen.box === null && !screen.blank))
          assert.isTrue(view.dialog, `${view.state}: ${view.reason._tag}`)
        if (view.dialog) assert.isFalse(view.ready, view.reason._tag)
      }
    },
    all
  )
]
