// The quick way alone: its exit code, or 99 where it leaves the command, with what it adds, to the whole program.
import { runQuick } from "../../../src/quick/quick.ts"

const argv = process.argv.slice(2)
const done = await runQuick(argv, Date.now())
if (typeof done === "number") process.exitCode = done
else {
  process.exitCode = 99
  process.stdout.write(done.slice(argv.length).join(" "))
}
