// The whole program, without the light way before it.
import { run } from "../../../src/main.ts"

run(process.argv.slice(2))
