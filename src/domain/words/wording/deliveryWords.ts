import type { MessageCause } from "../session/MessageCause.ts"
import { withValues } from "../text/withValues.ts"
import { because } from "./causeWords.ts"

/** The sentences about a message's delivery; `%`: a detail. */
const words = {
  "late-text": "its text showed late",
  untypable: "%",
  "dialog-first": "a dialog came up before it was typed",
  "dialog-meanwhile": "a dialog came up while it was being typed",
  "not-cleared": "the box could not be cleared of your text",
  "exited-first": "the CLI exited before it was typed",
  "exited-meanwhile": "the CLI exited while it was being typed",
  "exited-before-turn": "the CLI took it and exited before a turn was seen to begin",
  "exited-on-it": "the CLI exited on it",
  "exited-in-turn": "the CLI exited during its turn",
  "not-ready": "the CLI was not ready any more",
  "not-shown": "its text did not show in the box",
  "other-text": "other text got into the box",
  "shown-otherwise": "the box showed something else",
  "shown-otherwise-after": "the box showed something else after Enter",
  "turn-by-itself": "a turn began by itself",
  "turn-as-taken-out": "a turn began as it was taken out of the box",
  "turn-after-keys": "a turn began after keys of yours got in between",
  "menu-stayed": "a menu stayed open over it, so Enter might have chosen from that",
  "unknown-command": "the CLI knows no command %, and took none of it",
  "hook-refused": "a hook of the CLI's refused it: the model has not seen it",
  "enter-failed": "Enter did not send it",
  "box-gone": "its box left the screen before leap sent it",
  "box-gone-after": "its box left the screen behind Enter",
  "left-box": "it left the box before leap sent it",
  "key-emptied": "a key of yours came in between, and its box is empty",
  "key-beside-text": "its text stood in the box when you pressed a key",
  "key-before-text": "its text had not shown yet when you pressed a key",
  "keys-held": "your keys had been held for too long",
  mixed: "it got mixed with what you typed",
  "given-back": "the CLI gave it back: it stands in the box, unsent",
  "behind-held": "the message before it is held (%)",
  "no-turn": "the CLI took it; no turn of its own was seen",
  "others-failure": "a turn failed, and nothing shows whether it was its own: it may have been answered",
  interrupted: "its turn was interrupted",
  "gone-on": "its turn went on after the limit",
  "view-open": "a view of the CLI's covers its box; nothing goes out until that is closed ('leap keys <tag> Esc')",
  "session-gone": "session '%', which it waits for, is gone",
  "from-agent": "it is from %",
  "maybe-sent": "it may have been sent",
  "maybe-sent-by-key": "it may have been sent by a key of yours",
  "key-sent": "a key of yours may have sent it",
  "key-sent-undrawn": "a key of yours may have sent it, and the CLI draws nothing",
  "in-box": "it was left in the box",
  "in-box-unsent": "it was left in the box, unsent",
  "in-box-maybe-sent": "it was left in the box, and may have been sent",
  "taken-out": "it was taken out of the box again (if another key sends, 'clis.<cli>.keys' can name it)",
  "not-taken-out": "it could not be taken out of the box",
  "given-up": "given up after % attempts",
  release: "'leap queue release %' lets it go out"
}

type Said = keyof typeof words

/** Why a message is held, goes back, or has ended, if nothing depends on the reason: the sentences to show. */
export type DeliveryCause = ReadonlyArray<Said | readonly [what: Said, of: string | number]>

/** The cause in words. */
export const deliveryWords = (cause: DeliveryCause): string =>
  cause.map((said) => (typeof said === "string" ? words[said] : withValues(words[said[0]], said.slice(1)))).join("; ")

/** A cause and its words, as records and messages store them: as data only if something depends on it. */
export const storedCause = (
  cause: MessageCause | DeliveryCause
): { readonly why: string; readonly cause?: MessageCause } =>
  "_tag" in cause ? because(cause) : { why: deliveryWords(cause) }
