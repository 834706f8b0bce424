// The whole program, without the quick way before it.
import { run } from "../../../src/main.ts"

run(process.argv.slice(2))
