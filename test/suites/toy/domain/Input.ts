import type { AnswerKeys, InputProtocol } from "../../../../src/domain/cli/provider/InputProtocol.ts"
import { textShape } from "../../../../src/domain/words/reading/TextShape.ts"

const refused = (why: string): AnswerKeys => ({ _tag: "Refused", why })

/** How leap types into Toy. Its dialogs take a digit, and no text. */
export const toyInput: InputProtocol = {
  bracketedPaste: true,
  submit: "\r",
  interrupt: "\u001b",
  clear: "\u0015",
  quit: ["\u0004"],
  showsPasted: (draft, text) => {
    const shown = textShape(draft)
    return shown !== "" && shown === textShape(text)
  },
  answer: ({ options }, given) => {
    const wanted = given.trim().toLowerCase()
    if (wanted === "") return refused("the answer is empty")
    const found = options.find(({ label, number }) => String(number) === wanted || label.toLowerCase() === wanted)
    return found === undefined || found.number === null
      ? refused(`'${given.trim()}' is no option that has a number`)
      : { _tag: "Keys", writes: [String(found.number)] }
  }
}
