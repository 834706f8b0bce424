import { fieldsOf, itemsOf } from "../../words/reading/Fields.ts"
import { jsonOf } from "../../words/formats/Json.ts"
import { filled, recalled } from "../../cli/usage/InputHistory.ts"
import { geminiHome } from "./Identity.ts"

/** Gemini CLI has a folder for each project, named in its registry. */
export const geminiHistory = recalled({
  index: (env) => `${geminiHome(env)}/projects.json`,
  file: (env, cwd, index) => {
    const projects = fieldsOf(fieldsOf(jsonOf(index ?? ""))["projects"])
    const slug = Object.hasOwn(projects, cwd) ? projects[cwd] : null
    return typeof slug === "string" && /^[a-z0-9-]+$/.test(slug) ? `${geminiHome(env)}/tmp/${slug}/logs.json` : null
  },
  lines: false,
  prompts: (text) =>
    filled(
      itemsOf(jsonOf(text))
        .map(fieldsOf)
        .flatMap(({ message, type }) => (type === "user" ? [message] : []))
    )
})
