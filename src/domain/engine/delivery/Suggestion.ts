import { isDue, quietFrom } from "./Box.ts"
import { timing } from "./DeliveryLimits.ts"
import { andThen, announce, type Delivery, write } from "./DeliveryMemory.ts"
import { moved, type Verdict, waitsAside } from "./Verdict.ts"
import type { Moments } from "./Waits.ts"
import type { InputProtocol } from "../../cli/provider/InputProtocol.ts"
import { next } from "../queue/Queue.ts"
import { oneLine } from "../../words/text/printable.ts"

/**
 * Closes a suggestion of the CLI's that keeps a message from going out, such as a cheaper model after a usage limit:
 * nobody may be there to do it. It has stood for a while by then, and the user's last key is far enough back. Only what
 * the CLI's reader knows as a suggestion is closed, at rest, and only so often. Null where there is none.
 */
export const suggestionTransition = (input: InputProtocol, m: Delivery, { passed }: Moments): Verdict | null => {
  const { at, exited, screen, view, whole } = m.evidence
  const dialog = screen?.dialog ?? null
  const entry = next(m.queue)
  const isInTheWay =
    dialog?.suggests === true &&
    whole &&
    !exited &&
    view.dialog &&
    m.sent.length === 0 &&
    entry !== null &&
    isDue(m, entry)
  if (!isInTheWay) return m.suggestion === null ? null : moved([{ ...m, suggestion: null }, []])
  const { since, tries } = m.suggestion ?? { since: at, tries: 0 }
  if (tries >= timing.maxDismissals) return null
  if (!passed(Math.max(since + timing.suggestion, quietFrom(m.evidence))))
    return waitsAside({ ...m, suggestion: { since, tries } }, "a suggestion of the CLI's that is in the way to be seen")
  return moved(
    andThen(
      announce(
        { ...m, suggestion: { since: at, tries: tries + 1 } },
        `closed what the CLI suggests, since a message waits: ${oneLine(dialog.title, 100)}`
      ),
      (m) => [m, [write("dismiss", input.interrupt)]]
    )
  )
}
