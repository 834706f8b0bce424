import { fieldsOf } from "../../words/reading/Fields.ts"
import { filled, recalled, recordsOf } from "../../cli/usage/InputHistory.ts"
import { claudeDirectory } from "./Identity.ts"

const placeholder = /\[Pasted text #(\d+)(?: \+\d+ lines)?\]/g

/** The prompt as it was sent: pasted text replaces its placeholders, if the file has it. */
const unfoldPastes = (display: unknown, pasted: unknown): unknown =>
  typeof display !== "string"
    ? null
    : display.replace(placeholder, (matched, number: string) => {
        const contents = fieldsOf(pasted)
        const { content } = fieldsOf(Object.hasOwn(contents, number) ? contents[number] : null)
        return typeof content === "string" ? content : matched
      })

/** Claude Code keeps the prompts of all directories in one file. */
export const claudeHistory = recalled({
  file: (env) => `${claudeDirectory(env)}/history.jsonl`,
  prompts: (text, cwd) =>
    filled(
      recordsOf(text).flatMap(({ display, pastedContents, project }) =>
        project === cwd ? [unfoldPastes(display, pastedContents)] : []
      )
    )
})
