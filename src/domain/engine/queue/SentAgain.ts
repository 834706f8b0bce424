import { Result } from "effect"
import { ulidTime } from "../../words/text/ulid.ts"
import { nameOf } from "./MessageName.ts"
import { cleanText } from "./MessageText.ts"
import { find, historyLength, type NewMessage, type QueueRefusal, type QueueState, recent } from "./Queue.ts"

/** Ids that a client may choose. Shorter ones would look like positions; blanks and dashes would look like flags. */
const idForm = /^[A-Za-z0-9][A-Za-z0-9_-]{3,63}$/

const refuse = (reason: QueueRefusal["reason"], why: string) => Result.fail({ reason, why })

/**
 * Whether a client's message with this id is already here: sending it again, as after a lost answer, changes nothing.
 * Refused if the id is another message's, or so old that its message may be forgotten.
 */
export const sentAgain = (
  state: QueueState,
  { id, images, text }: Pick<NewMessage, "id" | "text" | "images">
): Result.Result<boolean, QueueRefusal> => {
  if (!idForm.test(id))
    return refuse(
      "invalid",
      `'${id}' is no id for a message: 4 to 64 letters, digits, '_' and '-', a letter or digit first`
    )
  const known = find(state, id)?.message
  if (known !== undefined) {
    // Pictures without a text are stored with an empty text, which `cleanText` would refuse.
    const said = text.trim() === "" ? "" : Result.getOrNull(cleanText(text))?.text
    return known.images.join("\0") === images.join("\0") && known.text === said
      ? Result.succeed(true)
      : refuse("refused", `there is another message of that id: ${nameOf(known)}`)
  }
  const others = recent(state)
  const oldest = others.length < historyLength ? undefined : others[0]
  const made = ulidTime(id)
  return oldest !== undefined && made !== null && made <= oldest.at
    ? refuse("refused", `message ${id} is so old that it may have been sent and forgotten; send it under a new id`)
    : Result.succeed(false)
}
