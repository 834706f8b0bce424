import { assert } from "@effect/vitest"
import { Result, Schema } from "effect"
import { cleanText, messageKeys } from "../../../src/domain/engine/queue/MessageText.ts"
import type { Dialog } from "../../../src/domain/words/session/Screen.ts"
import { examined, type It } from "./examined.ts"

/** The text in the bytes that put a message into a box: without the marks of pastes. */
const textIn = (keys: string): string => keys.replaceAll("\u001b[200~", "").replaceAll("\u001b[201~", "")

const graphemes = new Intl.Segmenter()

const Words = Schema.Array(
  Schema.Union([Schema.String, Schema.Literals(["do it", "\n", "  ", "漢字 👩‍👧", "\\", "1", "/help", "é", "\t"])])
)

/** Options that are chosen and take no text, in the words of one CLI or another. */
const Label = Schema.Literals([
  "Yes",
  "Yes, just this once",
  "Yes, and don't ask again for `ls`",
  "Allow once",
  "Allow always",
  "Reject",
  "Trust folder",
  "Quit",
  "Blue",
  "The short way"
])
/** What fields for a text of one's own are called, by one CLI or another. */
const fieldLabels = (
  "Type something.|None of the above|Other (type your answer)|Type your own answer|(your answer)|" +
  "Enter a custom value|Type an answer|Something else:"
).split("|")
/** A dialog of which every option is chosen by a key. */
const Choice = Schema.Struct({
  kind: Schema.Literals(["permission", "question", "trust", "login", "other"]),
  labels: Schema.Array(Label).check(Schema.isMinLength(1), Schema.isMaxLength(9)),
  selected: Schema.Int,
  numbered: Schema.Boolean
})

const dialogOf = ({ kind, labels, numbered, selected }: typeof Choice.Type): Dialog => ({
  kind,
  title: "What shall it be?",
  options: labels.map((label, at) => ({
    number: numbered ? at + 1 : null,
    label,
    selected: at === Math.abs(selected) % labels.length
  }))
})

/** Keys and no text: controls, arrows and the like, digits, or one letter. */
// oxlint-disable-next-line no-control-regex
const isKeys = (write: string): boolean =>
  /^(?:[A-Za-z]|(?:\u001b[[O][0-9;]*[A-Za-z~]|[\u0000-\u001f\u007f 0-9])+)$/.test(write)

/** How leap types into it, and answers it. */
export const input = (it: It) => {
  it.effect("has keys that send, interrupt, clear and quit, and none of them is text", () =>
    examined(({ input }) => {
      for (const keys of [input.submit, input.interrupt, input.clear, ...input.quit])
        assert.isTrue(
          isKeys(keys) && !/[A-Za-z0-9]$/.test(keys.replaceAll(/\u001b[[O][0-9;]*[A-Za-z~]/g, "")),
          JSON.stringify(keys)
        )
      assert.isNotEmpty(input.quit)
    })
  )

  it.effect.prop(
    "what is written for a text is what its box shows, wrapped as it may be",
    { words: Words, at: Schema.Int },
    ({ at, words }) =>
      examined(({ input }) => {
        const clean = cleanText(words.join(""))
        if (Result.isFailure(clean)) return
        const { text } = clean.success
        const keys = messageKeys(input, text)
        if (Result.isFailure(keys)) {
          assert.isFalse(input.bracketedPaste)
          return
        }
        const written = textIn(keys.success)
        assert.isFalse(/[^\P{Cc}\n\t]/u.test(written), JSON.stringify(keys.success))
        assert.strictEqual(keys.success.startsWith("\u001b[200~"), input.bracketedPaste && input.typed?.(text) !== true)
        // a text without a letter is none that a box could be told apart by
        if (!/[\p{L}\p{N}]/u.test(text)) return
        // a terminal breaks a row between characters as people see them
        const characters = [...graphemes.segment(written)].map(({ segment }) => segment)
        const cut = Math.abs(at) % (characters.length + 1)
        const wrapped = [...characters.slice(0, cut), "\n", ...characters.slice(cut)].join("")
        for (const shown of [written, wrapped]) assert.isTrue(input.showsPasted(shown, text), JSON.stringify(shown))
        assert.isFalse(input.showsPasted("", text))
        assert.isFalse(input.showsPasted(`${written} and another one`, text))
      })
  )

  it.effect.prop(
    "each option of a dialog is chosen by keys alone, or refused with a reason",
    { choice: Choice },
    ({ choice }) =>
      examined(({ input }) => {
        const dialog = dialogOf(choice)
        dialog.options.forEach(({ label }, at) => {
          for (const given of choice.numbered ? [String(at + 1), label] : [label]) {
            const keys = input.answer(dialog, given)
            if (keys._tag === "Refused") assert.match(keys.why, /\S/)
            else {
              assert.isNotEmpty(keys.writes)
              for (const write of keys.writes) assert.isTrue(isKeys(write), JSON.stringify(keys.writes))
            }
          }
        })
      })
  )

  it.effect.prop(
    "an answer that is no option of a dialog without a field for text is refused, and nothing is typed",
    { choice: Choice, answer: Schema.String },
    ({ answer, choice }) =>
      examined(({ input }) => {
        const dialog = dialogOf(choice)
        for (const given of ["", " \n", "0", "10", "99999999999999999999", `never ${answer}`, "Somethingelse", "-1"]) {
          const keys = input.answer(dialog, given)
          assert.strictEqual(keys._tag, "Refused", `${given} ${JSON.stringify(keys)}`)
          if (keys._tag === "Refused") assert.match(keys.why, /\S/)
        }
      })
  )

  it.effect.prop(
    "an answer in words is typed without a control character of its own",
    { choice: Choice, answer: Schema.String },
    ({ answer, choice }) =>
      examined(({ input }) => {
        const { options, title } = dialogOf(choice)
        const asked: ReadonlyArray<Dialog> = fieldLabels.flatMap((label) => {
          const field = { number: null, label, selected: true, open: true }
          return [
            {
              kind: "question",
              title,
              options: [...options, { ...field, number: options.length + 1, selected: false }]
            },
            { kind: "question", title, options: [field] },
            { kind: "elicitation", title, options: [] }
          ]
        })
        for (const dialog of asked) {
          const keys = input.answer(dialog, `mine\u001b[A \r${answer}\u0003`)
          if (keys._tag === "Refused") assert.match(keys.why, /\S/)
          else
            for (const write of keys.writes)
              assert.isTrue(isKeys(write) || !/\p{Cc}/u.test(write), JSON.stringify(write))
        }
      })
  )
}
