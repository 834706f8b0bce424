// Makes dist/generated, what the build takes from the program itself so that a command can start without the parser and
// the schemas. Its files are imported as `#generated/NAME.json`, or `.mts`. A file is replaced whole, and only when it differs.
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { StreamLine } from "../../src/domain/cli/headless/StreamLine.ts"
import { settingsSchema } from "../../src/domain/store/settings/settingsList.ts"
import { jsonSchemaOf } from "../../src/domain/words/formats/jsonSchemaOf.ts"
import { auditForm, frameForm, hostForms, queueForm } from "./hostForms.ts"

const folder = path.join(import.meta.dirname, "../../dist/generated")

const write = (name: string, text: string, ending = "json") => {
  const file = path.join(folder, `${name}.${ending}`)
  if (fs.existsSync(file) && fs.readFileSync(file, "utf8") === text) return
  const part = `${file}.${process.pid}`
  fs.writeFileSync(part, text)
  fs.renameSync(part, file)
}

fs.mkdirSync(folder, { recursive: true })
write("hostForms", hostForms(), "mts")
write("queueForm", queueForm(), "mts")
write("auditForm", auditForm(), "mts")
write("frameForm", frameForm(), "mts")
write("settings.schema", `${JSON.stringify(settingsSchema(), null, 2)}\n`)
write("events.schema", `${JSON.stringify(jsonSchemaOf(StreamLine), null, 2)}\n`)

// The commands are loaded when the forms are there, which they may import.
const { completionTree } = await import("./completionTree.ts")
const { helpPages } = await import("./helpPages.ts")
const { quickForms } = await import("./quickForms.ts")
write("quickForms", await Effect.runPromise(quickForms))
write("completionTree", await Effect.runPromise(completionTree), "mts")
write("helpPages", await Effect.runPromise(helpPages))
