import { fieldsOf, textOf } from "../../words/reading/Fields.ts"
import type { UsageFact } from "./UsageReader.ts"

/** The model of a status line, by its id if it has one: prices are listed by id, and a name may include the effort. */
export const modelFacts = (reported: unknown): ReadonlyArray<UsageFact> => {
  const { display_name, id } = fieldsOf(reported)
  const model = textOf(reported) ?? textOf(id) ?? textOf(display_name)
  return model === null ? [] : [{ _tag: "Model", model }]
}
