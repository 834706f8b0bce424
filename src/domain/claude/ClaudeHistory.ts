import { fieldsOf } from "../usage/Fields.ts"
import { filled, type InputHistory, recordsOf } from "../usage/InputHistory.ts"
import { claudeDirectory } from "./ClaudeWiring.ts"

const placeholder = /\[Pasted text #(\d+)(?: \+\d+ lines)?\]/g

/** The prompt as it was sent: what was pasted stands where its placeholder does, as far as it was kept. */
const whole = (display: unknown, pasted: unknown): unknown =>
  typeof display !== "string" ? null : display.replace(placeholder, (mark, number: string) => {
    const contents = fieldsOf(pasted)
    const { content } = fieldsOf(Object.hasOwn(contents, number) ? contents[number] : null)
    return typeof content === "string" ? content : mark
  })

/** Claude Code keeps the prompts of all directories in one file. */
export const claudeHistory: InputHistory = {
  index: null,
  file: (env) => `${claudeDirectory(env)}/history.jsonl`,
  lines: true,
  prompts: (text, cwd) =>
    filled(recordsOf(text).flatMap(({ display, pastedContents, project }) => project === cwd ? [whole(display, pastedContents)] : []))
}
