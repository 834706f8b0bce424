import { filled, type InputHistory } from "../../../../src/domain/cli/usage/InputHistory.ts"
import { toyHome } from "./Wiring.ts"

/** What was typed into Toy, a line each, wherever it was. */
export const toyHistory: InputHistory = {
  recalls: true,
  index: null,
  file: (env) => `${toyHome(env)}/history`,
  lines: true,
  prompts: (text) => filled(text.split("\n"))
}
