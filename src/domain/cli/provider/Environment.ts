/** An environment with changes applied; null removes a variable. */
export const overlay = (
  env: Readonly<Record<string, string>>,
  changes: Readonly<Record<string, string | null>>
): Record<string, string> => {
  const result: Record<string, string> = { ...env }
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) delete result[name]
    else result[name] = value
  }
  return result
}

/** The directory that a variable names, without slashes at its end; `otherwise` where it names none. */
export const directoryBy = (env: Readonly<Record<string, string>>, variable: string, otherwise: string): string =>
  env[variable]?.replace(/(?<=.)\/+$/, "") || otherwise

/** One in the home directory. */
export const inHome = (env: Readonly<Record<string, string>>, path: string): string => `${env["HOME"] ?? ""}/${path}`
