import { join } from "node:path"

/** The file of a program in this folder: as the test run has built it, or its source. */
export const childProgram = (name: string): string => {
  const built = process.env["LEAP_TEST_CHILDREN"]
  return built === undefined ? join(import.meta.dirname, `${name}.ts`) : join(built, `${name}.js`)
}
