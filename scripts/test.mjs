// `npm test`: types, lint and format beside the tests, which mostly wait for processes. What the former say comes whole, when they end.
import { spawn } from "node:child_process"
import { join } from "node:path"

// the workers load the same modules over and over: compiled once, also for the next run
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "../node_modules/.cache/compiled")

const npm = process.env.npm_execpath ?? "npm"
const [program, ...prefix] = npm.endsWith(".js") ? [process.execPath, npm] : [npm]

/** The exit code and, where it is kept, the output of a program. */
const run = (command, args, kept) =>
  new Promise((resolve) => {
    const child = spawn(command, args, { stdio: kept ? ["ignore", "pipe", "pipe"] : "inherit" })
    let output = ""
    child.stdout?.on("data", (data) => (output += data))
    child.stderr?.on("data", (data) => (output += data))
    child.on("error", (error) => resolve({ code: 1, output: `${error.message}\n` }))
    child.on("close", (code) => resolve({ code: code ?? 1, output }))
  })

// what lint finds by types takes longer than all else it finds: `npm run check`, and CI, have that too
const checked = run(program, [...prefix, "run", "check:quick"], true)
const tested = run("vitest", ["run", ...process.argv.slice(2)], false)
// the run's last line is the tests' count
void checked.then(({ code, output }) =>
  process.stdout.write(code === 0 ? "types, lint and format: nothing to say\n" : output)
)
const [check, tests] = [await checked, await tested]
if (check.code !== 0) process.stderr.write("npm test: types, lint or format failed, as told above\n")
process.exitCode = tests.code || check.code
